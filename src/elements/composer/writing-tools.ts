import type { ReactiveController } from 'lit';
import { element } from '../../internal/element.js';
import { EnterKey } from '../../internal/enter-key.js';
import { writingWords } from '../../locales/en-writing.js';
import { addWords } from '../../locales/locale.js';
import { adoptSheets } from '../styles/styles.js';
import { EarlierQuestions } from './earlier-questions.js';
import { FollowUpList } from './follow-up-list.js';
import { KeyboardRoom } from './keyboard-room.js';
import { LengthCount } from './length-count.js';
import { LongPaste } from './long-paste.js';
import { SuggestionPopup } from './suggestion-popup.js';
import type { WritingAids } from './writing-aids.js';
import { writingStyles } from './writing-styles.js';

addWords(writingWords);

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

  constructor(aids: WritingAids) {
    const { host, field, files } = aids;
    const { renderRoot } = host.element;
    const desk = { host, field, say: this.#say };
    const above = element('div');
    adoptSheets(renderRoot, [writingStyles]);
    this.#status.role = 'status';
    this.#earlier = new EarlierQuestions(desk);
    this.#suggestions = new SuggestionPopup(desk);
    this.#length = new LengthCount(desk);
    this.#followUps = new FollowUpList(desk, above);
    this.#room = new KeyboardRoom(host.element);
    aids.refuse = (text) => this.#length.refuse(text);
    renderRoot.querySelector('.field')?.before(above);
    renderRoot.querySelector('.below')?.prepend(this.#length.node, this.#status);
    if (field.node) this.#watch(field.node, new LongPaste(desk, files));
  }

  hostConnected(): void {
    this.#room.start();
  }

  hostDisconnected(): void {
    this.#room.stop();
    this.#suggestions.close();
    this.#followUps.stop();
  }

  hostUpdated(): void {
    this.#length.update();
    this.#followUps.update();
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
    if (!this.#suggestions.takes(event) && !this.#earlier.takes(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
}
