import { isJsonObject, type Json, type JsonObject } from '../agent/json.js';

/** The operation of a patch at its path. `end` closes the stream and changes nothing. */
export type PatchAction = 'upsert' | 'append' | 'remove' | 'end';

/** One change of a JSON document. */
export interface Patch {
  /** Path from the root; numbers are array indexes. */
  readonly key: readonly (string | number)[];
  /** The new value or the appended text; null for `remove` and `end`. */
  readonly content: Json;
  readonly action: PatchAction;
}

/** Returns the keys of an object in the order in which they are visited. */
export type KeyOrder = (keys: readonly string[]) => readonly string[];

/** Returns keys in random order, as the iteration over a Go map does. */
export function createRandomOrder(random: () => number = Math.random): KeyOrder {
  return (keys) => {
    const shuffled = [...keys];
    for (let last = shuffled.length - 1; last > 0; last -= 1) {
      const chosen = Math.floor(random() * (last + 1));
      [shuffled[last], shuffled[chosen]] = [shuffled[chosen] ?? '', shuffled[last] ?? ''];
    }
    return shuffled;
  };
}

/**
 * Computes the structural difference of two snapshots by the rules of the Data Agent server.
 *
 * A change of the JSON type replaces the value; null is a type. A string that grew is appended to. New array elements are appended and missing
 * ones removed at their old index, both in ascending order. The members of an object are compared in the order of `order`.
 */
export function diffJson(
  previous: Json,
  next: Json,
  order: KeyOrder = (keys) => keys,
  key: readonly (string | number)[] = [],
): Patch[] {
  if (typeOf(previous) !== typeOf(next)) return [{ key, content: next, action: 'upsert' }];
  if (isJsonObject(previous) && isJsonObject(next)) return diffObjects(previous, next, order, key);
  if (Array.isArray(previous) && Array.isArray(next)) {
    return diffArrays(previous as readonly Json[], next as readonly Json[], order, key);
  }
  if (previous === next) return [];
  if (typeof previous === 'string' && typeof next === 'string' && next.startsWith(previous)) {
    return [{ key, content: next.slice(previous.length), action: 'append' }];
  }
  return [{ key, content: next, action: 'upsert' }];
}

function diffObjects(
  previous: JsonObject,
  next: JsonObject,
  order: KeyOrder,
  key: readonly (string | number)[],
): Patch[] {
  const patches: Patch[] = [];
  for (const name of order([...new Set([...Object.keys(previous), ...Object.keys(next)])])) {
    const path = [...key, name];
    const before = Object.hasOwn(previous, name) ? previous[name] : undefined;
    const after = Object.hasOwn(next, name) ? next[name] : undefined;
    if (after === undefined) {
      if (before !== undefined) patches.push({ key: path, content: null, action: 'remove' });
    } else if (before === undefined) {
      patches.push({ key: path, content: after, action: 'upsert' });
    } else {
      patches.push(...diffJson(before, after, order, path));
    }
  }
  return patches;
}

function diffArrays(
  previous: readonly Json[],
  next: readonly Json[],
  order: KeyOrder,
  key: readonly (string | number)[],
): Patch[] {
  const patches: Patch[] = [];
  for (let index = 0; index < Math.max(previous.length, next.length); index += 1) {
    const path = [...key, index];
    const before = previous[index];
    const after = next[index];
    if (after === undefined) patches.push({ key: path, content: null, action: 'remove' });
    else if (before === undefined) patches.push({ key: path, content: after, action: 'append' });
    else patches.push(...diffJson(before, after, order, path));
  }
  return patches;
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
