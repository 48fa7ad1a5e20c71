/** What two rows of texts do not have in common: indexes of those that stand on one side alone. */
export interface RowDifference {
  readonly left: ReadonlySet<number>;
  readonly right: ReadonlySet<number>;
  /** False when there is too much to compare: then all between the equal ends counts as different. */
  readonly exact: boolean;
}

/** Most pairs that are compared: the table of them takes 4 bytes each. */
const MOST_PAIRS = 1_000_000;

/**
 * Finds what stands on both sides in the same order (a longest common subsequence); everything else is a difference. Equal
 * beginnings and ends cost what they are long.
 */
export function compareRows(left: readonly string[], right: readonly string[]): RowDifference {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  const rest = [left, right].map((rows) => rows.slice(start, rows.length - end));
  const [mine = [], theirs = []] = rest;
  const exact = mine.length * theirs.length <= MOST_PAIRS;
  const common = exact ? findCommon(mine, theirs) : [];
  const others = (rows: readonly string[], side: 0 | 1): Set<number> => {
    const kept = new Set(common.map((pair) => pair[side]));
    return new Set(rows.flatMap((_, at) => (kept.has(at) ? [] : [start + at])));
  };
  return { left: others(mine, 0), right: others(theirs, 1), exact };
}

/** Pairs of places of a longest common subsequence. */
function findCommon(
  left: readonly string[],
  right: readonly string[],
): (readonly [number, number])[] {
  const width = right.length + 1;
  /** Length of what the two have in common from these places on. */
  const lengths = new Uint32Array((left.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        left[row] === right[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  let row = 0;
  let column = 0;
  while (row < left.length && column < right.length) {
    if (left[row] === right[column]) pairs.push([row++, column++]);
    else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}
