import type { ChartFields, DataCell } from '../../model/part.js';
import { toNumber } from './cell-format.js';

/** The types in which the rows of a chart can be drawn. */
export type ChartType = ChartFields['chartType'];

/** A series: its values in the order of the labels; null for a gap. */
export interface ChartSeries {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/** The values that a chart draws, and what it omits. */
export interface ChartData {
  readonly labels: readonly string[];
  readonly series: readonly ChartSeries[];
  /** Number of categories and series in the rows; larger than the number of labels and series when some are omitted or summed up. */
  readonly pointCount: number;
  readonly seriesCount: number;
  /** Whether values of zero or less are omitted, because a pie or ring cannot show them. */
  readonly omitsNonPositive: boolean;
}

/** Texts in a chart. */
export interface ChartTexts {
  /** Formats a cell of the column of categories. */
  formatLabel(cell: DataCell): string;
  /** Name of the slice that sums up the smallest values. */
  readonly other: string;
}

/** Maximum number of points of a line chart, of all series together. More of them would share pixels. */
export const MAX_LINE_POINTS = 2000;
/** Maximum number of categories of a column chart. */
export const MAX_COLUMNS = 100;
/** Maximum number of series, and of slices of a pie or ring: the number of colours. */
export const MAX_SERIES = 8;

/** Converts the rows of a chart to labels and series, limited to what its type can show. Takes time proportional to the number of cells. */
export function toChartData(fields: ChartFields, type: ChartType, texts: ChartTexts): ChartData {
  const table = new Table(fields);
  const isRound = type === 'pie' || type === 'ring';
  const { categories, series, seriesCount } =
    isRound || fields.groupBy === null ? table.byMeasure(isRound) : table.byGroup(fields.groupBy);
  const visible = series.slice(0, isRound ? 1 : MAX_SERIES);
  const counts = { pointCount: categories.length, seriesCount };
  if (isRound) {
    const [values = { name: '', values: [] }] = visible;
    return { ...toSlices(categories, values, texts), ...counts };
  }
  const indexes =
    type === 'line'
      ? sampleLine(visible, categories.length)
      : categories.slice(0, MAX_COLUMNS).map((_, index) => index);
  return {
    labels: indexes.map((index) => texts.formatLabel(categories[index] ?? null)),
    series: visible.map(({ name, values }) => ({
      name,
      values: indexes.map((index) => values[index] ?? null),
    })),
    ...counts,
    omitsNonPositive: false,
  };
}

/** Whether a chart has a number to draw. */
export function hasNumbers({ series }: ChartData): boolean {
  return series.some(({ values }) => values.some((value) => value !== null));
}

interface Pivot {
  readonly categories: readonly DataCell[];
  readonly series: readonly ChartSeries[];
  /** Number of series in the rows; larger than that of `series` when more cannot be shown. */
  readonly seriesCount: number;
}

/** The rows of a chart by the columns that it names. */
class Table {
  readonly #rows: ChartFields['rows'];
  readonly #columns: ReadonlyMap<string, number>;
  readonly #dimension: number;
  readonly #measures: readonly string[];

  constructor({ columns, rows, dimension, measures }: ChartFields) {
    this.#rows = rows;
    this.#columns = new Map(columns.map(({ name }, index) => [name, index]));
    this.#dimension = this.#indexOf(dimension);
    this.#measures = measures.filter((name) => this.#columns.has(name));
  }

  /** Returns one series for each measure. Rows are points in their order; with `merge`, rows with the same category are summed up. */
  byMeasure(merge: boolean): Pivot {
    if (merge) {
      const sums = this.#measures.map((name) => this.#sum(name, null));
      const [first] = sums;
      const categories = first?.categories ?? [];
      const series = sums.flatMap((sum) => sum.series);
      return { categories, series, seriesCount: series.length };
    }
    return {
      categories: this.#rows.map((row) => row[this.#dimension] ?? null),
      series: this.#measures.map((name) => {
        const column = this.#indexOf(name);
        return { name, values: this.#rows.map((row) => numberOf(row[column])) };
      }),
      seriesCount: this.#measures.length,
    };
  }

  /** Returns one series of the first measure for each value of a column. Rows with the same category and group are summed up. */
  byGroup(groupBy: string): Pivot {
    const [measure] = this.#measures;
    return measure === undefined || !this.#columns.has(groupBy)
      ? this.byMeasure(false)
      : this.#sum(measure, groupBy);
  }

  #sum(measure: string, groupBy: string | null): Pivot {
    const column = this.#indexOf(measure);
    const group = groupBy === null ? -1 : this.#indexOf(groupBy);
    // Maps, because the keys are values of the service.
    const categories = new Map<DataCell, number>();
    const groups = new Map<string, (number | null)[]>();
    for (const row of this.#rows) {
      const category = row[this.#dimension] ?? null;
      const index = categories.get(category) ?? categories.size;
      categories.set(category, index);
      const name = groupBy === null ? measure : String(row[group] ?? '');
      const values = groups.get(name) ?? [];
      groups.set(name, values);
      const value = numberOf(row[column]);
      if (value !== null) values[index] = (values[index] ?? 0) + value;
    }
    // Only the series that can be shown: for all of them, the cost would be the number of groups times that of categories.
    const series = [...groups].slice(0, MAX_SERIES).map(([name, values]) => ({
      name,
      values: Array.from({ length: categories.size }, (_, index) => values[index] ?? null),
    }));
    return { categories: [...categories.keys()], series, seriesCount: groups.size };
  }

  /** Returns the index of a column; -1, which no row has, for an unknown one. */
  #indexOf(name: string): number {
    return this.#columns.get(name) ?? -1;
  }
}

/** Returns the number in a cell. Services send exact decimals as strings, because JSON has no such type. */
function numberOf(cell: DataCell | undefined): number | null {
  const number = toNumber(cell ?? null);
  return number !== null && Number.isFinite(number) ? number : null;
}

/** Returns the slices of a pie: the positive values. If there are more than `MAX_SERIES`, the smallest are summed up in one slice. */
function toSlices(
  categories: readonly DataCell[],
  { name, values }: ChartSeries,
  { formatLabel, other }: ChartTexts,
): Pick<ChartData, 'labels' | 'series' | 'omitsNonPositive'> {
  const numbers = values.flatMap((value, index) => (value === null ? [] : [{ index, value }]));
  const slices = numbers.filter(({ value }) => value > 0);
  const omitsNonPositive = slices.length < numbers.length;
  let rest = 0;
  const hasRest = slices.length > MAX_SERIES;
  if (hasRest) {
    slices.sort((left, right) => right.value - left.value);
    rest = slices.splice(MAX_SERIES - 1).reduce((sum, { value }) => sum + value, 0);
  }
  const labels = slices.map(({ index }) => formatLabel(categories[index] ?? null));
  const shown = slices.map(({ value }) => value);
  return {
    labels: hasRest ? [...labels, other] : labels,
    series: [{ name, values: hasRest ? [...shown, rest] : shown }],
    omitsNonPositive,
  };
}

/**
 * Returns the indexes of the points of a line to draw: all of them, or for each bin of the line the lowest and the highest point of
 * each series, so that no peak is lost. Of a bin without values, its first index is returned, at which the line is interrupted.
 */
function sampleLine(series: readonly ChartSeries[], length: number): readonly number[] {
  const all = Array.from({ length }, (_, index) => index);
  if (length * series.length <= MAX_LINE_POINTS) return all;
  // A bin selects up to two indexes for each series, and each index is drawn as a point of every series.
  const bins = Math.floor(MAX_LINE_POINTS / (2 * series.length * series.length));
  const size = length / bins;
  return Array.from({ length: bins }, (_, at) => {
    const bin = all.slice(Math.floor(at * size), Math.floor((at + 1) * size));
    const found = series.flatMap(({ values }) => findExtremes(bin, values));
    if (found.length === 0) return bin.slice(0, 1);
    return [...new Set(found)].sort((left, right) => left - right);
  }).flat();
}

function findExtremes(indexes: readonly number[], values: ChartSeries['values']): number[] {
  let lowest: number | undefined;
  let highest: number | undefined;
  for (const index of indexes) {
    const value = values[index] ?? null;
    if (value === null) continue;
    if (lowest === undefined || value < (values[lowest] ?? 0)) lowest = index;
    if (highest === undefined || value > (values[highest] ?? 0)) highest = index;
  }
  return [lowest, highest].filter((index) => index !== undefined);
}
