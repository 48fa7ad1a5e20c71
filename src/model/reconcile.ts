import type { Change } from './change.js';
import { equalJson, type Json, type Key } from './json.js';
import type { Message } from './message.js';
import type { Part, PartTree } from './part.js';
import { fieldsOf, isContent } from './part-tree.js';

/**
 * The changes that turn the content of `message` into `parts`, and nothing more: what has the same key, kind and parent is kept;
 * equal text changes nothing, longer text is an append, other text is cut where it begins to differ. No changes means: equal.
 *
 * This is the one healing function: full contents, foreign replays, late events, resumed snapshots and reloads all come through
 * here. Costs the size of the content.
 */
export function reconcile(message: Message, parts: readonly PartTree[]): Change[] {
  const healing = new Healing(message);
  healing.removeGone(null, parts);
  healing.settle(null, parts);
  return healing.changes;
}

class Healing {
  readonly changes: Change[] = [];
  readonly #message: Message;
  readonly #removed = new Set<Key>();

  constructor(message: Message) {
    this.#message = message;
  }

  /** All removals come first: a key may come back under another parent. */
  removeGone(parent: Key | null, trees: readonly PartTree[]): void {
    const wanted = new Map(trees.map((tree) => [tree.key, tree]));
    const kept: Key[] = [];
    for (const key of this.#contentKeys(parent)) {
      const tree = wanted.get(key);
      if (tree && this.#message.parts.get(key)?.kind === tree.kind) kept.push(key);
      else this.#remove(key);
    }
    const places = new Map(trees.map((tree, index) => [tree.key, index]));
    const staying = longestRising(kept.map((key) => places.get(key) ?? 0));
    kept.forEach((key, index) => {
      const tree = wanted.get(key);
      if (!staying.has(index)) this.#remove(key);
      else if (tree) this.removeGone(key, tree.parts ?? []);
    });
  }

  /** Inserts what is new and mends what is kept, in order. */
  settle(parent: Key | null, trees: readonly PartTree[]): void {
    trees.forEach((tree, index) => {
      const part = this.#standing(tree.key, parent);
      if (part) this.#mend(part, tree);
      else this.#insert(parent, tree, this.#nextStanding(parent, trees, index));
      this.settle(tree.key, tree.parts ?? []);
    });
  }

  #contentKeys(parent: Key | null): Key[] {
    return this.#message.parts.children(parent).filter((key) => {
      const part = this.#message.parts.get(key);
      return part !== undefined && isContent(part);
    });
  }

  #remove(key: Key): void {
    this.#forget(key);
    this.changes.push({ do: 'remove', message: this.#message.key, part: key });
  }

  #forget(key: Key): void {
    this.#removed.add(key);
    for (const child of this.#message.parts.children(key)) this.#forget(child);
  }

  #standing(key: Key, parent: Key | null): Part | undefined {
    const part = this.#message.parts.get(key);
    return part && part.parent === parent && !this.#removed.has(key) ? part : undefined;
  }

  #nextStanding(parent: Key | null, trees: readonly PartTree[], index: number): Key | null {
    for (let next = index + 1; next < trees.length; next += 1) {
      const key = trees[next]?.key;
      if (key !== undefined && this.#standing(key, parent)) return key;
    }
    return null;
  }

  #insert(parent: Key | null, tree: PartTree, before: Key | null): void {
    const message = this.#message.key;
    this.changes.push({
      do: 'part',
      message,
      part: tree.key,
      parent,
      before,
      value: fieldsOf(tree),
    });
    if (tree.text)
      this.changes.push({ do: 'text', message, part: tree.key, at: 0, text: tree.text });
  }

  #mend(part: Part, tree: PartTree): void {
    const message = this.#message.key;
    const before = new Map<string, unknown>(Object.entries(fieldsOf(part)));
    const after = new Map<string, unknown>(Object.entries(fieldsOf(tree)));
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      if (equalJson(before.get(name), after.get(name))) continue;
      const value = after.get(name) as Json | undefined;
      this.changes.push(
        value === undefined
          ? { do: 'set', message, part: part.key, path: [name] }
          : { do: 'set', message, part: part.key, path: [name], value },
      );
    }
    this.#mendText(part, tree.text ?? '');
  }

  #mendText(part: Part, text: string): void {
    const shown = part.text?.read() ?? '';
    if (shown === text) return;
    const at = commonLength(shown, text);
    const { key: message } = this.#message;
    this.changes.push({ do: 'text', message, part: part.key, at, text: text.slice(at) });
  }
}

/** How many units two texts share from their beginning. */
function commonLength(left: string, right: string): number {
  const end = Math.min(left.length, right.length);
  let at = 0;
  while (at < end && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  return at;
}

/** Indexes of a longest rising run of numbers: what need not move when the rest does. */
function longestRising(numbers: readonly number[]): Set<number> {
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  numbers.forEach((value, index) => {
    const slot = firstNotBelow(ends, numbers, value);
    before[index] = slot > 0 ? ends[slot - 1] : undefined;
    ends[slot] = index;
  });
  const rising = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = before[at]) rising.add(at);
  return rising;
}

function firstNotBelow(ends: readonly number[], numbers: readonly number[], value: number): number {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const end = ends[middle];
    if (end !== undefined && (numbers[end] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
