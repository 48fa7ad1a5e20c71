import { html, nothing, render, type TemplateResult } from 'lit';
import { isUbikError } from '../../errors.js';
import { linkStrings } from '../../locales/en-links.js';
import { addDefaultStrings, type StringName } from '../../locales/locale.js';
import { explainCode } from '../../message/explain-error.js';
import { renderIcon } from '../../message/icons.js';
import { isRunning } from '../../message/thread-selectors.js';
import type { ConnectedHost } from '../base/connected-host.js';

addDefaultStrings(linkStrings);

/** Reports that a linked message is not on the shown branch, and offers to switch to its branch. Looking the message up does not switch. */
export class DeepLinkNotice {
  readonly #host: ConnectedHost;
  readonly #node: HTMLElement;
  readonly #reveal: (id: string) => void;
  /** The service's id of the linked message. */
  #id: string | null = null;
  /** Name of the shown string; empty during the lookup and after it has failed or was aborted. */
  #stringName: StringName | '' = '';
  #errorCode = '';

  /** `reveal` scrolls to a message by its service id; with an empty id, it cancels a pending scroll and closes this notice. */
  constructor(host: ConnectedHost, node: HTMLElement, reveal: (id: string) => void) {
    this.#host = host;
    this.#node = node;
    this.#reveal = reveal;
  }

  /** Looks up a message and shows the result. */
  open(id: string): void {
    this.#id = id;
    void this.#lookUp(id);
  }

  close(): void {
    this.#moveFocus();
    this.#id = null;
    this.render();
  }

  render(): void {
    render(this.#id === null ? nothing : this.#renderLine(this.#id), this.#node);
  }

  async #lookUp(id: string): Promise<void> {
    this.#stringName = '';
    this.#errorCode = '';
    this.render();
    const lookup = this.#findStringName(id).then((name) => {
      if (id === this.#id) this.#stringName = name;
    });
    await this.#host.attempt(lookup, ({ code }) => {
      if (id === this.#id) this.#errorCode = code;
    });
    this.render();
  }

  /**
   * Finds out whether the message exists, and returns the name of the string that says so. A message that the service returns is not
   * stored, because its position in the tree is known only when its branch is loaded.
   */
  async #findStringName(id: string): Promise<StringName> {
    const { backend, thread } = this.#host.controller ?? {};
    const isLoaded = [...(thread?.messages.values() ?? [])].some((message) => message.id === id);
    if (isLoaded) return 'linkOtherVersion';
    const { switchBranch } = this.#host.context.actions;
    if (thread?.id == null || !switchBranch || !backend?.loadMessage) return 'linkUnknown';
    try {
      await backend.loadMessage(thread.id, id);
      return 'linkOtherVersion';
    } catch (error) {
      if (isUbikError(error) && error.code === 'not-found') return 'linkNotFound';
      throw error;
    }
  }

  #renderLine(id: string): TemplateResult {
    const { context } = this.#host;
    const { locale } = context;
    const { text } = locale;
    const message = this.#errorCode
      ? explainCode(this.#errorCode, locale)
      : this.#stringName && text(this.#stringName);
    if (!message) return html``;
    return html`<p class="line">
      <span class="glyph">${renderIcon('alert')}</span>
      <span class="words" dir="auto">${message}</span>
      ${this.#renderButton(id)}
      <button class="quiet" type="button" @click=${this.#handleClose}>${text('close')}</button>
    </p>`;
  }

  #renderButton(id: string): TemplateResult | typeof nothing {
    const { controller, context } = this.#host;
    const { locale, actions } = context;
    const { text } = locale;
    if (!this.#stringName) {
      return html`<button class="quiet" type="button" @click=${() => void this.#lookUp(id)}>
        ${text('retry')}
      </button>`;
    }
    const { switchBranch } = actions;
    if (this.#stringName !== 'linkOtherVersion' || !switchBranch) return nothing;
    const busy = isRunning(controller?.thread);
    const hint = busy ? explainCode('busy', locale) : text('linkSwitches');
    return html`<button
      class="quiet"
      type="button"
      title=${hint}
      aria-description=${hint}
      aria-disabled=${busy}
      @click=${() => {
        if (!busy) void this.#switchBranch(id, switchBranch);
      }}
    >
      ${text('linkSwitch')}
    </button>`;
  }

  readonly #handleClose = (): void => {
    this.#reveal('');
  };

  async #switchBranch(id: string, switchBranch: (id: string) => Promise<boolean>): Promise<void> {
    this.#errorCode = '';
    const isSwitched = await this.#host.attempt(switchBranch(id), ({ code }) => {
      if (id === this.#id) this.#errorCode = code;
    });
    // Meanwhile the notice was closed, or another thread or link was opened.
    if (id !== this.#id) return;
    if (isSwitched) this.#reveal(id);
    else this.render();
  }

  /** Moves the focus from the notice to the messages, because the focused button is about to be removed. */
  #moveFocus(): void {
    const root = this.#node.getRootNode() as ShadowRoot;
    if (!this.#node.contains(root.activeElement)) return;
    root.querySelector<HTMLElement>('.scroller')?.focus({ preventScroll: true });
  }
}
