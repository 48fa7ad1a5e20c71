import type { Json, Key } from './json.js';
import type { Message, MessageFields, PartIndex } from './message.js';
import { IDLE_RUN, type ListName, type Run, type Thread } from './thread.js';
import type { ThreadChange } from './change.js';
import { ACTIVITY, type Part, type PartFields } from './part.js';
import { GrowingText } from './text.js';

/** A message with its writable parts. */
interface WritableMessage extends Message {
  readonly parts: PartStore;
}

/** The state of a model: threads by key, and the list of threads. Written by `apply` only; the controller removes threads that it has closed. */
export interface Store {
  readonly threads: Map<Key, WritableThread>;
  /** Entries of the list of threads, by key. */
  readonly threadList: Map<Key, Json>;
}

/** Creates an empty store. A thread is created by the first batch for it, and remains until it is deleted from the map. */
export function createStore(): Store {
  return { threads: new Map(), threadList: new Map() };
}

/** The fields that a change can set, besides the run. An allow-list, so that a change from another tab cannot overwrite a method. */
const SETTABLE_FIELDS = ['id', 'title', 'head'] as const;

/** The writable implementation of {@link Thread}, for `apply` only. */
export class WritableThread implements Thread {
  readonly key: Key;
  id: string | null = null;
  title = '';
  head: Key | null = null;
  run: Run = IDLE_RUN;
  revision = 0;
  readonly messages = new Map<Key, WritableMessage>();
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

/** A part and its writable text. The part is replaced when a field changes; the text object stays. */
interface Entry {
  part: Part;
  text: GrowingText | null;
  revision: number;
}

/** The writable parts of a message, for `apply` only. Readers access them as a {@link PartIndex}. */
class PartStore implements PartIndex {
  readonly #entries = new Map<Key | null, Entry>();
  readonly #children = new Map<Key | null, Key[]>([
    [null, []],
    [ACTIVITY, []],
  ]);
  /** Number of changes so far. Revisions are taken from it, so that a part that is added again does not restart at 0. */
  #changeCount = 0;
  /** The change count at the last removal: the revision of every part that does not exist. */
  #lastRemoval = 0;

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Part | undefined {
    return this.#entries.get(key)?.part;
  }

  children(parent: Key | null): readonly Key[] {
    return this.#children.get(parent) ?? [];
  }

  revision(key: Key): number {
    return this.#entries.get(key)?.revision ?? this.#lastRemoval;
  }

  /**
   * Adds a part in front of `before` (null: at the end). If the part exists, its fields are replaced: it keeps its place, and `before` is
   * ignored. Returns false for an unknown `before` or `parent` of a new part, and for another `parent` of an existing one.
   */
  put(key: Key, parent: Key | null, before: Key | null, fields: PartFields): boolean {
    const known = this.#entries.get(key);
    const part: Part = { ...fields, key, parent, text: known?.text ?? null };
    if (known) {
      if (known.part.parent !== parent) return false;
      known.part = part;
      return this.#bumpRevisions(key);
    }
    const siblings = this.#children.get(parent);
    const at = before === null ? siblings?.length : siblings?.lastIndexOf(before);
    if (at === undefined || at < 0) return false;
    siblings?.splice(at, 0, key);
    this.#children.set(key, []);
    this.#entries.set(key, { part, text: null, revision: 0 });
    return this.#bumpRevisions(key);
  }

  /** Truncates the text of a part to `at` and appends to it. Returns false for an unknown part and for `at` beyond the end. */
  writeText(key: Key, at: number, text: string): boolean {
    const entry = this.#entries.get(key);
    if (!entry || at < 0 || at > (entry.text?.length ?? 0)) return false;
    if (!entry.text) {
      entry.text = new GrowingText();
      entry.part = { ...entry.part, text: entry.text };
    }
    entry.text.truncate(at);
    entry.text.append(text);
    return this.#bumpRevisions(key);
  }

  /** Removes a part with its descendants. Returns false for an unknown part. */
  remove(key: Key): boolean {
    const entry = this.#entries.get(key);
    if (!entry) return false;
    const { parent } = entry.part;
    const siblings = this.#children.get(parent);
    siblings?.splice(siblings.lastIndexOf(key), 1);
    this.#delete(key);
    this.#bumpRevisions(parent);
    this.#lastRemoval = this.#changeCount;
    return true;
  }

  #delete(key: Key): void {
    for (const child of this.children(key)) this.#delete(child);
    this.#children.delete(key);
    this.#entries.delete(key);
  }

  #bumpRevisions(key: Key | null): boolean {
    this.#changeCount += 1;
    for (let at = this.#entries.get(key); at; at = this.#entries.get(at.part.parent)) {
      at.revision = this.#changeCount;
    }
    return true;
  }
}
