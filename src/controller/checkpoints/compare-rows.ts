/** The indexes of the rows in which two lists of texts differ. */
export interface RowDifference {
  readonly left: ReadonlySet<number>;
  readonly right: ReadonlySet<number>;
  /** False if there were too many rows to compare; then all rows between the common beginning and end count as different. */
  readonly exact: boolean;
}

/** Maximum number of compared pairs. `findCommonPairs` takes 4 bytes of memory for each. */
const MAX_PAIRS = 1_000_000;

/** Compares two lists of rows by their longest common subsequence. Skips the common beginning and end in linear time. */
export function compareRows(left: readonly string[], right: readonly string[]): RowDifference {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  const leftRows = left.slice(start, left.length - end);
  const rightRows = right.slice(start, right.length - end);
  const exact = leftRows.length * rightRows.length <= MAX_PAIRS;
  const common = exact ? findCommonPairs(leftRows, rightRows) : [];
  const listOthers = (rows: readonly string[], side: 0 | 1): Set<number> => {
    const equal = new Set(common.map((pair) => pair[side]));
    return new Set(rows.flatMap((_, at) => (equal.has(at) ? [] : [start + at])));
  };
  return { left: listOthers(leftRows, 0), right: listOthers(rightRows, 1), exact };
}

/** Returns the pairs of indexes of a longest common subsequence. */
function findCommonPairs(
  left: readonly string[],
  right: readonly string[],
): (readonly [number, number])[] {
  const width = right.length + 1;
  /** For each pair of indexes, the length of the longest common subsequence of the remaining rows. */
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
  while (at(row, column) > 0) {
    if (left[row] === right[column]) pairs.push([row++, column++]);
    else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}
