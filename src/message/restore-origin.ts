import { restoredStrings } from '../locales/en-restored.js';
import { addDefaultStrings } from '../locales/locale.js';
import { html, nothing, type TemplateResult } from 'lit';
import { isUbikError } from '../errors.js';
import { findPreviousBranch, type Branch } from '../model/branches.js';
import { findCheckpointLabel } from './checkpoint-label.js';
import { explainCode } from './explain-error.js';
import type { MessageScope } from './part-view.js';
import { isRunning } from './thread-selectors.js';

addDefaultStrings(restoredStrings);

/** The note that shows from which checkpoint an answer was restored and with which hint of the user, with buttons for the previous branch. */
export class RestoreOriginNote {
  readonly #scope: MessageScope;
  readonly #header: HTMLElement;
  readonly #redraw: () => void;
  /** Error code of switching to the previous branch; empty when that has not failed. */
  #errorCode = '';

  /** `header` contains the note; `redraw` renders it again. */
  constructor(scope: MessageScope, header: HTMLElement, redraw: () => void) {
    this.#scope = scope;
    this.#header = header;
    this.#redraw = redraw;
  }

  render(): TemplateResult | typeof nothing {
    const { context, message } = this.#scope;
    const { key, restoredFrom } = message;
    if (!restoredFrom) return nothing;
    const { actions, locale } = context;
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

  /** Renders a button that switches to the previous branch and, if that branch is loaded, a button that compares it with this branch. */
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

  /** Switches to the head of a branch or, when none of its messages is loaded, to the version that it begins with. */
  async #switchTo({ id, head }: Branch): Promise<void> {
    const { actions, frames } = this.#scope.context;
    this.#errorCode = '';
    try {
      await actions.switchBranch?.(actions.thread?.messages.get(head ?? '')?.id ?? id ?? '');
    } catch (error) {
      if (!isUbikError(error)) throw error;
      if (error.code !== 'aborted') this.#errorCode = error.code;
    }
    frames.schedule(() => {
      // If the header is not connected, switching has removed this message, and the focus has moved to another one.
      if (this.#header.isConnected) this.#redraw();
    });
  }
}
