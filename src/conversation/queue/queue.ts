import type { Draft } from '../../backends/backend.js';
import { toItem } from '../../model/change.js';
import type { Json, Key } from '../../model/json.js';
import type { Thread } from '../../model/thread.js';
import type { QueuedMessage } from '../controller-types.js';
import type { Conversation } from '../conversation.js';

/** One message of a queue, under its key. */
type Entry = readonly [Key, QueuedMessage];

/**
 * Messages that wait behind the runs of their threads. They stand in the thread's list `queue`, and under service and user, where
 * other tabs have theirs too.
 */
export class Queue {
  readonly #conversation: Conversation;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** The messages of a thread, the oldest first. */
  list(thread: Thread): Entry[] {
    return [...thread.list('queue')] as unknown as Entry[];
  }

  /** The message that is to be sent next: one that somebody wants now, else the oldest. */
  next(thread: Thread): Entry | undefined {
    const all = this.list(thread);
    return all.find(([, { now }]) => now) ?? all[0];
  }

  /** Changes one message, here and where it is stored; null: it goes. */
  set(thread: Thread, key: Key, message: QueuedMessage | null): void {
    this.#show(thread, key, message);
    this.#store(thread.id, key, message);
  }

  /**
   * Takes a message to send it, so that no other tab does. Null when another one has sent it, or is about to: then it goes here.
   * `wanted`: a person asks for it, who may know that the other tab is no more.
   */
  async claim(thread: Thread, [key, held]: Entry, wanted: boolean): Promise<QueuedMessage | null> {
    let found: QueuedMessage | undefined = held;
    this.#show(thread, key, { ...held, state: 'sending' });
    await this.#conversation.notes.change('queue', thread.id ?? '', (stored) => {
      const all = readStored(stored);
      if (stored !== null) found = all.find(([other]) => other === key)?.[1];
      if (found?.state === 'sending' && !wanted) found = undefined;
      const sending = found && ({ ...found, state: 'sending' } as const);
      return sending ? all.map((one): Entry => (one[0] === key ? [key, sending] : one)) : stored;
    });
    if (!found) this.#show(thread, key, null);
    return found ?? null;
  }

  /** Nothing of this is sent by itself any more; that of a thread which could not be made is the draft again. */
  hold(thread: Thread): void {
    const { creating, drafts } = this.#conversation;
    const isThread = thread.id !== null || creating.has(thread.key);
    for (const [key, message] of this.list(thread).reverse()) {
      if (!isThread) {
        this.set(thread, key, null);
        drafts.giveBack(null, draftOf(message));
      } else if (message.state === 'waiting') {
        this.set(thread, key, { ...message, state: 'held', now: false });
      }
    }
  }

  /** The new thread of a key has an id now: its messages are stored there. */
  settle(key: Key): void {
    const { notes, store } = this.#conversation;
    const thread = store.threads.get(key);
    const waiting = thread ? this.list(thread) : [];
    if (!thread || waiting.length === 0) return;
    notes.keep('queue', '', null);
    for (const [each, message] of waiting) this.#store(thread.id, each, message);
  }

  /**
   * Takes messages that were stored earlier. Those of a thread whose run is on go on waiting; others are sent when somebody asks
   * for it. One that was on its way, with the text of the question that `arrived` last, has been sent.
   */
  restore(thread: Thread, stored: unknown, arrived: string | null, isOn: boolean): void {
    for (const [key, message] of readStored(stored)) {
      const { state, text } = message;
      if (state === 'sending' && text.trim() === arrived) this.#store(thread.id, key, null);
      else if (!thread.list('queue').has(key)) {
        const waits = isOn && state === 'waiting';
        this.#show(thread, key, { ...message, state: waits ? state : 'held', now: false });
      }
    }
  }

  /** Takes what was stored for a thread that nobody has seen made: it is the draft. */
  restoreDraft(stored: unknown): void {
    for (const [key, message] of readStored(stored).reverse()) {
      this.#store(null, key, null);
      this.#conversation.drafts.giveBack(null, draftOf(message));
    }
  }

  #show(thread: Thread, key: Key, message: QueuedMessage | null): void {
    const value = message ? (message as unknown as Json) : undefined;
    this.#conversation.commit(thread.key, [toItem('queue', key, value)]);
  }

  /** Touches only the one message: another tab may have sent some that still stand here. */
  #store(id: string | null, key: Key, message: QueuedMessage | null): void {
    void this.#conversation.notes.change('queue', id ?? '', (stored) => {
      const all = readStored(stored);
      const at = all.findIndex(([other]) => other === key);
      if (message) all.splice(at < 0 ? all.length : at, at < 0 ? 0 : 1, [key, message]);
      else if (at >= 0) all.splice(at, 1);
      // Kept when it is empty: no note at all would say nothing about what another tab has sent.
      return all;
    });
  }
}

/** What is sent of a message. */
export function draftOf({ text, attachments }: Draft): Draft {
  return { text, attachments };
}

/** Reads stored messages, which are from an earlier version at worst. */
function readStored(stored: unknown): Entry[] {
  const entries = Array.isArray(stored) ? (stored as unknown[]) : [];
  return entries.filter((entry): entry is Entry => {
    const [key, message] = Array.isArray(entry) ? (entry as unknown[]) : [];
    const { text, attachments } = Object(message) as { [name in keyof QueuedMessage]?: unknown };
    return typeof key === 'string' && typeof text === 'string' && Array.isArray(attachments);
  });
}
