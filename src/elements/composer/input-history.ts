import { normalizeLineEnds } from '../../controller/messages/message-text.js';
import { shownBranch } from '../../message/thread-selectors.js';
import type { ComposerContext } from './composer-context.js';

/** Recalls the user's earlier messages of the thread with the arrow keys in an empty field, newest first, as in a shell. */
export class InputHistory {
  readonly #context: ComposerContext;
  /** Position of the recalled message, 1 for the newest; 0 when none was recalled. */
  #position = 0;
  /** The text of the recalled message. */
  #recalled = '';

  constructor(context: ComposerContext) {
    this.#context = context;
  }

  /** Recalls a message for an arrow key. Returns whether the key was handled. */
  handleKey({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
    const step = key === 'ArrowUp' ? 1 : key === 'ArrowDown' ? -1 : 0;
    if (!step || altKey || ctrlKey || metaKey || shiftKey) return false;
    return this.#recall(step);
  }

  /** Recalls the newest message, if the field is empty. */
  recallLast(): void {
    this.#recall(1);
  }

  /** Recalls an earlier or a later message. Returns false when there is none. */
  #recall(step: number): boolean {
    const { field } = this.#context;
    if (field.text === '') this.#position = 0;
    if (!this.#canRecall()) return false;
    const position = this.#position + step;
    const text = position === 0 ? '' : this.#find(position);
    if (text === undefined) return false;
    this.#position = position;
    this.#recalled = text;
    field.write(text);
    field.node?.setSelectionRange(text.length, text.length);
    return true;
  }

  /** Whether the field is empty, or contains an unedited recalled message with the caret at its end. */
  #canRecall(): boolean {
    const { text, node } = this.#context.field;
    const isRecalled = this.#position > 0 && text === this.#recalled;
    return text === '' || (isRecalled && node?.selectionStart === text.length);
  }

  /** Returns the text of the message at a position. Equal messages in succession count once. */
  #find(position: number): string | undefined {
    const thread = this.#context.host.controller?.thread;
    const path = thread ? shownBranch(thread, thread.head) : [];
    let last = '';
    let left = position;
    for (const { role, parts } of [...path].reverse()) {
      if (role !== 'user') continue;
      const texts = parts.children(null).map((part) => parts.get(part)?.text?.read() ?? '');
      const text = normalizeLineEnds(texts.join('').trim());
      if (text === '' || text === last) continue;
      last = text;
      left -= 1;
      if (left === 0) return text;
    }
    return undefined;
  }
}
