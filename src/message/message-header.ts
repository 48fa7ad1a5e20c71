import { html, nothing, render, type TemplateResult } from 'lit';
import { isUbikError } from '../errors.js';
import { element } from '../dom/element.js';
import { findPreviousBranch, type Branch } from '../model/branches.js';
import type { Attachment, Message } from '../model/message.js';
import { renderContentText } from './content-lang.js';
import { explainCode } from './explain-error.js';
import { findCheckpointLabel } from './checkpoint-label.js';
import type { MessageScope } from './part-view.js';
import { isRunning } from './thread-selectors.js';

/**
 * The start of a message: the checkpoint and hint that its branch was restored from, with buttons for the previous branch, the
 * title of the context, and the attachments.
 */
export class MessageHeader {
  readonly node = element('div', 'message-header');
  readonly #scope: MessageScope;
  /** Error code of switching to the previous branch; empty when that has not failed. */
  #errorCode = '';

  constructor(scope: MessageScope) {
    this.#scope = scope;
    this.render();
  }

  render(): void {
    const { message } = this.#scope;
    const { attachments, contextTitle } = message;
    render(
      html`${this.#renderRestoreOrigin(message)}
      ${contextTitle ? this.#renderContext(contextTitle) : nothing}
      ${this.#renderAttachments(attachments)}`,
      this.node,
    );
  }

  #renderContext(title: string): TemplateResult {
    return html`<p class="chips">
      <span class="chip">${renderContentText(title, this.#scope.context.locale)}</span>
    </p>`;
  }

  #renderAttachments(attachments: readonly Attachment[]): TemplateResult | typeof nothing {
    if (attachments.length === 0) return nothing;
    const { locale } = this.#scope.context;
    return html`<ul class="chips" aria-label=${locale.text('attachments')}>
      ${attachments.map(({ name }) => html`<li class="chip">${renderContentText(name, locale)}</li>`)}
    </ul>`;
  }

  #renderRestoreOrigin({ key, restoredFrom }: Message): TemplateResult | typeof nothing {
    if (!restoredFrom) return nothing;
    const { actions, locale } = this.#scope.context;
    const { text } = locale;
    const { checkpoint, hint } = restoredFrom;
    const messages = actions.thread?.messages.values() ?? [];
    const name = findCheckpointLabel(messages, checkpoint, locale);
    const previous = actions.thread ? findPreviousBranch(actions.thread, key) : null;
    return html`<p class="note">
        ${text('restoredFrom', { name })} ${hint ? text('restoredHint', { hint }) : ''}
      </p>
      ${previous ? this.#renderPreviousBranch(previous) : nothing}
      ${
        this.#errorCode
          ? html`<p class="error-text" role="alert">${explainCode(this.#errorCode, locale)}</p>`
          : nothing
      }`;
  }

  /** Renders the buttons that show the previous branch instead of this one, or beside it when it is loaded. */
  #renderPreviousBranch(branch: Branch): TemplateResult {
    const { context, message } = this.#scope;
    const { actions, locale } = context;
    const busy = isRunning(actions.thread);
    const compare = (): void => actions.compareBranches?.(message.key);
    return html`<p class="buttons">
      ${
        actions.switchBranch && branch.id !== null
          ? html`<button
              class="quiet"
              type="button"
              aria-disabled=${busy}
              title=${busy ? explainCode('busy', locale) : locale.text('restoredSwitches')}
              @click=${() => {
                if (!busy) void this.#switchTo(branch);
              }}
            >
              ${locale.text('restoredShowEarlier')}
            </button>`
          : nothing
      }
      ${
        actions.compareBranches && branch.message
          ? html`<button class="quiet" type="button" aria-haspopup="dialog" @click=${compare}>
              ${locale.text('restoredCompare')}
            </button>`
          : nothing
      }
    </p>`;
  }

  /** Switches to the newest loaded message of a branch. */
  async #switchTo({ id, head }: Branch): Promise<void> {
    const { actions, frames } = this.#scope.context;
    const scroller = this.node.closest<HTMLElement>('.scroller');
    this.#errorCode = '';
    try {
      await actions.switchBranch?.(actions.thread?.messages.get(head ?? '')?.id ?? id ?? '');
    } catch (error) {
      if (!isUbikError(error)) throw error;
      if (error.code !== 'aborted') this.#errorCode = error.code;
    }
    // Switching removes this message with the focused button, so the focus moves to the list of messages.
    frames.schedule(() => {
      if (this.node.isConnected) this.render();
      else scroller?.focus({ preventScroll: true });
    });
  }
}
