import { apply } from '../model/apply.js';
import { EMPTY_ANSWER, type MessageFields } from '../model/message.js';
import type { PartTree } from '../model/part.js';
import { createStore } from '../model/store.js';
import { MessageView } from './message-view.js';
import type { ViewContext } from './part-view.js';

const KEY = 'alone';

/** A message that belongs to no conversation: shown from its content alone. Nothing in it is armed, whatever it says. */
export class StandaloneMessage {
  readonly #store = createStore();
  readonly #context: ViewContext;
  #view: MessageView | null = null;

  constructor(context: ViewContext) {
    this.#context = context;
  }

  /**
   * Shows parts: what stays the same stays as it is, longer texts grow. While it is `streaming`, more will come. Returns the
   * node, always the same one.
   */
  render(parts: readonly PartTree[], role: MessageFields['role'], streaming: boolean): HTMLElement {
    const status = streaming ? 'streaming' : 'complete';
    const value = { ...EMPTY_ANSWER, role: this.#view?.message.role ?? role, status } as const;
    const { applied: changes } = apply(this.#store, {
      thread: KEY,
      time: 0,
      changes: [
        { type: 'message', message: KEY, value },
        { type: 'content', message: KEY, parts },
      ],
    });
    const message = this.#store.threads.get(KEY)?.messages.get(KEY);
    if (!message) throw new Error('A message that was just made is gone.');
    if (this.#view) for (const change of changes) this.#view.apply(change, message);
    this.#view ??= new MessageView(message, this.#context);
    return this.#view.node;
  }

  /** Writes the words again, such as in another language. */
  redraw(): void {
    this.#view?.redraw();
  }
}
