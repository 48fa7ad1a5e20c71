import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  hasNumbers,
  MAX_COLUMNS,
  MAX_LINE_POINTS,
  MAX_SERIES,
  toChartData,
  type ChartType,
} from '../../src/message/data/chart-data.js';
import type { ChartFields } from '../../src/model/part.js';

const TEXTS = { formatLabel: (cell: unknown) => `<${String(cell)}>`, other: 'Other' };

type Rows = ChartFields['rows'];

/** A chart of the columns month, region, sales and costs. */
const chartOf = (rows: Rows, more: Partial<ChartFields> = {}): ChartFields => ({
  kind: 'chart',
  title: '',
  chartType: 'line',
  columns: [
    { name: 'month', type: 'text' },
    { name: 'region', type: 'text' },
    { name: 'sales', type: 'number' },
    { name: 'costs', type: 'number' },
  ],
  rows,
  dimension: 'month',
  measures: ['sales'],
  groupBy: null,
  ...more,
});

const dataOf = (fields: ChartFields, type: ChartType = fields.chartType) =>
  toChartData(fields, type, TEXTS);

const ROWS: Rows = [
  ['Jan', 'North', 1, 10],
  ['Jan', 'South', 2, 20],
  ['Feb', 'North', 3, 30],
];

test('toChartData returns a series for each measure and a point for each row', () => {
  const data = dataOf(chartOf(ROWS, { measures: ['sales', 'costs', 'unknown'] }));
  assert.deepEqual(data.labels, ['<Jan>', '<Jan>', '<Feb>']);
  assert.deepEqual(data.series, [
    { name: 'sales', values: [1, 2, 3] },
    { name: 'costs', values: [10, 20, 30] },
  ]);
});

test('toChartData returns a series for each group, with gaps, and sums up rows of the same category', () => {
  const rows: Rows = [...ROWS, ['Feb', 'North', 4, 0]];
  const data = dataOf(chartOf(rows, { groupBy: 'region' }), 'column');
  assert.deepEqual(data.labels, ['<Jan>', '<Feb>']);
  assert.deepEqual(data.series, [
    { name: 'North', values: [1, 7] },
    { name: 'South', values: [2, null] },
  ]);
});

test('toChartData ignores an unknown column of groups', () => {
  const data = dataOf(chartOf(ROWS, { groupBy: 'country' }));
  assert.deepEqual(data.series, [{ name: 'sales', values: [1, 2, 3] }]);
});

test('toChartData reads decimals in texts, and returns gaps for everything else', () => {
  const rows: Rows = [
    ['a', '', '1.50', 0],
    ['b', '', '', 0],
    ['c', '', 'many', 0],
    ['d', '', null, 0],
    ['e', '', true, 0],
    ['f', '', Infinity, 0],
  ];
  assert.deepEqual(dataOf(chartOf(rows)).series[0]?.values, [1.5, null, null, null, null, null]);
});

test('toChartData returns a slice for each category, except for zero and negative values', () => {
  const rows: Rows = [...ROWS, ['Mar', 'North', 0, 0], ['Apr', 'North', -5, 0]];
  const data = dataOf(chartOf(rows, { groupBy: 'region', measures: ['sales', 'costs'] }), 'pie');
  assert.deepEqual(data.labels, ['<Jan>', '<Feb>']);
  assert.deepEqual(data.series, [{ name: 'sales', values: [3, 3] }]);
  assert.equal(data.omitsNonPositive, true);
  assert.equal(data.seriesCount, 2);
});

test('toChartData sums up the smallest slices of a ring', () => {
  const rows = Array.from({ length: 20 }, (_, at) => [`m${at}`, '', at + 1, 0] as const);
  const data = dataOf(chartOf(rows), 'ring');
  assert.deepEqual(data.labels.at(0), '<m19>');
  assert.deepEqual(data.labels.at(-1), 'Other');
  assert.equal(data.labels.length, MAX_SERIES);
  const sum = data.series[0]?.values.reduce<number>((all, value) => all + (value ?? 0), 0);
  assert.equal(sum, 210, 'the sum of 1 to 20');
});

test('toChartData limits the number of columns and series', () => {
  const rows = Array.from({ length: 2000 }, (_, at) => [at % 500, `g${at % 40}`, at, 0] as const);
  const data = dataOf(chartOf(rows, { groupBy: 'region' }), 'column');
  assert.equal(data.labels.length, MAX_COLUMNS);
  assert.equal(data.series.length, MAX_SERIES);
  assert.deepEqual([data.pointCount, data.seriesCount], [500, 40]);
});

test('toChartData keeps every peak of a long line', () => {
  const rows = Array.from(
    { length: 50_000 },
    (_, at) => [at, '', at % 5000 === 777 ? 1000 : at % 7, at === 31_234 ? -50 : 1] as const,
  );
  const data = dataOf(chartOf(rows, { measures: ['sales', 'costs'] }));
  const drawn = data.series.flatMap(({ values }) => values);
  assert.ok(drawn.length <= MAX_LINE_POINTS, String(drawn.length));
  assert.equal(drawn.filter((value) => value === 1000).length, 10);
  assert.equal(drawn.filter((value) => value === -50).length, 1);
  const order = data.labels.map((label) => Number(label.slice(1, -1)));
  assert.deepEqual(
    order,
    [...order].sort((left, right) => left - right),
  );
});

test('hasNumbers is false for a chart without rows, measures or numbers', () => {
  assert.equal(hasNumbers(dataOf(chartOf(ROWS))), true);
  assert.equal(hasNumbers(dataOf(chartOf([]))), false);
  assert.equal(hasNumbers(dataOf(chartOf(ROWS, { measures: ['unknown'] }))), false);
  assert.equal(hasNumbers(dataOf(chartOf(ROWS, { measures: ['region'] }), 'pie')), false);
});

test('toChartData groups by a column in which every value is different', () => {
  // All series of all groups would have 900 million values.
  const rows = Array.from({ length: 30_000 }, (_, at) => [
    `m${String(at)}`,
    `r${String(at)}`,
    at,
    0,
  ]);
  const data = dataOf(chartOf(rows, { groupBy: 'region' }));
  assert.equal(data.seriesCount, rows.length);
  assert.equal(data.pointCount, rows.length);
  assert.deepEqual(
    data.series.map(({ name }) => name),
    Array.from({ length: MAX_SERIES }, (_, at) => `r${String(at)}`),
  );
});

test('toChartData draws no gap of a long line instead of its lowest point', () => {
  const rows = Array.from({ length: 6000 }, (_, at) => [
    at,
    '',
    at % 3 === 0 ? null : 5 + (at % 7),
    0,
  ]);
  const [series] = dataOf(chartOf(rows)).series;
  assert.equal(series?.values.includes(null), false);
  assert.deepEqual([Math.min(...(series?.values as number[])), series?.name], [5, 'sales']);
});

for (const measures of [['sales'], ['sales', 'costs']]) {
  test(`toChartData keeps a long gap of a long line with ${String(measures.length)} series`, () => {
    const rows = Array.from({ length: 5000 }, (_, at) => {
      const value = at >= 2000 && at < 2500 ? null : at;
      return [at, '', value, value] as const;
    });
    const { labels, series } = dataOf(chartOf(rows, { measures }));
    const order = labels.map((label) => Number(label.slice(1, -1)));
    const gap = order.filter((at) => at >= 2000 && at < 2500);
    assert.ok(gap.length > 0);
    for (const { values } of series) {
      const nulls = order.filter((_, index) => values[index] === null);
      assert.deepEqual(nulls, gap);
    }
  });
}

test('toChartData draws only the first of equal points in each section of a long line', () => {
  const rows = Array.from({ length: 4000 }, (_, at) => [at, '', 1, 0]);
  const { labels } = dataOf(chartOf(rows));
  assert.equal(labels.length, MAX_LINE_POINTS / 2);
  assert.deepEqual(labels.slice(0, 2), ['<0>', '<4>']);
});
