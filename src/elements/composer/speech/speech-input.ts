import { html, nothing, render } from 'lit';
import { element } from '../../../dom/element.js';
import { speechStrings } from '../../../locales/en-speech.js';
import { addDefaultStrings } from '../../../locales/locale.js';
import { renderIcon } from '../../../message/icons.js';
import type { ComposerContext } from '../tools/composer-context.js';
import type { findRecognition, Recognition, RecognitionResults } from './recognition.js';

addDefaultStrings(speechStrings);

const ERRORS = [
  'not-allowed',
  'audio-capture',
  'no-speech',
  'network',
  'language-not-supported',
] as const;

/** What is said is written into the field, as far as it is heard so far, until it is stopped, sent, or somebody types. */
export class SpeechInput {
  readonly #context: ComposerContext;
  readonly #find: typeof findRecognition;
  readonly #button = element('div', 'beside');
  readonly #failure = element('p', 'complaint');
  #recognition: Recognition | null = null;
  /** What stood before and behind the caret. */
  #around: readonly [string, string] = ['', ''];
  /** What has been written last. */
  #shown = '';
  #error = '';

  /** `find` gives what listens. */
  constructor(context: ComposerContext, find: typeof findRecognition) {
    this.#context = context;
    this.#find = find;
    this.#failure.role = 'alert';
    context.field.node?.after(this.#button);
    context.host.element.renderRoot.querySelector('.below')?.prepend(this.#failure);
  }

  /** Draws it as it is now. */
  update(): void {
    const { host } = this.#context;
    this.#leaveToTyping();
    const isOn = this.#recognition !== null;
    const words = host.context.locale.text(isOn ? 'dictateStop' : 'dictate');
    render(
      host.element.speech && this.#find()
        ? html`<button
            class="attach"
            type="button"
            part="dictate"
            title=${words}
            aria-pressed=${isOn ? 'true' : 'false'}
            @click=${this.#handleClick}
          >
            <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
              <path
                d="M8 2a2 2 0 0 0-2 2v4a2 2 0 0 0 4 0V4a2 2 0 0 0-2-2M3.5 8a4.5 4.5 0 0 0 9 0M8 12.5V14"
              />
            </svg>
          </button>`
        : nothing,
      this.#button,
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

  /** Whether a key ends it. */
  takes({ key }: KeyboardEvent): boolean {
    if (key !== 'Escape' || !this.#recognition) return false;
    this.#recognition.stop();
    return true;
  }

  /** Listens no longer; what comes late is dropped. */
  stop(): void {
    const recognition = this.#recognition;
    this.#recognition = null;
    recognition?.abort();
  }

  readonly #handleClick = (): void => {
    if (this.#recognition) this.#recognition.stop();
    else this.#start();
    this.update();
  };

  #start(): void {
    const { field, host, say } = this.#context;
    const { node } = field;
    const Recognizer = this.#find();
    if (!node || !Recognizer) return;
    const { value, selectionStart, selectionEnd } = node;
    this.#around = [value.slice(0, selectionStart), value.slice(selectionEnd)];
    this.#shown = value;
    this.#error = '';
    const recognition = new Recognizer();
    recognition.lang = host.context.locale.lang;
    recognition.continuous = true;
    recognition.interimResults = true;
    const hear =
      <Type extends keyof Recognition & `on${string}`>(
        act: (event: Parameters<NonNullable<Recognition[Type]>>[0]) => void,
      ) =>
      (event: Parameters<NonNullable<Recognition[Type]>>[0]): void => {
        if (recognition === this.#recognition) act(event);
      };
    recognition.onresult = hear<'onresult'>(({ results }) => {
      this.#write(results);
    });
    recognition.onerror = hear<'onerror'>(({ error }) => {
      // Not a failure: somebody has stopped it.
      if (error !== 'aborted') this.#fail(error);
    });
    recognition.onend = hear<'onend'>(() => {
      this.#recognition = null;
      say('');
      this.update();
    });
    this.#recognition = recognition;
    try {
      recognition.start();
      say(host.context.locale.text('listening'));
    } catch {
      // The browser says why by its own event, or not at all.
      this.#recognition = null;
      this.#fail('other');
    }
  }

  #write(results: RecognitionResults): void {
    if (this.#leaveToTyping()) return;
    const { field } = this.#context;
    const words = [...results].map(([best]) => best?.transcript ?? '').join('');
    const [before, behind] = this.#around;
    const gap = before === '' || /\s$/.test(before) || /^\s/.test(words) ? '' : ' ';
    const end = before + gap + words;
    this.#shown = end + (behind === '' || /^\s/.test(behind) ? '' : ' ') + behind;
    field.write(this.#shown);
    field.node?.setSelectionRange(end.length, end.length);
  }

  /** Ends it when the field has another text than it has written: somebody types, or the message was sent. */
  #leaveToTyping(): boolean {
    if (!this.#recognition || this.#context.field.text === this.#shown) return false;
    this.stop();
    this.#context.host.requestUpdate();
    return true;
  }

  #fail(error: string): void {
    this.#error = error === 'service-not-allowed' ? 'not-allowed' : error;
    this.update();
  }
}
