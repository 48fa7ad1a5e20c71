import type { Change } from './change.js';
import { equalJson, type Json, type Key } from './json.js';
import type { Message, PartIndex } from './message.js';
import type { Part, PartTree } from './part.js';
import { fieldsOf } from './part-tree.js';

/**
 * The changes that turn the content of `message` into `parts`, and nothing more: what has the same key, kind and parent is kept;
 * equal text changes nothing, longer text is an append, other text is cut where it begins to differ. No changes means: equal.
 *
 * This is the one healing function: full contents, foreign replays, late events, resumed snapshots and reloads all come through
 * here. Costs the size of the content.
 */
export function reconcile({ key: message, parts: shown }: Message, parts: readonly PartTree[]) {
  const changes: Change[] = [];
  const removed = new Set<Key>();

  const forget = (key: Key) => {
    removed.add(key);
    shown.children(key).forEach(forget);
  };
  /** All removals come first: a key may come back under another parent. */
  const removeGone = (parent: Key | null, trees: readonly PartTree[]) => {
    const wanted = new Map(trees.map((tree) => [tree.key, tree]));
    const staying = findUnmoved(shown, shown.children(parent), trees);
    shown.children(parent).forEach((key, index) => {
      if (staying.has(index)) return removeGone(key, wanted.get(key)?.parts ?? []);
      forget(key);
      changes.push({ type: 'remove', message, part: key });
    });
  };
  /** Inserts what is new and mends what is kept, in order. */
  const settle = (parent: Key | null, trees: readonly PartTree[]) => {
    const kept = shown.children(parent).filter((key) => !removed.has(key));
    for (const tree of trees) {
      const { key: part, parts: inner = [], text = '' } = tree;
      const known = kept[0] === part ? shown.get(part) : undefined;
      if (known) {
        kept.shift();
        reconcileFields(message, known, tree, changes);
      } else {
        const before = kept[0] ?? null;
        changes.push({ type: 'part', message, part, parent, before, value: fieldsOf(tree) });
      }
      const old = known?.text?.read() ?? '';
      const at = commonPrefixLength(old, text);
      if (old !== text) changes.push({ type: 'text', message, part, at, text: text.slice(at) });
      settle(part, inner);
    }
  };
  removeGone(null, parts);
  settle(null, parts);
  return changes;
}

/** Fields of a part by name. The names are ours. */
interface Fields {
  readonly [name: string]: unknown;
}

function reconcileFields(message: Key, part: Part, tree: PartTree, changes: Change[]): void {
  const before: Fields = { ...fieldsOf(part) };
  const after: Fields = { ...fieldsOf(tree) };
  for (const name of Object.keys({ ...before, ...after })) {
    if (equalJson(before[name], after[name])) continue;
    const change: Change = { type: 'set', message, part: part.key, path: [name] };
    changes.push(name in after ? { ...change, value: after[name] as Json } : change);
  }
}

/** Indexes of the parts that can stay where they are. */
function findUnmoved(
  shown: PartIndex,
  keys: readonly Key[],
  trees: readonly PartTree[],
): Set<number> {
  const places = new Map(trees.map(({ key, kind }, place) => [key, { kind, place }]));
  const placeOf = (key: Key): number | undefined => {
    const same = places.get(key);
    return same?.kind === shown.get(key)?.kind ? same?.place : undefined;
  };
  return longestIncreasingSubsequence(keys.map(placeOf));
}

/** How many units two texts share from their beginning. */
function commonPrefixLength(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  return at;
}

/** Indexes of a longest rising run of numbers, holes left out: what need not move when the rest does. */
function longestIncreasingSubsequence(numbers: readonly (number | undefined)[]): Set<number> {
  /** The links of the best run of each length so far. */
  const ends: { readonly index: number; readonly value: number; readonly before: unknown }[] = [];
  numbers.forEach((value, index) => {
    if (value === undefined) return;
    // Mostly the order is right already, and the last end is the one.
    let length = ends.length;
    while ((ends[length - 1]?.value ?? -1) >= value) length -= 1;
    ends[length] = { index, value, before: ends[length - 1] };
  });
  const rising = new Set<number>();
  type Link = (typeof ends)[number] | undefined;
  for (let link: Link = ends.at(-1); link; link = link.before as Link) rising.add(link.index);
  return rising;
}
