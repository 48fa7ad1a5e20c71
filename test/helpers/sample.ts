/**
 * How much of a family of tests runs whose cases differ only in a seed, a size or a combination. `npm test` takes a sample, which is
 * the same each time; `npm run test:exhaustive` takes every case, and with `EXHAUSTIVE=10` ten times as many seeds.
 */
const TIMES = Number(process.env['EXHAUSTIVE'] ?? 0);

/** Whether every case runs. */
export const isExhaustive = TIMES > 0;

/** Options of a test that only runs where every case runs: of one whose subject other tests decide in less time. */
export const onlyExhaustive = {
  skip: isExhaustive ? false : 'It runs with npm run test:exhaustive.',
} as const;

/** One seed of so many is in the sample. */
const SEEDS_PER_SAMPLE = 10;

/** Seeds from `first`: `count` where every case runs, a tenth of them in the sample. */
export function seedsUpTo(count: number, first = 1): readonly number[] {
  const length = Math.ceil(isExhaustive ? count * TIMES : count / SEEDS_PER_SAMPLE);
  return Array.from({ length }, (_, index) => first + index);
}

/** All cases where every case runs, else every `step`-th, beginning with the one at `from`. */
export function sampleOf<T>(cases: readonly T[], step: number, from = 0): readonly T[] {
  return isExhaustive ? cases : cases.filter((_, index) => index % step === from % step);
}
