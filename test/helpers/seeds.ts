/** `SEEDS_TIMES=10 npm run test:unit` tries ten times as many. */
const TIMES = Number(process.env['SEEDS_TIMES'] ?? 1);

/** Seeds from 1, for tests that try the same law on many random inputs: so many, times what is asked for in the environment. */
export function seedsUpTo(count: number): number[] {
  return Array.from({ length: count * TIMES }, (_, index) => index + 1);
}
