import type { Value, WirePatch } from './json-chains.js';

type Step = string | number;

/** A container as a map of its names or indexes. */
type Container = { readonly isList: boolean; readonly members: Map<Step, Tree> };
type Tree = Container | string | number | boolean | null;

/**
 * Applies the patches that a differ emits, in the simplest form: an array is a map of its indexes, which may have gaps until it is read.
 * Differs append to texts and at new indexes, never to an array, and their paths lead to containers that exist, so the other rules are
 * missing here. Shares no code and no data structure with the product.
 */
export class SparseReply {
  #root: Tree = toTree({});

  /** The reply as JSON. Throws when an index of a list is missing. */
  get root(): Value {
    return toValue(this.#root);
  }

  /** Applies one patch of the service. Throws when it does not fit the reply. */
  apply({ key, action, content }: WirePatch): void {
    const value = toTree(content);
    const last = key.at(-1);
    if (last === undefined) {
      if (action === 'upsert') this.#root = value;
      return;
    }
    const { members } = key
      .slice(0, -1)
      .reduce<Container>(
        (container, step) => asContainer(container.members.get(step)),
        asContainer(this.#root),
      );
    const before = members.get(last);
    if (action === 'remove') members.delete(last);
    else if (action === 'append' && typeof before === 'string' && typeof value === 'string') {
      members.set(last, before + value);
    } else members.set(last, value);
  }
}

function asContainer(tree: Tree | undefined): Container {
  if (typeof tree !== 'object' || tree === null)
    throw new Error('The path of a patch leads to no container.');
  return tree;
}

function toTree(value: Value): Tree {
  if (typeof value !== 'object' || value === null) return value;
  const isList = Array.isArray(value);
  const entries: (readonly [Step, Value])[] = isList
    ? (value as readonly Value[]).map((item, index) => [index, item])
    : Object.entries(value);
  return { isList, members: new Map(entries.map(([step, item]) => [step, toTree(item)])) };
}

function toValue(tree: Tree): Value {
  if (typeof tree !== 'object' || tree === null) return tree;
  const { isList, members } = tree;
  if (!isList) {
    return Object.fromEntries([...members].map(([name, item]) => [String(name), toValue(item)]));
  }
  return Array.from({ length: members.size }, (_, index) => {
    const item = members.get(index);
    if (item === undefined) throw new Error(`A list lacks its index ${String(index)}.`);
    return toValue(item);
  });
}
