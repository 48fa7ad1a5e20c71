import type { Draft } from '../../backends/backend.js';
import { createItemChange } from '../../model/change.js';
import type { Json, Key } from '../../model/json.js';
import type { Message } from '../../model/message.js';
import type { Thread } from '../../model/thread.js';
import type { QueuedMessage } from '../controller-types.js';
import type { ControllerContext } from '../controller-context.js';
import { countQuestions, hasArrived } from './delivery.js';

/** One message of a queue, under its key. */
type Entry = readonly [Key, QueuedMessage];

/** A message as it is stored. `asked`: how many questions stood before it when it was sent. */
interface StoredMessage extends QueuedMessage {
  readonly asked?: number;
}

/**
 * Messages that wait behind the runs of their threads. They stand in the thread's list `queue`, and under service and user, where
 * other tabs have theirs too.
 */
export class Queue {
  readonly #conversation: ControllerContext;

  constructor(conversation: ControllerContext) {
    this.#conversation = conversation;
  }

  /** The messages of a thread, the oldest first. */
  list(thread: Thread): Entry[] {
    return [...thread.list('queue')] as unknown as Entry[];
  }

  /** The message that is to be sent next: one that somebody wants now, else the oldest. */
  next(thread: Thread): Entry | undefined {
    const all = this.list(thread);
    return all.find(([, message]) => message.next) ?? all[0];
  }

  /** Changes one message, here and where it is stored; null: it goes. */
  set(thread: Thread, key: Key, message: QueuedMessage | null): void {
    this.#show(thread, key, message);
    this.#store(thread.id, key, message);
  }

  /** Puts a message back before all others, here and where it is stored. */
  putFirst(thread: Thread, key: Key, message: QueuedMessage): void {
    const others = this.list(thread);
    for (const [each] of others) this.#show(thread, each, null);
    for (const [each, other] of [[key, message] as const, ...others])
      this.#show(thread, each, other);
    void this.#conversation.notes.change('queue', thread.id ?? '', (stored) => {
      const all = readStored(stored);
      all.delete(key);
      return [[key, message], ...all];
    });
  }

  /**
   * Takes a message to send it, so that no other tab does. Null when another one has sent it or taken it out, or is about to send it:
   * then it goes here. One of which nothing is stored is still to be sent: the storage was cleared.
   * `wanted`: a person asks for it, who may know that the other tab is no more.
   */
  async claim(thread: Thread, [key, held]: Entry, wanted: boolean): Promise<QueuedMessage | null> {
    let found: QueuedMessage | undefined = held;
    const asked = countQuestions(thread);
    this.#show(thread, key, { ...held, state: 'sending' });
    await this.#conversation.notes.change('queue', thread.id ?? '', (stored) => {
      const all = readStored(stored);
      const known = all.get(key);
      found = known === undefined ? held : (known ?? undefined);
      if (known?.state === 'sending' && !wanted) found = undefined;
      if (found) all.set(key, { ...found, state: 'sending', asked });
      return [...all];
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
        this.set(thread, key, { ...message, state: 'paused', next: false });
      }
    }
  }

  /** The new thread of a key has an id now: its messages are stored there. */
  settle(key: Key): void {
    const { notes, store } = this.#conversation;
    const thread = store.threads.get(key);
    const waiting = thread ? this.list(thread) : [];
    if (!thread || waiting.length === 0) return;
    for (const [each, message] of waiting) this.#store(thread.id, each, message);
    // Others may wait for another thread that is being made.
    const moved = new Set(waiting.map(([each]) => each));
    void notes.change('queue', '', (stored) =>
      [...readStored(stored)].filter(([each]) => !moved.has(each)),
    );
  }

  /**
   * Takes messages that were stored earlier. Those of a thread whose run is on go on waiting; others are sent when somebody asks
   * for it. One that was on its way and is among the `questions` has been sent.
   */
  restore(thread: Thread, stored: unknown, questions: readonly Message[], isOn: boolean): void {
    for (const [key, { asked, ...message }] of listWaiting(stored)) {
      const { state } = message;
      const isThere = state === 'sending' && hasArrived(message, asked, questions);
      if (isThere) this.#store(thread.id, key, null);
      else if (!thread.list('queue').has(key)) {
        const waits = isOn && state === 'waiting';
        this.#show(thread, key, { ...message, state: waits ? state : 'paused', next: false });
      }
    }
  }

  /** Takes what was stored for a thread that nobody has seen made: it is the draft. */
  restoreDraft(stored: unknown): void {
    for (const [key, message] of listWaiting(stored).reverse()) {
      this.#store(null, key, null);
      this.#conversation.drafts.giveBack(null, draftOf(message));
    }
  }

  #show(thread: Thread, key: Key, message: QueuedMessage | null): void {
    const value = message ? (message as unknown as Json) : undefined;
    this.#conversation.commit(thread.key, [createItemChange('queue', key, value)]);
  }

  /** Touches only the one message: another tab may have sent some that still stand here. */
  #store(id: string | null, key: Key, message: QueuedMessage | null): void {
    void this.#conversation.notes.change('queue', id ?? '', (stored) => {
      const all = readStored(stored);
      all.set(key, message);
      const gone = [...all].filter(([, each]) => each === null).slice(0, -MAX_GONE);
      for (const [each] of gone) all.delete(each);
      return [...all];
    });
  }
}

/** What is sent of a message. */
export function draftOf({ text, attachments }: Draft): Draft {
  return { text, attachments };
}

/** Messages that are stored as gone, of one thread: another tab needs to know of them as long as it shows them. */
const MAX_GONE = 100;

/** Reads what is stored of messages, which is from an earlier version at worst; null: it was sent or taken out. */
function readStored(stored: unknown): Map<Key, StoredMessage | null> {
  const entries = Array.isArray(stored) ? (stored as unknown[]) : [];
  return new Map(
    entries.filter((entry): entry is readonly [Key, StoredMessage | null] => {
      const [key, message] = Array.isArray(entry) ? (entry as unknown[]) : [];
      const { text, attachments } = Object(message) as { [name in keyof QueuedMessage]?: unknown };
      const isMessage = typeof text === 'string' && Array.isArray(attachments);
      return typeof key === 'string' && (message === null || isMessage);
    }),
  );
}

/** The stored messages that are not gone, the oldest first. */
function listWaiting(stored: unknown): (readonly [Key, StoredMessage])[] {
  return [...readStored(stored)].flatMap(([key, message]): (readonly [Key, StoredMessage])[] =>
    message ? [[key, message]] : [],
  );
}
