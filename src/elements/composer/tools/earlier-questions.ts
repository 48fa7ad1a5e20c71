import { visiblePath } from '../../../message/thread-selectors.js';
import type { ComposerContext } from './composer-context.js';

/** Questions of the conversation, to be had back by the arrow keys in an empty field, the newest first. */
export class EarlierQuestions {
  readonly #context: ComposerContext;
  /** How far back the one in the field is; 0: none of them is. */
  #back = 0;
  #shown = '';

  constructor(context: ComposerContext) {
    this.#context = context;
  }

  /** Whether a key is meant for them; then the field has another one. */
  takes({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
    const step = key === 'ArrowUp' ? 1 : key === 'ArrowDown' ? -1 : 0;
    if (!step || altKey || ctrlKey || metaKey || shiftKey || !this.#isAtRest()) return false;
    const { field } = this.#context;
    const back = this.#back + step;
    const question = back === 0 ? '' : this.#find(back);
    if (back < 0 || question === undefined) return false;
    this.#back = back;
    this.#shown = question;
    field.write(this.#shown);
    field.node?.setSelectionRange(this.#shown.length, this.#shown.length);
    return true;
  }

  /** Whether nothing is in the field but what came from here, with the caret where it was put. */
  #isAtRest(): boolean {
    const { text, node } = this.#context.field;
    if (text === '') this.#back = 0;
    const isOurs = this.#back > 0 && text === this.#shown;
    return text === '' || (isOurs && node?.selectionStart === text.length);
  }

  /** The question that stands so far back, 1 for the newest; one that was repeated counts once. */
  #find(back: number): string | undefined {
    const thread = this.#context.host.controller?.thread;
    const path = thread ? visiblePath(thread, thread.head) : [];
    let last = '';
    for (let at = path.length - 1, left = back; at >= 0; at -= 1) {
      const { role, parts } = path[at] ?? {};
      if (role !== 'user' || !parts) continue;
      const texts = parts.children(null).map((part) => parts.get(part)?.text?.read() ?? '');
      const text = texts.join('').trim();
      if (text === '' || text === last) continue;
      last = text;
      left -= 1;
      if (left === 0) return text;
    }
    return undefined;
  }
}
