import { html, nothing, render, type TemplateResult } from 'lit';
import { element } from '../../internal/element.js';
import { renderIcon } from '../../parts/icons.js';
import type { ViewContext } from '../../parts/part-view.js';

/** How a composer stands; set by the element around it. */
export interface ComposerState {
  /** A run is on: the button stops it. */
  readonly running: boolean;
  /** The end was asked for and is awaited. */
  readonly stopping: boolean;
  /** Whether the service can be asked to stop. */
  readonly canStop: boolean;
  /** Nothing can be sent at all. */
  readonly disabled: boolean;
  /** The question that a text would answer; empty when there is none. */
  readonly question: string;
  /** Why the last message was not sent; empty when it was. */
  readonly error: string;
}

/** What a composer tells. */
export interface ComposerActs {
  /** The person wants to send this text. */
  send(text: string): void;
  stop(): void;
  /** The text has changed. */
  edit(text: string): void;
}

const START: ComposerState = {
  running: false,
  stopping: false,
  canStop: false,
  disabled: false,
  question: '',
  error: '',
};
/** How long after the end of a composition its Enter may still come, in ms of the event clock. */
const COMPOSITION_TAIL = 50;

/** The field for a message, with one button that sends or stops. */
export class ComposerView {
  readonly node = element('form', 'composer');
  readonly #context: ViewContext;
  readonly #acts: ComposerActs;
  readonly #field = element('textarea');
  readonly #button = element('button', 'send');
  readonly #below = element('div', 'below');
  #state = START;
  #composedAt = -Infinity;

  constructor(context: ViewContext, acts: ComposerActs) {
    this.#context = context;
    this.#acts = acts;
    const field = this.#field;
    field.rows = 1;
    field.dir = 'auto';
    field.enterKeyHint = 'send';
    field.part.add('input');
    this.#button.type = 'submit';
    this.#button.part.add('send');
    this.#below.id = context.createId();
    field.setAttribute('aria-describedby', this.#below.id);
    this.node.part.add('composer');
    this.node.append(element('div', 'field', field, this.#button), this.#below);
    field.addEventListener('input', this.#handleInput);
    field.addEventListener('keydown', this.#handleKey);
    field.addEventListener('compositionend', (event) => (this.#composedAt = event.timeStamp));
    this.node.addEventListener('submit', this.#handleSubmit);
    this.#button.addEventListener('click', this.#handleClick);
    this.#draw();
  }

  /** The text in the field. */
  get value(): string {
    return this.#field.value;
  }

  set value(text: string) {
    if (text === this.#field.value) return;
    this.#field.value = text;
    this.#fit();
    this.#draw();
  }

  /** Takes what has changed of its state. */
  set(state: Partial<ComposerState>): void {
    this.#state = { ...this.#state, ...state };
    this.#draw();
  }

  /** Writes the words again, such as in another language. */
  label(): void {
    this.#draw();
  }

  focus(): void {
    this.#field.focus({ preventScroll: true });
  }

  #draw(): void {
    const { locale } = this.#context;
    const { running, stopping, canStop, disabled, question } = this.#state;
    const field = this.#field;
    field.placeholder = locale.text(question ? 'placeholderWaiting' : 'placeholder');
    field.setAttribute('aria-label', locale.text('composer'));
    const stops = running && canStop;
    const idle = disabled || (stops ? stopping : running || !field.value.trim());
    const words = locale.text(stops ? (stopping ? 'stopping' : 'stop') : 'send');
    this.#button.setAttribute('aria-label', words);
    this.#button.title = words;
    // Not `disabled`: the button would lose the focus of someone who has just pressed it.
    this.#button.setAttribute('aria-disabled', String(idle));
    this.#button.dataset['act'] = stops ? 'stop' : 'send';
    render(renderIcon(stops ? 'stop' : 'send'), this.#button);
    render(this.#renderBelow(), this.#below);
  }

  #renderBelow(): TemplateResult {
    const { locale } = this.#context;
    const { question, error } = this.#state;
    return html`${
      error
        ? html`<p class="complaint" role="alert">
            ${renderIcon('alert')}<span>${locale.text('notSent', { reason: error })}</span>
          </p>`
        : nothing
    }
    ${
      question
        ? html`<p class="meta">${locale.text('answersRequest', { question })}</p>`
        : html`<p class="meta keys" dir="auto">${locale.text('hint')}</p>`
    }`;
  }

  readonly #handleInput = (): void => {
    this.#fit();
    this.#draw();
    this.#acts.edit(this.#field.value);
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey)
      return;
    if (this.#isComposing(event)) return;
    event.preventDefault();
    if (!event.repeat) this.#send();
  };

  /**
   * Whether a key belongs to an input method. Chromium and Firefox say so; Safari ends the composition first and marks the Enter
   * that ended it only by the key code 229.
   */
  #isComposing(event: KeyboardEvent): boolean {
    return (
      event.isComposing ||
      event.keyCode === 229 ||
      event.timeStamp - this.#composedAt < COMPOSITION_TAIL
    );
  }

  readonly #handleSubmit = (event: Event): void => {
    event.preventDefault();
  };

  readonly #handleClick = (event: MouseEvent): void => {
    event.preventDefault();
    if (this.#button.dataset['act'] === 'send') this.#send();
    // The second click of a double click on "send" is not meant for "stop".
    else if (event.detail < 2 && !this.#state.stopping) this.#acts.stop();
  };

  #send(): void {
    const text = this.#field.value;
    if (this.#state.running || this.#state.disabled || !text.trim()) return;
    this.#acts.send(text);
  }

  /** Where the style sheet cannot grow the field with its text, its height is set by hand. */
  #fit(): void {
    if (CSS.supports('field-sizing', 'content')) return;
    const { style } = this.#field;
    style.height = 'auto';
    style.height = `${this.#field.scrollHeight}px`;
  }
}
