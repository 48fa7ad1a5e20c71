/** A JSON value. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json };

/**
 * A local id of a message, part, thread or list entry. Stable while the object is in memory. Not an id of the service, although it may
 * contain one. Never displayed.
 */
export type Key = string;

/** The path to a field: names for objects, indexes for arrays. */
export type Path = readonly (string | number)[];

/** The longest path that {@link isSafePath} accepts. */
const MAX_DEPTH = 32;
/** Indexes that {@link isSafePath} accepts are below this one. */
const MAX_INDEX = 10_000;
/** Property names that could access or replace a prototype. */
const UNSAFE = /^(__proto__|prototype|constructor)$/;

/** Whether a path may be written: not too long, without names that access a prototype, all indexes in range. */
export function isSafePath(path: Path): boolean {
  const isSafe = (step: string | number) =>
    typeof step === 'string'
      ? !UNSAFE.test(step)
      : Number.isInteger(step) && step >= 0 && step < MAX_INDEX;
  return path.length <= MAX_DEPTH && path.every(isSafe);
}

/**
 * Returns a copy of `target` in which the field at `path` is `value`, or removed when `value` is undefined. Values off the path are
 * shared with the original. Where the path needs an object or an array and there is none, an empty one is created in place of the value. An
 * index beyond the end of an array then changes nothing in it. The path must be safe ({@link isSafePath}).
 */
export function setIn(target: Json | undefined, path: Path, value: Json | undefined): Json {
  const [step, ...rest] = path;
  if (step === undefined) return value ?? null;
  const isRemoval = rest.length === 0 && value === undefined;
  if (typeof step === 'number') {
    const items: Json[] = Array.isArray(target) ? [...(target as readonly Json[])] : [];
    const item = isRemoval ? [] : [setIn(items[step], rest, value)];
    if (step <= items.length) items.splice(step, 1, ...item);
    return items;
  }
  const isRecord = typeof target === 'object' && !Array.isArray(target);
  const fields = new Map<string, Json>(Object.entries((isRecord && target) || {}));
  if (isRemoval) fields.delete(step);
  else fields.set(step, setIn(fields.get(step), rest, value));
  return Object.fromEntries(fields);
}

/** Whether two JSON values are equal, regardless of the order of properties. Values nested deeper than `depth` count as different. */
export function equalJson(left: unknown, right: unknown, depth = 100): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || !left || !right || depth === 0) {
    return false;
  }
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const before = new Map<string, unknown>(Object.entries(left));
  const after = Object.entries(right);
  return (
    before.size === after.length &&
    after.every(
      ([name, value]) => before.has(name) && equalJson(before.get(name), value, depth - 1),
    )
  );
}
