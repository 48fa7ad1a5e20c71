import type { Json, Key } from './json.js';
import type { Message, MessageFields } from './message.js';
import { PartStore } from './parts.js';
import { IDLE_RUN, type ListName, type Run, type Thread } from './thread.js';
import type { ThreadChange } from './change.js';

/** A message with its writable parts. */
interface StoredMessage extends Message {
  readonly parts: PartStore;
}

/** The state of a model: threads by key, and the list of threads. Written by `apply` only. */
export interface Store {
  readonly threads: Map<Key, StoredThread>;
  /** Entries of the list of threads, by key. */
  readonly threadList: Map<Key, Json>;
}

/** Creates an empty store. A thread is created by the first batch that names it, and stays until it is deleted from the map. */
export function createStore(): Store {
  return { threads: new Map(), threadList: new Map() };
}

/** The fields that a change may set. An allow-list, so that a change from another tab cannot overwrite a method. */
const SETTABLE_FIELDS = ['id', 'title', 'head'] as const;

/** The writable implementation of {@link Thread}, for `apply` only. */
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

  /** Sets the fields that a change lists. */
  setFields(change: ThreadChange): void {
    for (const name of SETTABLE_FIELDS) {
      if (change[name] !== undefined) Object.assign(this, { [name]: change[name] });
    }
    if (change.run) this.run = { ...this.run, ...change.run };
  }

  /** Adds a message, or replaces its fields and keeps its parts. */
  putMessage(key: Key, fields: MessageFields): void {
    const parts = this.messages.get(key)?.parts ?? new PartStore();
    this.messages.set(key, { ...fields, key, parts });
  }
}
