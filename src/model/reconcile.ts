import type { Change } from './change.js';
import { commonPrefixLength } from './common-prefix.js';
import { equalJson, type Json, type Key } from './json.js';
import type { Message, PartIndex } from './message.js';
import type { Part, PartTree } from './part.js';
import { fieldsOf } from './part-tree.js';

/**
 * Returns the changes that turn the content of `message` into `parts`. A part with the same key, kind and parent is kept, unless the
 * order of its siblings requires removing it. Equal text yields no change, longer text an append, different text a truncation where it
 * begins to differ. Returns no changes if and only if both contents are equal.
 *
 * `apply` calls it for each `content` change, which backends and the controller emit after a replay in other chunks, a late event, a snapshot
 * or a reload. Takes time proportional to the content; if siblings have moved, at worst proportional to the square of their number.
 */
export function reconcile({ key: message, parts: shown }: Message, parts: readonly PartTree[]) {
  const changes: Change[] = [];
  const removed = new Set<Key>();

  const markRemoved = (key: Key) => {
    removed.add(key);
    shown.children(key).forEach(markRemoved);
  };
  /** Removes parts that the new content lacks or has moved. All removals come first, since a key may be inserted again under another parent. */
  const removeOutdated = (parent: Key | null, trees: readonly PartTree[]) => {
    const treesByKey = new Map(trees.map((tree) => [tree.key, tree]));
    const unmoved = findUnmoved(shown, shown.children(parent), trees);
    shown.children(parent).forEach((key, index) => {
      if (unmoved.has(index)) return removeOutdated(key, treesByKey.get(key)?.parts ?? []);
      markRemoved(key);
      changes.push({ type: 'remove', message, part: key });
    });
  };
  /** Inserts new parts and updates kept ones, in order. */
  const insertAndUpdate = (parent: Key | null, trees: readonly PartTree[]) => {
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
      // Equal texts are compared at once, because most texts of a reloaded thread are equal.
      if (old !== text) {
        const at = commonPrefixLength(old, text);
        changes.push({ type: 'text', message, part, at, text: text.slice(at) });
      }
      insertAndUpdate(part, inner);
    }
  };
  removeOutdated(null, parts);
  insertAndUpdate(null, parts);
  return changes;
}

/** Fields of a part by name. A plain object is safe here, because the names do not come from the network. */
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

/** Returns the indexes of the shown parts that can stay: those of the same kind, as many as possible in the same relative order. */
function findUnmoved(
  shown: PartIndex,
  keys: readonly Key[],
  trees: readonly PartTree[],
): Set<number> {
  const positions = new Map(trees.map(({ key, kind }, position) => [key, { kind, position }]));
  const positionOf = (key: Key): number | undefined => {
    const tree = positions.get(key);
    return tree?.kind === shown.get(key)?.kind ? tree?.position : undefined;
  };
  return longestIncreasingSubsequence(keys.map(positionOf));
}

/** Returns the indexes of a longest increasing subsequence; undefined entries are skipped. */
function longestIncreasingSubsequence(numbers: readonly (number | undefined)[]): Set<number> {
  /** For each length, the end of the subsequence with the lowest last value. */
  const ends: { readonly index: number; readonly value: number; readonly previous: unknown }[] = [];
  numbers.forEach((value, index) => {
    if (value === undefined) return;
    // Searches from the end: in an unchanged order the last entry matches at once. Values are positions, so -1 is less than all of them.
    let length = ends.length;
    while ((ends[length - 1]?.value ?? -1) >= value) length -= 1;
    ends[length] = { index, value, previous: ends[length - 1] };
  });
  const indexes = new Set<number>();
  type Link = (typeof ends)[number] | undefined;
  for (let link: Link = ends.at(-1); link; link = link.previous as Link) indexes.add(link.index);
  return indexes;
}
