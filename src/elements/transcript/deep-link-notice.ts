import { html, nothing, render, type TemplateResult } from 'lit';
import { isUbikError } from '../../errors.js';
import { linkStrings } from '../../locales/en-links.js';
import { addDefaultStrings, type StringName } from '../../locales/locale.js';
import { explainCode } from '../../message/explain-error.js';
import { renderIcon } from '../../message/icons.js';
import { isRunning } from '../../message/thread-selectors.js';
import type { ConnectedHost } from '../base/connected-host.js';

addDefaultStrings(linkStrings);

/** Says where a message is that is not shown, and offers to switch to it. Nothing is switched by looking. */
export class DeepLinkNotice {
  readonly #host: ConnectedHost;
  readonly #node: HTMLElement;
  readonly #reveal: (id: string) => void;
  /** The message that is named, by the server's id. */
  #id: string | null = null;
  /** What is known of it; empty while it is looked for. */
  #messageName: StringName | '' = '';
  #errorCode = '';

  /** `reveal` brings a message into sight, by the server's id. */
  constructor(host: ConnectedHost, node: HTMLElement, reveal: (id: string) => void) {
    this.#host = host;
    this.#node = node;
    this.#reveal = reveal;
  }

  /** Looks for a message and says what is found. */
  open(id: string): void {
    this.#id = id;
    void this.#lookUp();
  }

  close(): void {
    this.#moveFocus();
    this.#id = null;
    this.draw();
  }

  draw(): void {
    render(this.#id === null ? nothing : this.#render(), this.#node);
  }

  async #lookUp(): Promise<void> {
    const id = this.#id;
    if (id === null) return;
    this.#messageName = '';
    this.#errorCode = '';
    this.draw();
    try {
      const words = await this.#findMessage(id);
      if (id === this.#id) this.#messageName = words;
    } catch (error) {
      if (!isUbikError(error)) throw error;
      if (id === this.#id) this.#errorCode = error.code;
    }
    this.draw();
  }

  /** What is read here is not kept: where in the tree it stands, only the branch tells. */
  async #findMessage(id: string): Promise<StringName> {
    const { backend, thread } = this.#host.controller ?? {};
    const held = [...(thread?.messages.values() ?? [])].some((message) => message.id === id);
    if (held) return 'linkOtherVersion';
    if (thread?.id == null || !this.#canSwitch || !backend?.loadMessage) return 'linkUnknown';
    try {
      await backend.loadMessage(thread.id, id);
      return 'linkOtherVersion';
    } catch (error) {
      if (isUbikError(error) && error.code === 'not-found') return 'linkNotFound';
      throw error;
    }
  }

  get #canSwitch(): boolean {
    return this.#host.context.actions.switchBranch !== undefined;
  }

  #render(): TemplateResult {
    const { context } = this.#host;
    const { locale } = context;
    const { text } = locale;
    const words = this.#errorCode
      ? explainCode(this.#errorCode, locale)
      : this.#messageName && text(this.#messageName);
    if (!words) return html``;
    return html`<p class="line">
      <span class="glyph">${renderIcon('alert')}</span>
      <span class="words" dir="auto">${words}</span>
      ${this.#renderButton()}
      <button class="quiet" type="button" @click=${this.#handleClose}>${text('close')}</button>
    </p>`;
  }

  #renderButton(): TemplateResult | typeof nothing {
    const { controller, context } = this.#host;
    const { locale } = context;
    const { text } = locale;
    if (!this.#messageName) {
      return html`<button class="quiet" type="button" @click=${() => void this.#lookUp()}>
        ${text('retry')}
      </button>`;
    }
    if (this.#messageName !== 'linkOtherVersion' || !this.#canSwitch) return nothing;
    const busy = isRunning(controller?.thread);
    const note = busy ? explainCode('busy', locale) : text('linkSwitches');
    return html`<button
      class="quiet"
      type="button"
      title=${note}
      aria-description=${note}
      aria-disabled=${busy}
      @click=${() => {
        if (!busy) void this.#switchBranch();
      }}
    >
      ${text('linkSwitch')}
    </button>`;
  }

  readonly #handleClose = (): void => {
    this.close();
  };

  async #switchBranch(): Promise<void> {
    const id = this.#id;
    const { switchBranch: navigate } = this.#host.context.actions;
    if (id === null || !navigate) return;
    this.#errorCode = '';
    try {
      if (await navigate(id)) this.#reveal(id);
    } catch (error) {
      if (!isUbikError(error)) throw error;
      if (error.code !== 'aborted') this.#errorCode = error.code;
      this.draw();
    }
  }

  /** The button is about to go, and the focus with it: the keyboard goes on at the messages. */
  #moveFocus(): void {
    const root = this.#node.getRootNode() as ShadowRoot;
    if (!this.#node.contains(root.activeElement)) return;
    root.querySelector<HTMLElement>('.scroller')?.focus({ preventScroll: true });
  }
}
