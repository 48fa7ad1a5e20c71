/** Permitted cost per chunk of the last fifth relative to the second and third tenth. */
export const GROWTH_LIMIT = 1.3;

/**
 * CPU time of the chunks from 80 to 100 % relative to those from 10 to 30 %: the median of `rounds`. Stops as soon as more than half of
 * the rounds are within the limit, because then the median is.
 *
 * @param createConsumer creates the function that consumes one chunk, anew for each round
 */
export function measureGrowth(
  createConsumer: () => (index: number) => void,
  chunks: number,
  rounds: number,
): number {
  const ratios: number[] = [];
  const within = () => ratios.filter((ratio) => ratio <= GROWTH_LIMIT);
  while (ratios.length < rounds && within().length <= rounds / 2) {
    const consume = createConsumer();
    const marks: number[] = [];
    for (let index = 0; index <= chunks; index += 1) {
      if (index % (chunks / 10) === 0) marks.push(process.cpuUsage().user);
      consume(index);
    }
    const early = (marks[3] ?? 0) - (marks[1] ?? 0);
    const late = (marks[10] ?? 0) - (marks[8] ?? 0);
    ratios.push(late / Math.max(1, early));
  }
  if (within().length > rounds / 2) return Math.max(...within());
  // The median, at half of the rounds, rounded down.
  return ratios.sort((left, right) => left - right)[rounds >> 1] ?? Infinity;
}
