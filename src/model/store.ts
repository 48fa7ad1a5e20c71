import type { Json, Key } from './json.js';
import type { Message, MessageFields } from './message.js';
import { PartStore } from './parts.js';
import { IDLE_RUN, type ListName, type Run, type Thread } from './thread.js';
import type { ThreadChange } from './change.js';

/** A message with its writable parts. */
interface StoredMessage extends Message {
  readonly parts: PartStore;
}

/** All that is held: threads by key, and the list of threads. Live; written by `apply` only. */
export interface Store {
  readonly threads: Map<Key, StoredThread>;
  /** The list of threads, by key. */
  readonly threadList: Map<Key, Json>;
}

/** A store without threads. A thread comes into being with the first batch that names it, and is held until it is deleted. */
export function createStore(): Store {
  return { threads: new Map(), threadList: new Map() };
}

/** Fields that a change may name; no other, so that a change from elsewhere cannot overwrite a method. */
const SETTABLE_FIELDS = ['id', 'title', 'head'] as const;

/** The writable side of {@link Thread}: for `apply` alone. */
export class StoredThread implements Thread {
  readonly key: Key;
  id: string | null = null;
  title = '';
  head: Key | null = null;
  run: Run = IDLE_RUN;
  version = 0;
  readonly messages = new Map<Key, StoredMessage>();
  readonly #lists = new Map<ListName, Map<Key, Json>>();

  constructor(key: Key) {
    this.key = key;
  }

  list(name: ListName): Map<Key, Json> {
    const list = this.#lists.get(name) ?? new Map<Key, Json>();
    this.#lists.set(name, list);
    return list;
  }

  /** Takes the fields that a change names. */
  setFields(change: ThreadChange): void {
    for (const name of SETTABLE_FIELDS) {
      if (change[name] !== undefined) Object.assign(this, { [name]: change[name] });
    }
    if (change.run) this.run = { ...this.run, ...change.run };
  }

  /** Adds a message or gives it new fields. */
  putMessage(key: Key, fields: MessageFields): void {
    const parts = this.messages.get(key)?.parts ?? new PartStore();
    this.messages.set(key, { ...fields, key, parts });
  }
}
