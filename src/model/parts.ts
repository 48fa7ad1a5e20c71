import type { Key } from './json.js';
import type { PartIndex } from './message.js';
import { ACTIVITY, type Part, type PartFields } from './part.js';
import { GrowingText } from './text.js';

/** One part and what hangs on it. The record is replaced when a field changes; the rest stays. */
interface Entry {
  part: Part;
  text: GrowingText | null;
  readonly children: Key[];
  version: number;
}

/** The parts of one message as `apply` writes them; readers get them as a {@link PartIndex}. */
export interface Parts extends PartIndex {
  /** Adds a part, or gives a part that is there new fields. False when `before` or `parent` is not where it should be. */
  put(key: Key, parent: Key | null, before: Key | null, fields: PartFields): boolean;
  /** Cuts a part's text to `at` and adds to it. False when there is no such part or `at` is behind the end. */
  write(key: Key, at: number, text: string): boolean;
  /** Drops a part with all that is in it. False when it is not there. */
  remove(key: Key): boolean;
}

/** No parts yet. */
export function createParts(): Parts {
  const entries = new Map<Key | null, Entry>();
  const roots = new Map<Key | null, Key[]>([
    [null, []],
    [ACTIVITY, []],
  ]);
  const childrenOf = (parent: Key | null) => entries.get(parent)?.children ?? roots.get(parent);
  const touch = (key: Key | null) => {
    for (let entry = entries.get(key); entry; entry = entries.get(entry.part.parent)) {
      entry.version += 1;
    }
    return true;
  };

  return {
    get size() {
      return entries.size;
    },
    get: (key) => entries.get(key)?.part,
    children: (parent) => childrenOf(parent) ?? [],
    version: (key) => entries.get(key)?.version ?? 0,
    put(key, parent, before, fields) {
      const known = entries.get(key);
      // Fields come from a discriminated union and keep their kind, which the type of a spread does not show.
      const part: Part = { ...fields, key, parent, text: known?.text ?? null };
      if (known) {
        if (known.part.parent !== parent) return false;
        known.part = part;
        return touch(key);
      }
      const siblings = childrenOf(parent);
      const at = before === null ? siblings?.length : siblings?.lastIndexOf(before);
      if (at === undefined || at < 0) return false;
      siblings?.splice(at, 0, key);
      entries.set(key, { part, text: null, children: [], version: 0 });
      return touch(key);
    },
    write(key, at, text) {
      const entry = entries.get(key);
      if (!entry || at < 0 || at > (entry.text?.length ?? 0)) return false;
      if (!entry.text) {
        entry.text = new GrowingText();
        entry.part = { ...entry.part, text: entry.text };
      }
      entry.text.cut(at);
      entry.text.append(text);
      return touch(key);
    },
    remove(key) {
      const entry = entries.get(key);
      if (!entry) return false;
      for (const child of [...entry.children]) this.remove(child);
      const { parent } = entry.part;
      const siblings = childrenOf(parent);
      siblings?.splice(siblings.lastIndexOf(key), 1);
      entries.delete(key);
      return touch(parent);
    },
  };
}
