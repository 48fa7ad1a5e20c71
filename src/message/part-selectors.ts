import type { Key } from '../model/json.js';
import type { PartIndex } from '../model/message.js';

/** Returns the key of the last part at the top level, ignoring trailing checkpoints; empty if there is none. */
export function lastPartKey(parts: PartIndex): Key {
  const keys = parts.children(null);
  let at = keys.length - 1;
  while (parts.get(keys[at] ?? '')?.kind === 'checkpoint') at -= 1;
  return keys[at] ?? '';
}

/** Returns the key of the deepest last part: the last part, the last part inside it, and so on; empty if there is none. */
export function lastLeafKey(parts: PartIndex): Key {
  let leaf: Key = '';
  let next = parts.children(null).at(-1);
  while (next !== undefined) {
    leaf = next;
    next = parts.children(leaf).at(-1);
  }
  return leaf;
}

/** Kinds of the parts that are the work before an answer. */
const WORK: readonly (string | undefined)[] = ['step', 'tool', 'thinking'];

/** Returns the keys of the work directly below `parent`. */
export function workIn(parts: PartIndex, parent: Key | null): readonly Key[] {
  return parts.children(parent).filter((key) => WORK.includes(parts.get(key)?.kind));
}

/** Returns the number of UTF-16 units of all texts of a message. */
export function textLength(parts: PartIndex, parent: Key | null = null): number {
  let length = 0;
  for (const key of parts.children(parent)) {
    length += (parts.get(key)?.text?.length ?? 0) + textLength(parts, key);
  }
  return length;
}

/** Whether the last thing in a message is a text inside of the part with this key. That text is then the answer. */
export function endsWithTextIn(parts: PartIndex, key: Key): boolean {
  const last = parts.children(key).at(-1);
  return lastPartKey(parts) === key && parts.get(last ?? '')?.kind === 'text';
}
