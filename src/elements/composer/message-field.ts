import { html, type TemplateResult } from 'lit';
import type { Draft } from '../../backends/backend.js';
import type { StreamController } from '../../controller/controller-types.js';
import { EnterKey } from '../../dom/enter-key.js';
import { langOfContent } from '../../message/content-lang.js';
import type { ConnectedHost } from '../base/connected-host.js';

/**
 * A text with what goes along with it. What is sent without having been written, such as a question to begin with, takes no file
 * along.
 */
export function draftOf(controller: StreamController | null, text: string): Draft {
  const written = controller?.draft();
  return { text, attachments: written?.text === text ? written.attachments : [] };
}

/** The field in which a message is written, which neither browsers nor managers of passwords fill in: shows the draft of the conversation, and keeps it. */
export class MessageField {
  readonly #host: ConnectedHost;
  readonly #send: () => void;
  readonly #isSecret: () => boolean;
  readonly #enter = new EnterKey();

  /** `send` is called when Enter asks for it. What is written while `isSecret` says so is neither shown nor kept. */
  constructor(host: ConnectedHost, send: () => void, isSecret: () => boolean) {
    this.#host = host;
    this.#send = send;
    this.#isSecret = isSecret;
  }

  /** The field itself; null before it is first drawn. */
  get node(): HTMLTextAreaElement | null {
    return this.#host.element.renderRoot.querySelector('.field textarea');
  }

  /** What is written. */
  get text(): string {
    return this.node?.value ?? '';
  }

  /** Puts the focus into the field. */
  focus(): void {
    this.node?.focus({ preventScroll: true });
  }

  /** Shows what the conversation has kept. */
  showDraft(): void {
    const { node } = this;
    const { text } = this.#host.controller?.draft() ?? { text: '' };
    if (!node || node.value === text) return;
    node.value = text;
    this.#fit(node);
  }

  /** Has another text in it, as if somebody had written it. */
  write(text: string): void {
    const { node } = this;
    if (!node) return;
    node.value = text;
    this.#take(node);
  }

  /** Keeps another text; what goes with it stays. */
  keep(text: string): void {
    const { controller } = this.#host;
    const { attachments = [] } = controller?.draft() ?? {};
    controller?.setDraft({ text, attachments });
  }

  /** The field; `placeholder` stands in it while it is empty. */
  render(placeholder: string): TemplateResult {
    const { locale } = this.#host.context;
    return html`<textarea
      rows="1"
      dir="auto"
      lang=${langOfContent(locale)}
      enterkeyhint="send"
      autocomplete="off"
      autocapitalize="sentences"
      spellcheck="true"
      part="input"
      ?data-secret=${this.#isSecret()}
      placeholder=${placeholder}
      aria-label=${locale.text('composer')}
      aria-describedby="below"
      @input=${this.#handleInput}
      @keydown=${this.#handleKey}
      @compositionend=${this.#enter.composed}
    ></textarea>`;
  }

  /** Where the style sheet cannot grow the field with its text, its height is set by hand. */
  #fit(node: HTMLTextAreaElement): void {
    if (CSS.supports('field-sizing', 'content')) return;
    node.style.height = 'auto';
    node.style.height = `${node.scrollHeight}px`;
  }

  #take(node: HTMLTextAreaElement): void {
    this.#fit(node);
    this.#host.requestUpdate();
    if (!this.#isSecret()) this.keep(node.value);
  }

  readonly #handleInput = ({ currentTarget }: Event): void => {
    this.#take(currentTarget as HTMLTextAreaElement);
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (!this.#enter.sends(event)) return;
    event.preventDefault();
    if (!event.repeat) this.#send();
  };
}
