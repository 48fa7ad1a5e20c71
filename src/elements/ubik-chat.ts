import { html, LitElement, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { Backend, NewThread } from '../backends/backend.js';
import type { StreamController } from '../conversation/controller-types.js';
import { isUbikError } from '../errors.js';
import { onLocaleChange } from '../locales/locale.js';
import { ControllerProvider } from './connection/controller-context.js';
import { ChatFrame } from './views/chat-frame.js';
import { languageOf } from './views/view-context.js';
import { baseStyles } from './styles/base.js';
import { chatStyles, composerStyles, transcriptStyles } from './styles/chat.js';
import { messageStyles } from './styles/message.js';
import { partStyles } from './styles/parts.js';

/** What a service asks the page for: who is this? `rejected`: the last token was refused, a new one is needed. */
export type GetToken = (ask: {
  readonly reason: 'connect' | 'rejected';
}) => string | Promise<string>;

/**
 * A whole conversation with an agent.
 *
 * @tagname ubik-chat
 */
export class UbikChat extends LitElement {
  static override styles = [
    baseStyles,
    messageStyles,
    partStyles,
    transcriptStyles,
    composerStyles,
    chatStyles,
  ];

  /** The conversation to show, made by the page; then nothing else about the service is read. */
  @property({ attribute: false }) controller: StreamController | null = null;
  /** The service, made by the page. */
  @property({ attribute: false }) backend: Backend | null = null;
  /** Options of the service for threads that the first message makes. */
  @property({ attribute: false }) newThread: NewThread | null = null;
  @property({ attribute: false }) getToken: GetToken | null = null;
  /** What stands above an empty conversation. */
  @property() greeting = '';
  /** Questions that an empty conversation offers. */
  @property({ attribute: false }) starters: readonly string[] = [];
  /** Whether technical details of errors may be shown. */
  @property({ type: Boolean, attribute: 'error-details' }) errorDetails = false;

  readonly #provider = new ControllerProvider(this);
  #frame: ChatFrame | null = null;
  #forget: (() => void) | null = null;
  #lang = '';

  override connectedCallback(): void {
    super.connectedCallback();
    this.#lang = languageOf(this);
    this.#frame ??= this.#createFrame();
    this.#frame.context.clock.run(true);
    this.#frame.transcript.run(true);
    this.#forget = onLocaleChange(() => this.#frame?.label());
    queueMicrotask(() => {
      this.#start();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#forget?.();
    this.#frame?.context.clock.run(false);
    this.#frame?.transcript.run(false);
    this.#frame?.disconnect();
  }

  protected override firstUpdated(): void {
    const root = this.renderRoot.querySelector<HTMLElement>('.ubik');
    if (root) this.#frame?.listen(root);
  }

  protected override render(): TemplateResult {
    const frame = this.#frame;
    return html`<div class="ubik" part="base">
      ${frame?.transcript.node} ${frame?.status.node} ${frame?.composer.node}
      ${frame?.announcer.node}
    </div>`;
  }

  #start(): void {
    const { controller } = this;
    if (!this.isConnected || !controller || this.#frame?.session?.controller === controller) return;
    this.#frame?.connect(controller);
    this.#provider.provide(controller);
    void this.#welcome(controller);
  }

  async #welcome(controller: StreamController): Promise<void> {
    try {
      this.#frame?.welcome(await controller.onboarding());
    } catch (error) {
      // A greeting is not worth a complaint; ours is shown.
      if (!isUbikError(error)) throw error;
    }
  }

  #createFrame(): ChatFrame {
    return new ChatFrame({
      host: this,
      lang: () => this.#lang,
      errorDetails: () => this.errorDetails,
      welcome: () => ({
        ...(this.greeting ? { greeting: this.greeting } : {}),
        starters: this.starters,
      }),
      reload: () => undefined,
    });
  }
}
