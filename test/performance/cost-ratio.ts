/** Below so many µs the machine tells more than the input. */
const LEAST = 5000;
const ROUNDS = 6;

/**
 * How much dearer the long input is than the short one, in CPU time, by the cheapest of up to six rounds: they end as soon as the
 * growth is below `limit`, which more of them would not change.
 *
 * @param short Does the work once and gives its cost in µs; so does `long`.
 */
export async function measureCpuRatio(
  limit: number,
  short: () => number | Promise<number>,
  long: () => number | Promise<number>,
): Promise<number> {
  let [least, most, growth] = [Infinity, Infinity, Infinity];
  for (let round = 0; round < ROUNDS && growth >= limit; round += 1) {
    least = Math.min(least, await short());
    most = Math.min(most, await long());
    growth = most / Math.max(least, LEAST);
  }
  return growth;
}
