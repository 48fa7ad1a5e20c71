import type { Key } from './json.js';
import type { PartIndex } from './message.js';
import { ACTIVITY, type Part, type PartFields } from './part.js';
import { GrowingText } from './text.js';

/** One part and what hangs on it. The record is replaced when a field changes; the rest stays. */
interface Entry {
  part: Part;
  text: GrowingText | null;
  readonly parent: Key | null;
  readonly children: Key[];
  version: number;
}

/** The parts of one message. Written by `apply` only; readers get it as a {@link PartIndex}. */
export class Parts implements PartIndex {
  readonly #entries = new Map<Key, Entry>();
  readonly #roots = new Map<Key | null, Key[]>();

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Part | undefined {
    return this.#entries.get(key)?.part;
  }

  children(parent: Key | null): readonly Key[] {
    return this.#childrenOf(parent) ?? [];
  }

  version(key: Key): number {
    return this.#entries.get(key)?.version ?? 0;
  }

  /** Adds a part, or gives a part that is there new fields. False when `before` or `parent` is not where it should be. */
  put(key: Key, parent: Key | null, before: Key | null, fields: PartFields): boolean {
    const known = this.#entries.get(key);
    if (known) {
      if (known.parent !== parent) return false;
      known.part = toPart(key, parent, known.text, fields);
      this.#touch(key);
      return true;
    }
    const siblings = this.#childrenOf(parent, true);
    if (!siblings || !insert(siblings, key, before)) return false;
    const part = toPart(key, parent, null, fields);
    this.#entries.set(key, { part, text: null, parent, children: [], version: 0 });
    this.#touch(key);
    return true;
  }

  /** Replaces the fields of a part. The caller made them from the part's own record. */
  replace(key: Key, fields: PartFields): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    entry.part = toPart(key, entry.parent, entry.text, fields);
    this.#touch(key);
  }

  /** Cuts a part's text to `at` and adds to it. False when there is no such part or `at` is behind the end. */
  write(key: Key, at: number, text: string): boolean {
    const entry = this.#entries.get(key);
    if (!entry || at < 0 || at > (entry.text?.length ?? 0)) return false;
    if (!entry.text) {
      entry.text = new GrowingText();
      entry.part = { ...entry.part, text: entry.text };
    }
    entry.text.cut(at);
    entry.text.append(text);
    this.#touch(key);
    return true;
  }

  /** Drops a part with all that is in it. False when it is not there. */
  remove(key: Key): boolean {
    const entry = this.#entries.get(key);
    if (!entry) return false;
    for (const child of [...entry.children]) this.remove(child);
    const siblings = this.#childrenOf(entry.parent);
    siblings?.splice(siblings.lastIndexOf(key), 1);
    this.#entries.delete(key);
    this.#touch(entry.parent);
    return true;
  }

  /** The keys in a container. Only the message itself and its reserved parents (`@…`) come into being by being asked for. */
  #childrenOf(parent: Key | null, create = false): Key[] | undefined {
    const entry = parent === null ? undefined : this.#entries.get(parent);
    if (entry) return entry.children;
    const known = this.#roots.get(parent);
    if (known || !create || !isRoot(parent)) return known;
    const roots: Key[] = [];
    this.#roots.set(parent, roots);
    return roots;
  }

  #touch(key: Key | null): void {
    for (let at = key; at !== null;) {
      const entry = this.#entries.get(at);
      if (!entry) return;
      entry.version += 1;
      at = entry.parent;
    }
  }
}

function isRoot(parent: Key | null): boolean {
  return parent === null || parent === ACTIVITY;
}

/** Fields come from a discriminated union and keep their kind, which the type of a spread does not show. */
function toPart(key: Key, parent: Key | null, text: GrowingText | null, fields: PartFields): Part {
  return { ...fields, key, parent, text };
}

function insert(siblings: Key[], key: Key, before: Key | null): boolean {
  if (before === null) {
    siblings.push(key);
    return true;
  }
  const at = siblings.lastIndexOf(before);
  if (at < 0) return false;
  siblings.splice(at, 0, key);
  return true;
}
