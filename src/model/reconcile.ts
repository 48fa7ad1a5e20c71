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
  const { key: name, parts: shown } = message;
  const changes: Change[] = [];
  const removed = new Set<Key>();

  const forget = (key: Key) => {
    removed.add(key);
    shown.children(key).forEach(forget);
  };
  const remove = (key: Key) => {
    forget(key);
    changes.push({ do: 'remove', message: name, part: key });
  };
  /** All removals come first: a key may come back under another parent. */
  const removeGone = (parent: Key | null, trees: readonly PartTree[]) => {
    const wanted = new Map(trees.map((tree, place) => [tree.key, { tree, place }]));
    const kept: { readonly tree: PartTree; readonly place: number }[] = [];
    for (const key of shown.children(parent)) {
      const part = shown.get(key);
      if (!part || !isContent(part)) continue;
      const same = wanted.get(key);
      if (same?.tree.kind === part.kind) kept.push(same);
      else remove(key);
    }
    const staying = longestRising(kept.map(({ place }) => place));
    kept.forEach(({ tree }, index) => {
      if (staying.has(index)) removeGone(tree.key, tree.parts ?? []);
      else remove(tree.key);
    });
  };
  const standing = (key: Key, parent: Key | null) => {
    const part = shown.get(key);
    return part?.parent === parent && !removed.has(key) ? part : undefined;
  };
  /** Inserts what is new and mends what is kept, in order. */
  const settle = (parent: Key | null, trees: readonly PartTree[]) => {
    trees.forEach((tree, index) => {
      const { key: part, parts: inner = [], text = '' } = tree;
      const known = standing(part, parent);
      if (known) mendFields(name, known, tree, changes);
      else {
        const next = trees.slice(index + 1).find(({ key }) => standing(key, parent));
        const before = next?.key ?? null;
        changes.push({ do: 'part', message: name, part, parent, before, value: fieldsOf(tree) });
      }
      const old = known?.text?.read() ?? '';
      const at = commonLength(old, text);
      if (old !== text) changes.push({ do: 'text', message: name, part, at, text: text.slice(at) });
      settle(part, inner);
    });
  };
  removeGone(null, parts);
  settle(null, parts);
  return changes;
}

function mendFields(message: Key, part: Part, tree: PartTree, changes: Change[]): void {
  const before = new Map<string, unknown>(Object.entries(fieldsOf(part)));
  const after = new Map<string, unknown>(Object.entries(fieldsOf(tree)));
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    if (equalJson(before.get(name), after.get(name))) continue;
    const value = after.get(name) as Json | undefined;
    const set = value === undefined ? {} : { value };
    changes.push({ do: 'set', message, part: part.key, path: [name], ...set });
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
