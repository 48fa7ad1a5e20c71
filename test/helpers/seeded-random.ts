/** Numbers in [0, 1). */
export type Random = () => number;

/** Creates a deterministic random generator (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A random integer from 0 to `end`, exclusive. */
export function pickIndex(random: Random, end: number): number {
  return Math.floor(random() * end);
}

/** A random item. Throws for an empty list. */
export function pickOne<T>(random: Random, items: readonly T[]): T {
  const item = items[pickIndex(random, items.length)];
  if (item === undefined) throw new Error('The list is empty.');
  return item;
}
