/** Options of {@link measureCostRatio}. */
export interface CostRatioOptions {
  /** Stops after a round whose ratio is below this. A further round may raise the ratio: it may lower the cost of the baseline. */
  readonly limit: number;
  /** Maximum number of rounds; 12 by default. */
  readonly rounds?: number;
  /** Minimum number of rounds, so that a single disturbed measurement of the baseline does not decide; 1 by default. */
  readonly minRounds?: number;
  /** Costs of the baseline below this count as this, because interference outweighs them; 0 by default. */
  readonly floor?: number;
}

/**
 * Cost of a subject relative to a baseline. Takes the minimum of each over several rounds, because interference only adds to a cost.
 *
 * @param baseline Does the work once and returns its cost, such as CPU time; so does `subject`.
 */
export async function measureCostRatio(
  baseline: () => number | Promise<number>,
  subject: () => number | Promise<number>,
  { limit, rounds = 12, minRounds = 1, floor = 0 }: CostRatioOptions,
): Promise<number> {
  let [baselineCost, subjectCost, ratio] = [Infinity, Infinity, Infinity];
  for (let round = 0; round < minRounds || (round < rounds && ratio >= limit); round += 1) {
    baselineCost = Math.min(baselineCost, await baseline());
    subjectCost = Math.min(subjectCost, await subject());
    ratio = subjectCost / Math.max(baselineCost, floor);
  }
  return ratio;
}

/** Numbers of pairs that {@link measurePairedRatio} measures at least and at most. */
const MIN_PAIRS = 20;
const MAX_PAIRS = 100;

/**
 * Median of the cost of a subject relative to a baseline that is measured directly before it. For costs that the speed of a machine changes
 * more than the subject may: such a speed lasts for longer than a pair, so it cancels out, while the minimum of each cost would compare the
 * fastest moments of a few seconds.
 *
 * @param baseline Does the work once and returns its cost, such as CPU time; so does `subject`.
 * @param limit Stops after 20 pairs when the ratio is below this, otherwise after 100.
 */
export async function measurePairedRatio(
  baseline: () => Promise<number>,
  subject: () => Promise<number>,
  limit: number,
): Promise<number> {
  const ratios: number[] = [];
  let median = Infinity;
  while (ratios.length < MIN_PAIRS || (ratios.length < MAX_PAIRS && median >= limit)) {
    const baselineCost = await baseline();
    ratios.push((await subject()) / baselineCost);
    median = ratios.toSorted((a, b) => a - b)[ratios.length >> 1] ?? NaN;
  }
  return median;
}

/**
 * {@link measureCostRatio} of CPU times in µs of this process, with up to six rounds. On some machines the clock advances in steps of
 * milliseconds, so shorter times count as 5 ms.
 */
export const measureCpuRatio = (
  limit: number,
  baseline: () => number | Promise<number>,
  subject: () => number | Promise<number>,
): Promise<number> => measureCostRatio(baseline, subject, { limit, rounds: 6, floor: 5000 });
