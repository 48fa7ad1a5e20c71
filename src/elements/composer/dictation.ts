import { html, nothing, render } from 'lit';
import { element } from '../../dom/element.js';
import { speechStrings } from '../../locales/en-speech.js';
import { addDefaultStrings } from '../../locales/locale.js';
import { renderIcon } from '../../message/icons.js';
import type { ComposerContext } from './composer-context.js';
import type { findRecognition, Recognition, RecognitionResults } from './speech-recognition.js';

addDefaultStrings(speechStrings);

/** Error codes of the Web Speech API for which there is a sentence. All others have a common one. */
const ERRORS = [
  'not-allowed',
  'audio-capture',
  'no-speech',
  'network',
  'language-not-supported',
] as const;

/** Inserts recognized speech at the caret, including interim results, until it is stopped, the message is sent, or the user types. */
export class Dictation {
  readonly #context: ComposerContext;
  readonly #find: typeof findRecognition;
  readonly #buttonBox = element('div', 'beside');
  readonly #failure = element('p', 'error-text');
  /** Stops when the field is no longer shown, because the button that stops the dictation is then not shown either. */
  readonly #visibility = new ResizeObserver(([entry]) => {
    if (entry?.contentRect.width !== 0) return;
    this.stop();
    this.update();
  });
  #recognition: Recognition | null = null;
  /** The text before and after the selection when the dictation started. */
  #surroundings: readonly [string, string] = ['', ''];
  /** The text that was written to the field last. */
  #written = '';
  /** The code of the error that is shown; empty when there is none. */
  #error = '';

  /** `find` returns the browser's constructor of speech recognition; null or undefined when there is none. */
  constructor(context: ComposerContext, find: typeof findRecognition) {
    this.#context = context;
    this.#find = find;
    this.#failure.role = 'alert';
    context.field.node?.after(this.#buttonBox);
    context.host.element.renderRoot.querySelector('.below')?.prepend(this.#failure);
  }

  /** Renders the button and the error. Stops listening if the user has edited the text, or the host page has unset `speech`. */
  update(): void {
    const { host } = this.#context;
    if (!host.element.speech) this.stop();
    this.#stopIfEdited();
    const isListening = this.#recognition !== null;
    const label = host.context.locale.text(isListening ? 'dictateStop' : 'dictate');
    render(
      host.element.speech && this.#find()
        ? html`<button
            class="attach"
            type="button"
            part="dictate"
            title=${label}
            aria-pressed=${isListening ? 'true' : 'false'}
            @click=${this.#handleClick}
          >
            <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
              <path
                d="M8 2a2 2 0 0 0-2 2v4a2 2 0 0 0 4 0V4a2 2 0 0 0-2-2M3.5 8a4.5 4.5 0 0 0 9 0M8 12.5V14"
              />
            </svg>
          </button>`
        : nothing,
      this.#buttonBox,
    );
    const known = ERRORS.find((error) => error === this.#error) ?? 'other';
    render(
      this.#error
        ? html`${renderIcon('alert')}<span dir="auto"
              >${host.context.locale.text(`speech_${known}`)}</span
            >`
        : nothing,
      this.#failure,
    );
  }

  /** Stops on Escape. Returns whether the key was handled. */
  handleKey({ key }: KeyboardEvent): boolean {
    if (key !== 'Escape' || !this.#recognition) return false;
    this.#recognition.stop();
    return true;
  }

  /** Stops listening and discards later results. */
  stop(): void {
    const recognition = this.#recognition;
    this.#recognition = null;
    this.#visibility.disconnect();
    if (!recognition) return;
    recognition.abort();
    this.#context.announce('');
  }

  readonly #handleClick = (): void => {
    if (this.#recognition) this.#recognition.stop();
    else this.#start();
    this.update();
  };

  #start(): void {
    const { field, host, announce } = this.#context;
    const { node } = field;
    const Recognizer = this.#find();
    if (!node || !Recognizer) return;
    const { value, selectionStart, selectionEnd } = node;
    this.#surroundings = [value.slice(0, selectionStart), value.slice(selectionEnd)];
    this.#written = value;
    this.#error = '';
    const recognition = new Recognizer();
    recognition.lang = host.context.locale.lang;
    recognition.continuous = true;
    recognition.interimResults = true;
    // Ignores events that arrive after the recognition was stopped or replaced.
    const whileActive =
      <Type extends keyof Recognition & `on${string}`>(
        handler: (event: Parameters<NonNullable<Recognition[Type]>>[0]) => void,
      ) =>
      (event: Parameters<NonNullable<Recognition[Type]>>[0]): void => {
        if (recognition === this.#recognition) handler(event);
      };
    recognition.onresult = whileActive<'onresult'>(({ results }) => {
      this.#write(results);
    });
    recognition.onerror = whileActive<'onerror'>(({ error }) => {
      // Aborted by the user or the page, which is not an error.
      if (error !== 'aborted') this.#fail(error);
    });
    recognition.onend = whileActive<'onend'>(() => {
      this.#recognition = null;
      announce('');
      this.update();
    });
    this.#recognition = recognition;
    try {
      recognition.start();
      this.#visibility.observe(node);
      announce(host.context.locale.text('listening'));
    } catch {
      // The exception does not say why, and an error event that follows is ignored, so a general error is shown.
      this.#recognition = null;
      this.#fail('other');
    }
  }

  #write(results: RecognitionResults): void {
    if (this.#stopIfEdited()) return;
    const { field } = this.#context;
    const transcript = joinPhrases(results);
    const [before, after] = this.#surroundings;
    const gap = before === '' || /\s$/.test(before) || /^\s/.test(transcript) ? '' : ' ';
    const end = before + gap + transcript;
    this.#written = end + (after === '' || /^\s/.test(after) ? '' : ' ') + after;
    field.write(this.#written);
    field.node?.setSelectionRange(end.length, end.length);
  }

  /** Stops when the field has another text than the one written: the user is typing, or the message was sent. */
  #stopIfEdited(): boolean {
    if (!this.#recognition || this.#context.field.text === this.#written) return false;
    this.stop();
    return true;
  }

  #fail(error: string): void {
    this.#error = error === 'service-not-allowed' ? 'not-allowed' : error;
    this.update();
  }
}

/**
 * Joins the recognized phrases. Chrome on Android adds each interim result as another phrase: a final one with the confidence 0, which the next
 * one repeats with more or fewer words.
 */
function joinPhrases(results: RecognitionResults): string {
  const phrases: { readonly text: string; readonly isInterim: boolean }[] = [];
  const normalize = (text: string): string => text.trim().toLowerCase();
  for (const phrase of results) {
    const [{ transcript: text, confidence } = { transcript: '', confidence: 0 }] = phrase;
    if (text === '') continue;
    const { text: previous = '', isInterim = false } = phrases.at(-1) ?? {};
    const [next, last] = [normalize(text), normalize(previous)];
    const isRepeated = next.startsWith(last) || last.startsWith(next);
    if (isInterim && isRepeated) phrases.pop();
    phrases.push({ text, isInterim: phrase.isFinal && confidence === 0 });
  }
  return phrases.map(({ text }) => text).join('');
}
