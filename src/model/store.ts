import type { Json, Key } from './json.js';
import type { Message, MessageFields } from './message.js';
import { Parts } from './parts.js';
import { IDLE_RUN, type List, type Run, type Thread, type ThreadFields } from './thread.js';
import type { ThreadChange } from './change.js';

/** All that is held: threads by key, and the list of threads. Live; written by `apply` only. */
export interface Store {
  readonly threads: ReadonlyMap<Key, Thread>;
  /** The list of threads, by key. */
  readonly threadList: ReadonlyMap<Key, Json>;
}

/** A store without threads. A thread comes into being with the first batch that names it. */
export function createStore(): Store {
  return new ModelStore();
}

/** A message with its writable parts. */
export interface StoredEntry {
  message: Message;
  readonly parts: Parts;
}

/** The writable side of {@link Store}: for `apply` alone. */
export class ModelStore implements Store {
  readonly threads = new Map<Key, ModelThread>();
  readonly threadList = new Map<Key, Json>();

  /** The thread under a key, made when it is new. */
  thread(key: Key): ModelThread {
    const known = this.threads.get(key);
    if (known) return known;
    const thread = new ModelThread(key);
    this.threads.set(key, thread);
    return thread;
  }
}

/** The writable side of {@link Thread}: for `apply` alone. */
export class ModelThread implements Thread {
  readonly key: Key;
  id: string | null = null;
  title = '';
  head: Key | null = null;
  run: Run = IDLE_RUN;
  version = 0;
  readonly messages = new Map<Key, Message>();
  readonly #parts = new Map<Key, Parts>();
  readonly #lists = new Map<List, Map<Key, Json>>();

  constructor(key: Key) {
    this.key = key;
  }

  list(name: List): Map<Key, Json> {
    const known = this.#lists.get(name);
    if (known) return known;
    const list = new Map<Key, Json>();
    this.#lists.set(name, list);
    return list;
  }

  /** Writable parts of a message. */
  partsOf(message: Key): Parts | undefined {
    return this.#parts.get(message);
  }

  /** Takes the fields that a change names. */
  assign(change: ThreadChange): void {
    const { run, ...fields } = change;
    Object.assign(this, pickThreadFields(fields));
    if (run) this.run = { ...this.run, ...run };
  }

  /** Adds a message or gives it new fields. */
  putMessage(key: Key, fields: MessageFields): void {
    const parts = this.#parts.get(key) ?? new Parts();
    this.#parts.set(key, parts);
    this.messages.set(key, { ...fields, key, parts });
  }

  /** Drops a message. False when it is not there. */
  removeMessage(key: Key): boolean {
    this.#parts.delete(key);
    return this.messages.delete(key);
  }
}

/** Only these three, so that a change from elsewhere cannot overwrite a method. */
function pickThreadFields(
  fields: Partial<Omit<ThreadFields, 'run'>>,
): Partial<Omit<ThreadFields, 'run'>> {
  const picked: { id?: string | null; title?: string; head?: Key | null } = {};
  if (fields.id !== undefined) picked.id = fields.id;
  if (fields.title !== undefined) picked.title = fields.title;
  if (fields.head !== undefined) picked.head = fields.head;
  return picked;
}
