import { pickIndex, pickOne, type Random } from '../../../helpers/seeded-random.js';

/** A JSON value. */
export type Value =
  | null
  | boolean
  | number
  | string
  | readonly Value[]
  | { readonly [name: string]: Value };

/** A patch in the form of the service. */
export interface WirePatch {
  readonly key: readonly (string | number)[];
  readonly content: Value;
  readonly action: 'upsert' | 'append' | 'remove' | 'end';
}

type Key = WirePatch['key'];

/**
 * Computes the difference of two snapshots by the rules of the service (Data Agent 5), for tests only. Visits siblings in an order that
 * `random` decides.
 */
export function diff(before: Value, after: Value, random: Random, key: Key = []): WirePatch[] {
  if (Array.isArray(before) && Array.isArray(after)) return diffLists(before, after, random, key);
  if (isRecord(before) && isRecord(after)) return diffRecords(before, after, random, key);
  if (typeof before === 'string' && typeof after === 'string' && after.startsWith(before)) {
    const rest = after.slice(before.length);
    return rest === '' ? [] : [{ key, content: rest, action: 'append' }];
  }
  return before === after ? [] : [{ key, content: after, action: 'upsert' }];
}

function diffLists(
  before: readonly Value[],
  after: readonly Value[],
  random: Random,
  key: Key,
): WirePatch[] {
  const common = Math.min(before.length, after.length);
  const patches: WirePatch[] = [];
  for (let at = 0; at < common; at += 1) {
    patches.push(...diff(before[at] ?? null, after[at] ?? null, random, [...key, at]));
  }
  for (let at = common; at < after.length; at += 1) {
    patches.push({ key: [...key, at], content: after[at] ?? null, action: 'append' });
  }
  for (let at = common; at < before.length; at += 1) {
    patches.push({ key: [...key, at], content: null, action: 'remove' });
  }
  return patches;
}

function diffRecords(
  before: { readonly [name: string]: Value },
  after: { readonly [name: string]: Value },
  random: Random,
  key: Key,
): WirePatch[] {
  const names = shuffle([...new Set([...Object.keys(before), ...Object.keys(after)])], random);
  return names.flatMap((name): WirePatch[] => {
    const path = [...key, name];
    if (!Object.hasOwn(after, name)) return [{ key: path, content: null, action: 'remove' }];
    const value = after[name] ?? null;
    if (!Object.hasOwn(before, name)) return [{ key: path, content: value, action: 'upsert' }];
    return diff(before[name] ?? null, value, random, path);
  });
}

/** Shuffles items with `random`. */
export function shuffle<T>(items: readonly T[], random: Random): T[] {
  const rest = [...items];
  return items.flatMap(() => rest.splice(pickIndex(random, rest.length), 1));
}

const NAMES = ['a', 'b', 'c.d', '0', 'toString', 'message', 'progress'];
const TEXTS = ['', 'x', 'Spare pumps', 'à 😀', '__proto__'];

/** Random JSON. */
export function randomValue(random: Random, depth = 4): Value {
  const kind = pickIndex(random, depth > 0 ? 8 : 5);
  switch (kind) {
    case 0:
      return null;
    case 1:
      return random() < 0.5;
    case 2:
      return pickIndex(random, 5);
    case 3:
    case 4:
      return pickOne(random, TEXTS);
    case 5:
      return Array.from({ length: pickIndex(random, 5) }, () => randomValue(random, depth - 1));
    default:
      return randomRecord(random, depth);
  }
}

/** A random object. */
export function randomRecord(random: Random, depth = 4): { readonly [name: string]: Value } {
  const entries = Array.from({ length: pickIndex(random, 5) }, () => {
    return [pickOne(random, NAMES), randomValue(random, depth - 1)] as const;
  });
  return Object.fromEntries(entries);
}

/** Returns a value that differs from another one in some places: texts and lists grow, lists shrink, values are replaced. */
export function mutate(value: Value, random: Random, depth = 4): Value {
  if (random() < 0.15) return randomValue(random, depth);
  if (typeof value === 'string') return random() < 0.5 ? value + pickOne(random, TEXTS) : value;
  if (Array.isArray(value)) {
    const list = (value as readonly Value[]).map((item) => mutate(item, random, depth - 1));
    const length = pickIndex(random, list.length + 3);
    return Array.from({ length }, (_, at) => list[at] ?? randomValue(random, depth - 1));
  }
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(() => random() < 0.9);
  const entries = kept.map(([name, item]) => [name, mutate(item, random, depth - 1)] as const);
  const added = random() < 0.3 ? Object.entries(randomRecord(random, depth - 1)) : [];
  return Object.fromEntries([...entries, ...added]);
}

function isRecord(value: Value): value is { readonly [name: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
