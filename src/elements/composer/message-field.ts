import { html, type TemplateResult } from 'lit';
import { EnterKey } from '../../dom/enter-key.js';
import { langOfContent } from '../../message/content-lang.js';
import type { Json } from '../../model/json.js';
import type { ConnectedHost } from '../base/connected-host.js';

/** Whether the JSON Schema of a request marks the answer as secret. */
export function isSecret(schema: Json | undefined): boolean {
  const { format, writeOnly } = Object(schema) as { format?: Json; writeOnly?: Json };
  return format === 'password' || writeOnly === true;
}

/** The text field of a composer: shows the draft of the controller and stores what is typed. Browsers do not autofill it. */
export class MessageField {
  readonly #host: ConnectedHost;
  readonly #onSend: () => void;
  readonly #isSecret: () => boolean;
  readonly #enter = new EnterKey();

  /** `onSend` is called when Enter sends. While `isSecret` returns true, the text is masked and not stored. */
  constructor(host: ConnectedHost, onSend: () => void, isSecret: () => boolean) {
    this.#host = host;
    this.#onSend = onSend;
    this.#isSecret = isSecret;
  }

  /** The `<textarea>`; null before the first render. */
  get node(): HTMLTextAreaElement | null {
    return this.#host.element.renderRoot.querySelector('.field textarea');
  }

  /** The text in the field. */
  get text(): string {
    return this.node?.value ?? '';
  }

  /** Focuses the field without scrolling. */
  focus(): void {
    this.node?.focus({ preventScroll: true });
  }

  /** Shows the draft that the controller stores. */
  showDraft(): void {
    const { node } = this;
    const { text } = this.#host.controller?.getDraft() ?? { text: '' };
    if (!node || node.value === text) return;
    node.value = text;
    this.#resize(node);
  }

  /** Replaces the text as if the user had typed it. */
  write(text: string): void {
    const { node } = this;
    if (!node) return;
    node.value = text;
    this.#handleText(node);
  }

  /** Stores a text as the draft and keeps its attachments. */
  store(text: string): void {
    const { controller } = this.#host;
    const { attachments = [] } = controller?.getDraft() ?? {};
    controller?.setDraft({ text, attachments });
  }

  /** Renders the field. */
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
      data-1p-ignore
      data-bwignore
      data-lpignore="true"
      data-form-type="other"
      part="input"
      ?data-secret=${this.#isSecret()}
      placeholder=${placeholder}
      aria-label=${locale.text('composer')}
      aria-describedby="below"
      @input=${this.#handleInput}
      @keydown=${this.#handleKey}
      @compositionend=${this.#enter.handleCompositionEnd}
    ></textarea>`;
  }

  /** Adjusts the height to the text in browsers without `field-sizing`. */
  #resize(node: HTMLTextAreaElement): void {
    if (CSS.supports('field-sizing', 'content')) return;
    // `scrollHeight` is never less than the current height, so that is reset first.
    node.style.height = 'auto';
    node.style.height = `${node.scrollHeight}px`;
  }

  #handleText(node: HTMLTextAreaElement): void {
    this.#resize(node);
    this.#host.requestUpdate();
    if (!this.#isSecret()) this.store(node.value);
  }

  readonly #handleInput = ({ currentTarget }: Event): void => {
    this.#handleText(currentTarget as HTMLTextAreaElement);
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (!this.#enter.isSendKey(event)) return;
    event.preventDefault();
    if (!event.repeat) this.#onSend();
  };
}
