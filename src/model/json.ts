/** Plain data, as JSON knows it. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json };

/** A name of ours for a message, a part or a thread: stable while it is shown, never compared with the server's, never printed. */
export type Key = string;

/** The way to one field: names for objects, indexes for arrays. */
export type Path = readonly (string | number)[];

/** Deepest path that {@link setIn} follows. */
const MAX_DEPTH = 32;
/** One more than the largest index that {@link setIn} writes. */
const MAX_INDEX = 10_000;
/** Names that reach a prototype when they are used as keys of a plain object. */
const UNSAFE = /^(__proto__|prototype|constructor)$/;

/** Whether every step of a path may be written: short enough, no name that reaches a prototype, no wild index. */
export function isSafePath(path: Path): boolean {
  const isSafe = (step: string | number) =>
    typeof step === 'string'
      ? !UNSAFE.test(step)
      : Number.isInteger(step) && step >= 0 && step < MAX_INDEX;
  return path.length <= MAX_DEPTH && path.every(isSafe);
}

/**
 * A copy of `target` in which the field at `path` is `value` (or gone, when `value` is undefined); everything beside the path is
 * shared with the original. Missing objects on the way are made. The path must be safe ({@link isSafePath}).
 */
export function setIn(target: Json | undefined, path: Path, value: Json | undefined): Json {
  const [step, ...rest] = path;
  if (step === undefined) return value ?? null;
  const isGone = rest.length === 0 && value === undefined;
  if (typeof step === 'number') {
    const items: Json[] = Array.isArray(target) ? [...(target as readonly Json[])] : [];
    const item = isGone ? [] : [setIn(items[step], rest, value)];
    if (step <= items.length) items.splice(step, 1, ...item);
    return items;
  }
  const isRecord = typeof target === 'object' && !Array.isArray(target);
  const fields = new Map<string, Json>(Object.entries((isRecord && target) || {}));
  if (isGone) fields.delete(step);
  else fields.set(step, setIn(fields.get(step), rest, value));
  return Object.fromEntries(fields);
}

/** Whether two values hold the same data; the order of names does not matter. Gives up (not equal) below 100 levels. */
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
