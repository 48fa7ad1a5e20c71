import { apply } from '../model/apply.js';
import { EMPTY_ANSWER, type MessageFields } from '../model/message.js';
import type { PartTree } from '../model/part.js';
import { createStore } from '../model/store.js';
import { MessageView } from './message-view.js';
import type { ViewContext } from './part-view.js';

/** Key of the only thread and of its only message. */
const KEY = 'standalone';

/** Renders a message outside a thread from its content only. Its input requests cannot be answered. */
export class StandaloneMessage {
  readonly #store = createStore();
  readonly #context: ViewContext;
  #view: MessageView | null = null;

  constructor(context: ViewContext) {
    this.#context = context;
  }

  /**
   * Renders parts and returns the element, which is always the same one. Later calls reconcile: equal parts do not change, and longer texts
   * are appended to. While `streaming`, the message counts as incomplete.
   */
  render(parts: readonly PartTree[], role: MessageFields['role'], streaming: boolean): HTMLElement {
    const status = streaming ? 'streaming' : 'complete';
    const value = { ...EMPTY_ANSWER, role: this.#view?.message.role ?? role, status } as const;
    const { applied } = apply(this.#store, {
      thread: KEY,
      time: 0,
      changes: [
        { type: 'message', message: KEY, value },
        { type: 'content', message: KEY, parts },
      ],
    });
    const message = this.#store.threads.get(KEY)?.messages.get(KEY);
    if (!message) throw new Error('The message that was just applied is missing.');
    if (this.#view) for (const change of applied) this.#view.apply(change, message);
    this.#view ??= new MessageView(message, this.#context);
    return this.#view.node;
  }

  /** Renders everything again after the language or the policy of the host page has changed. */
  redraw(): void {
    this.#view?.redraw();
  }
}
