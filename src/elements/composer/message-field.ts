import { html, type TemplateResult } from 'lit';
import { EnterKey } from '../../dom/enter-key.js';
import { langOfContent } from '../../message/content-lang.js';
import type { Json } from '../../model/json.js';
import type { PartOf } from '../../model/part.js';
import type { ConnectedHost } from '../base/connected-host.js';

/** Whether a JSON Schema marks a value as secret. */
function isSecretSchema(schema: Json | undefined): boolean {
  const { format, writeOnly } = Object(schema) as { format?: Json; writeOnly?: Json };
  return format === 'password' || writeOnly === true;
}

/** The text field of a composer: shows the draft of the controller and stores what is typed. Browsers do not autofill it. */
export class MessageField {
  readonly #host: ConnectedHost;
  readonly #onSend: () => void;
  readonly #enter = new EnterKey();
  /** Returns the question of the agent that the text answers. */
  readonly findQuestion: () => PartOf<'request-activity'> | undefined;
  /** Whether the text is masked and not stored: the question that it answered at the last render asks for a secret. */
  #isMasked = false;
  /** Called when the text was replaced without an event of the field. */
  onReplace: (() => void) | undefined;

  /**
   * `onSend` is called when Enter sends. `findQuestion` returns the question of the agent that the text answers; a secret answer is masked and
   * not stored.
   */
  constructor(
    host: ConnectedHost,
    onSend: () => void,
    findQuestion: () => PartOf<'request-activity'> | undefined,
  ) {
    this.#host = host;
    this.#onSend = onSend;
    this.findQuestion = findQuestion;
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

  /** Shows the draft that the controller stores. With `keepSecret`, a secret answer stays unless the draft has a text. */
  showDraft(keepSecret = false): void {
    const { node } = this;
    const { text } = this.#host.controller?.getDraft() ?? { text: '' };
    if (!node || node.value === text || (keepSecret && this.#isMasked && !text)) return;
    node.value = text;
    this.onReplace?.();
    this.#resize(node);
  }

  /** Replaces the text as if the user had typed it. */
  write(text: string): void {
    const { node } = this;
    if (!node) return;
    node.value = text;
    this.onReplace?.();
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
    const isSecret = isSecretSchema(this.findQuestion()?.schema);
    // A secret answer must not be shown, stored or sent as a message when its question was closed meanwhile.
    if (this.#isMasked && !isSecret) this.showDraft();
    this.#isMasked = isSecret;
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
      ?data-secret=${isSecret}
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
    if (!this.#isMasked) this.store(node.value);
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
