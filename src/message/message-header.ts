import { html, nothing, render, type TemplateResult } from 'lit';
import { isUbikError } from '../errors.js';
import { element } from '../dom/element.js';
import type { Message } from '../model/message.js';
import { findPreviousBranch, type Branch } from '../model/branches.js';
import { explainCode } from './explain-error.js';
import type { MessageScope } from './part-view.js';
import { renderContentText } from './content-lang.js';
import { isRunning } from './thread-selectors.js';

/** What stands above a message: where a restored way began, with the way to what was left there, and the files of a question. */
export class MessageHeader {
  readonly node = element('div', 'origin');
  readonly #scope: MessageScope;
  /** Why the other way could not be shown; empty when nothing went wrong. */
  #failure = '';

  constructor(scope: MessageScope) {
    this.#scope = scope;
    this.render();
  }

  render(): void {
    const { message, context } = this.#scope;
    const { text } = context.locale;
    const { attachments } = message;
    render(
      html`${this.#renderOrigin(message)}
      ${
        attachments.length > 0
          ? html`<ul class="chips" aria-label=${text('attachments')}>
              ${attachments.map(({ name }) => html`<li class="chip">${renderContentText(name, context.locale)}</li>`)}
            </ul>`
          : nothing
      }`,
      this.node,
    );
  }

  #renderOrigin({ key, restoredFrom: origin }: Message): TemplateResult | typeof nothing {
    if (!origin) return nothing;
    const { actions: acts, locale } = this.#scope.context;
    const { text } = locale;
    const { checkpoint: name, hint } = origin;
    const left = acts.thread ? findPreviousBranch(acts.thread, key) : null;
    return html`<p class="note">
        ${text('restartedFrom', { name })} ${hint ? text('restartedHint', { hint }) : ''}
      </p>
      ${left ? this.#renderWay(left) : nothing}
      ${
        this.#failure
          ? html`<p class="complaint" role="alert">${explainCode(this.#failure, locale)}</p>`
          : nothing
      }`;
  }

  /** The way not taken: seen in place of this one, or beside it when this page has read it. */
  #renderWay(left: Branch): TemplateResult {
    const { context, message } = this.#scope;
    const { actions: acts, locale } = context;
    const busy = isRunning(acts.thread);
    const compare = (): void => acts.compareBranches?.(message.key);
    return html`<p class="buttons">
      ${
        acts.switchBranch && left.id !== null
          ? html`<button
              class="quiet"
              type="button"
              aria-disabled=${busy}
              title=${busy ? explainCode('busy', locale) : locale.text('restartedSwitches')}
              @click=${() => {
                if (!busy) void this.#show(left);
              }}
            >
              ${locale.text('restartedShowEarlier')}
            </button>`
          : nothing
      }
      ${
        acts.compareBranches && left.message
          ? html`<button class="quiet" type="button" aria-haspopup="dialog" @click=${compare}>
              ${locale.text('restartedCompare')}
            </button>`
          : nothing
      }
    </p>`;
  }

  async #show({ id, head }: Branch): Promise<void> {
    const { actions: acts } = this.#scope.context;
    const scroller = this.node.closest<HTMLElement>('.scroller');
    this.#failure = '';
    try {
      // To the end of that way, as far as this page knows it.
      await acts.switchBranch?.(acts.thread?.messages.get(head ?? '')?.id ?? id ?? '');
    } catch (error) {
      if (!isUbikError(error)) throw error;
      this.#failure = error.code;
    }
    // The button may have gone with the way, and the focus with it.
    this.#scope.context.frames.schedule(() => {
      if (this.node.isConnected) this.render();
      else scroller?.focus({ preventScroll: true });
    });
  }
}
