import type { DataCell, DataColumn, Dataset } from '../../model/part.js';
import { toNumber, toTime } from './cell-format.js';

/** Number of items that are sorted or merged in one step. */
const STEP_SIZE = 256;

/** The order of a sorted column. */
export type SortDirection = 'ascending' | 'descending';

/** The sort key of a row. In ascending order numbers come before texts; null comes last in both directions. */
type SortKey = number | string | null;

interface SortItem {
  readonly index: number;
  readonly key: SortKey;
}

/**
 * Sorts rows by a column, as numbers, times or texts in the collation of the language. Returns the indexes of the rows in their new order.
 * The sort is stable, and empty cells come last in both directions. All sort keys are read before the first step. Then sorting yields after
 * each step of about a millisecond, so that the caller can continue in another frame.
 */
export function* sortRows(
  { columns, rows }: Dataset,
  column: number,
  direction: SortDirection,
  lang: string,
): Generator<undefined, readonly number[]> {
  const type = columns[column]?.type ?? 'text';
  const sign = direction === 'ascending' ? 1 : -1;
  const { compare } = new Intl.Collator(lang, { numeric: true });
  const compareItems = ({ key: a }: SortItem, { key: b }: SortItem): number => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === 'string' && typeof b === 'string') return sign * compare(a, b);
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
    return sign * (typeof a === 'number' ? -1 : 1);
  };
  const items = rows.map((row, index) => ({ index, key: sortKeyOf(row[column] ?? null, type) }));
  const sorted = yield* mergeSort(items, compareItems);
  return sorted.map(({ index }) => index);
}

function sortKeyOf(cell: DataCell, type: DataColumn['type']): SortKey {
  if (cell === null || cell === '') return null;
  if (typeof cell === 'boolean') return Number(cell);
  if (type === 'date') return toTime(cell)?.time ?? cell;
  return type === 'number' ? (toNumber(cell) ?? cell) : cell;
}

function* mergeSort(
  items: readonly SortItem[],
  compare: (a: SortItem, b: SortItem) => number,
): Generator<undefined, readonly SortItem[]> {
  let runs: (readonly SortItem[])[] = [];
  for (let at = 0; at < items.length; at += STEP_SIZE) {
    runs.push(items.slice(at, at + STEP_SIZE).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: (readonly SortItem[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(yield* merge(runs[at] ?? [], runs[at + 1] ?? [], compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge(
  left: readonly SortItem[],
  right: readonly SortItem[],
  compare: (a: SortItem, b: SortItem) => number,
): Generator<undefined, readonly SortItem[]> {
  const merged: SortItem[] = [];
  let atLeft = 0;
  let atRight = 0;
  for (;;) {
    const first = left[atLeft];
    const second = right[atRight];
    if (!first || !second) return [...merged, ...left.slice(atLeft), ...right.slice(atRight)];
    // Equal keys: the left one comes first, because the sort is stable.
    const isLeft = compare(first, second) <= 0;
    merged.push(isLeft ? first : second);
    if (isLeft) atLeft += 1;
    else atRight += 1;
    if (merged.length % STEP_SIZE === 0) yield;
  }
}
