import { shownPath } from '../../parts/thread-path.js';
import type { Desk } from './desk.js';

/** Questions of the conversation, to be had back by the arrow keys in an empty field, the newest first. */
export class EarlierQuestions {
  readonly #desk: Desk;
  /** How far back the one in the field is; 0: none of them is. */
  #back = 0;
  #shown = '';

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  /** Whether a key is meant for them; then the field has another one. */
  takes({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
    const step = key === 'ArrowUp' ? 1 : key === 'ArrowDown' ? -1 : 0;
    if (!step || altKey || ctrlKey || metaKey || shiftKey || !this.#isAtRest()) return false;
    const { field } = this.#desk;
    const questions = this.#questions();
    const back = this.#back + step;
    if (back < 0 || back > questions.length) return false;
    this.#back = back;
    this.#shown = questions.at(-back) ?? '';
    if (back === 0) this.#shown = '';
    field.write(this.#shown);
    field.node?.setSelectionRange(this.#shown.length, this.#shown.length);
    return true;
  }

  /** Whether nothing is in the field but what came from here, with the caret where it was put. */
  #isAtRest(): boolean {
    const { text, node } = this.#desk.field;
    if (text === '') this.#back = 0;
    const isOurs = this.#back > 0 && text === this.#shown;
    return text === '' || (isOurs && node?.selectionStart === text.length);
  }

  /** The oldest first; one that was repeated counts once. */
  #questions(): readonly string[] {
    const thread = this.#desk.host.conversation?.thread;
    if (!thread) return [];
    return shownPath(thread, thread.head)
      .filter(({ role }) => role === 'user')
      .map(({ parts }) => {
        const texts = parts.children(null).map((part) => parts.get(part)?.text?.read() ?? '');
        return texts.join('').trim();
      })
      .filter((text, at, all) => text !== '' && text !== all[at + 1]);
  }
}
