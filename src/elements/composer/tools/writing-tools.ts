import type { ReactiveController } from 'lit';
import { element } from '../../../dom/element.js';
import { EnterKey } from '../../../dom/enter-key.js';
import { composerStrings } from '../../../locales/en-composer.js';
import { addDefaultStrings } from '../../../locales/locale.js';
import { createLazyModule } from '../../../message/create-lazy-module.js';
import { adoptSheets } from '../../styles/styles.js';
import type { ComposerContext } from './composer-context.js';
import { EarlierQuestions } from './earlier-questions.js';
import { FollowUpList } from './follow-up-list.js';
import { KeyboardRoom } from './keyboard-room.js';
import { LengthCount } from './length-count.js';
import { LongPaste } from './long-paste.js';
import { findRecognition } from '../speech/recognition.js';
import type { SpeechInput } from '../speech/speech-input.js';
import { SuggestionPopup } from '../suggestions/suggestion-popup.js';
import type { WritingAids } from '../writing-aids.js';
import { writingStyles } from './writing-styles.js';

addDefaultStrings(composerStrings);

/** What dictates. */
export const deferredSpeech = createLazyModule(() => import('../speech/speech-input.js'));

/** Keeps managers of passwords from filling in the field, each by what it knows. */
const IGNORED = [
  ['data-1p-ignore', ''],
  ['data-bwignore', ''],
  ['data-lpignore', 'true'],
  ['data-form-type', 'other'],
] as const;

/** What helps somebody who writes: one file, fetched when somebody begins to. */
export class WritingTools implements ReactiveController {
  readonly #status = element('p', 'hidden');
  readonly #enter = new EnterKey();
  readonly #earlier: EarlierQuestions;
  readonly #suggestions: SuggestionPopup;
  readonly #length: LengthCount;
  readonly #followUps: FollowUpList;
  readonly #room: KeyboardRoom;
  readonly #context: ComposerContext;
  #speech: SpeechInput | undefined;

  constructor(aids: WritingAids) {
    const { host, field, files } = aids;
    const { renderRoot } = host.element;
    const context = (this.#context = { host, field, say: this.#say });
    const above = element('div');
    adoptSheets(renderRoot, [writingStyles]);
    this.#status.role = 'status';
    this.#earlier = new EarlierQuestions(context);
    this.#suggestions = new SuggestionPopup(context);
    this.#length = new LengthCount(context);
    this.#followUps = new FollowUpList(context, above);
    this.#room = new KeyboardRoom(host.element);
    aids.refuse = (text) => this.#length.refuse(text);
    renderRoot.querySelector('.field')?.before(above);
    renderRoot.querySelector('.below')?.prepend(this.#length.node, this.#status);
    if (field.node) this.#watch(field.node, new LongPaste(context, files));
  }

  hostConnected(): void {
    this.#room.start();
  }

  hostDisconnected(): void {
    this.#room.stop();
    this.#suggestions.close();
    this.#followUps.stop();
    this.#speech?.stop();
  }

  hostUpdated(): void {
    this.#length.update();
    this.#followUps.update();
    if (this.#speech) this.#speech.update();
    else if (this.#context.host.element.speech && findRecognition()) this.#listen();
  }

  #listen(): void {
    deferredSpeech.load().then(({ SpeechInput }) => {
      this.#speech ??= new SpeechInput(this.#context, findRecognition);
      this.#speech.update();
    }, this.#context.host.context.report);
  }

  #watch(node: HTMLTextAreaElement, paste: LongPaste): void {
    for (const [name, value] of IGNORED) node.setAttribute(name, value);
    // Before the field's own listeners: a key that is taken here does not send.
    node.addEventListener('keydown', this.#handleKey, true);
    node.addEventListener('keydown', paste.handleKey);
    node.addEventListener('paste', paste.handlePaste);
    node.addEventListener('compositionend', this.#enter.composed);
    for (const type of ['input', 'compositionend', 'click', 'keyup', 'blur'] as const) {
      node.addEventListener(type, this.#suggestions.look);
    }
  }

  readonly #say = (words: string): void => {
    this.#status.textContent = words;
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    if (this.#enter.isComposing(event)) return;
    const takers = [this.#suggestions, this.#earlier, this.#speech];
    if (!takers.some((one) => one?.takes(event))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
}
