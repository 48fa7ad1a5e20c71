/**
 * Sampling of tests whose cases differ only in a seed, a size or a combination. `npm test` runs a fixed sample; `npm run test:exhaustive`
 * runs every case, and with `EXHAUSTIVE=10` ten times as many seeds.
 */
const FACTOR = Number(process.env['EXHAUSTIVE'] ?? 0);

/** Whether every case runs. */
export const isExhaustive = FACTOR > 0;

/** Test options: skips the test in a sample, because faster tests cover its subject. */
export const onlyExhaustive = {
  skip: isExhaustive ? false : 'Runs with npm run test:exhaustive.',
} as const;

/** Consecutive seeds from `first`: in a sample `count / step` of them, otherwise `count` times the value of `EXHAUSTIVE`. */
export function seedsUpTo(count: number, first = 1, step = 10): readonly number[] {
  const length = Math.ceil(isExhaustive ? count * FACTOR : count / step);
  return Array.from({ length }, (_, index) => first + index);
}

/** All cases, or in a sample every `step`-th from index `from`. */
export function sampleOf<T>(cases: readonly T[], step: number, from = 0): readonly T[] {
  return isExhaustive ? cases : cases.filter((_, index) => index % step === from % step);
}
