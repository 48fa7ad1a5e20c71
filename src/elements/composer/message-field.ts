import { html, type TemplateResult } from 'lit';
import { EnterKey } from '../../dom/enter-key.js';
import { langOfContent } from '../../message/content-lang.js';
import { isSecretSchema } from '../../message/request/secret-schema.js';
import type { Key } from '../../model/json.js';
import type { PartOf } from '../../model/part.js';
import type { ConnectedHost } from '../base/connected-host.js';

/** Appends a text to a draft, after an empty line. */
export function appendParagraph(draft: string, text: string): string {
  return draft && text ? `${draft.trimEnd()}\n\n${text}` : draft || text;
}

/**
 * The text field of a composer: shows the draft of the controller and stores the typed text in it. Neither browsers nor password managers
 * autofill it.
 */
export class MessageField {
  readonly #host: ConnectedHost;
  readonly #onSend: () => void;
  readonly #enter = new EnterKey();
  /** Returns the question of the agent that the text answers. */
  readonly findQuestion: () => PartOf<'request-activity'> | undefined;
  /** The key of the question that the text answered at the last render, if it asks for a secret; else undefined. */
  #secret: Key | undefined;
  /** The text that was typed while there was no controller to store it; empty when it is stored or sent. */
  #unstored = '';
  /** The text of the draft that a secret answer hides. */
  #hiddenDraft = '';
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

  /** Whether the text is a secret answer, which is masked and not stored. The draft is hidden meanwhile. */
  get isMasked(): boolean {
    return this.#secret !== undefined;
  }

  /** Focuses the field without scrolling. */
  focus(): void {
    this.node?.focus({ preventScroll: true });
  }

  /** Discards a secret answer and shows the draft that the controller stores. If the question is still pending, the next render hides the draft. */
  showDraft(): void {
    this.#secret = undefined;
    this.#replace(this.#draft);
  }

  /** Shows the draft after it has changed. A secret answer stays unless the draft has got another text, which the host page has written. */
  updateDraft(): void {
    const draft = this.#draft;
    if (this.isMasked && (!draft || draft === this.#hiddenDraft)) return;
    this.#hiddenDraft = draft;
    this.#replace(draft);
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
    if (controller) controller.setDraft({ text, attachments });
    else this.#unstored = text;
  }

  /** Appends to the draft what was typed before the controller was connected, unless it was sent meanwhile. */
  async storeTyped(): Promise<void> {
    const { controller } = this.#host;
    const typed = this.#unstored;
    if (!controller || !typed) return;
    // The storage performs its calls in order, so the controller has read its stored draft when this call resolves.
    await controller.storage.get('');
    if (controller !== this.#host.controller || typed !== this.#unstored) return;
    this.forgetTyped(typed);
    const draft = controller.getDraft();
    controller.setDraft({ ...draft, text: appendParagraph(draft.text, typed) });
  }

  /** Called when a text is sent or stored, which may have been typed before the controller was connected. */
  forgetTyped(text: string): void {
    if (text === this.#unstored) this.#unstored = '';
  }

  /** Renders the field. */
  render(placeholder: string): TemplateResult {
    const { locale } = this.#host.context;
    const { key, schema } = this.findQuestion() ?? {};
    const secret = isSecretSchema(schema) ? key : undefined;
    if (secret !== this.#secret) {
      // Replaces the text in both directions: the draft is not an answer to the question, and the secret answer must not be shown, stored or sent
      // as a message after its question was closed.
      this.#secret = secret;
      this.#hiddenDraft = this.#draft;
      this.#replace(this.isMasked ? '' : this.#draft);
    }
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
      ?data-secret=${this.isMasked}
      placeholder=${placeholder}
      aria-label=${locale.text('composer')}
      aria-describedby="below"
      @input=${this.#handleInput}
      @keydown=${this.#handleKey}
      @beforeinput=${this.#handleKey}
      @compositionend=${this.#enter.handleCompositionEnd}
    ></textarea>`;
  }

  get #draft(): string {
    return this.#host.controller?.getDraft().text ?? '';
  }

  #replace(text: string): void {
    const { node } = this;
    if (!node || node.value === text) return;
    node.value = text;
    this.onReplace?.();
    this.#resize(node);
  }

  /** Adjusts the height to the text in browsers without `field-sizing`. */
  #resize(node: HTMLTextAreaElement): void {
    if (CSS.supports('field-sizing', 'content')) return;
    // `scrollHeight` is never less than the current height, so the height is reset first.
    node.style.height = 'auto';
    node.style.height = `${node.scrollHeight}px`;
  }

  #handleText(node: HTMLTextAreaElement): void {
    this.#resize(node);
    this.#host.requestUpdate();
    if (!this.isMasked) this.store(node.value);
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
