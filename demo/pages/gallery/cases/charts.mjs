/** @import { Case } from '../cases.mjs' */
/** @import * as Ubik from 'ubik-elements' */
import { find, makeTranscript, press } from '../kit/make.mjs';
import { answer, say } from '../kit/write.mjs';

const MONTHS = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06', '2026-07'];
const REGIONS = ['North', 'South', 'West'];

/** @param {Partial<Extract<Ubik.PartTree, { kind: 'chart' }>>} more @returns {Ubik.PartTree} */
const chart = (more) => ({
  kind: 'chart',
  key: 'chart',
  title: 'Passengers by month and region',
  chartType: 'line',
  columns: [
    { name: 'Month', type: 'text' },
    { name: 'Region', type: 'text' },
    { name: 'Passengers', type: 'number' },
  ],
  rows: MONTHS.flatMap((month, at) =>
    REGIONS.map((region, index) => [
      month,
      region,
      Math.round(24_000 + 9000 * Math.sin(at + index * 1.7) + 2500 * at * (index + 1)),
    ]),
  ),
  dimension: 'Month',
  measures: ['Passengers'],
  groupBy: 'Region',
  ...more,
});

/** @param {string} name @param {string} title @param {readonly Ubik.PartTree[]} parts @param {Case['act']} [act] @returns {Case} */
const chartCase = (name, title, parts, act) => ({
  name: `data-${name}`,
  title,
  make: (look) => makeTranscript(look, [answer(parts)]),
  ...(act && { act }),
});

/** Waits until a chart is rendered. @param {Element} element */
const waitForChart = (element) => find(element, '.chart .hidden table');

/** @type {readonly Case[]} */
export const chartCases = [
  chartCase('chart-line', 'Line chart', [chart({}), say('More in summer.')], waitForChart),
  chartCase('chart-column', 'Column chart', [chart({ chartType: 'column' })], waitForChart),
  chartCase(
    'chart-pie',
    'Pie chart',
    [chart({ chartType: 'pie', dimension: 'Region', groupBy: null, title: 'By region' })],
    waitForChart,
  ),
  chartCase(
    'chart-ring',
    'Ring chart with many slices',
    [
      chart({
        chartType: 'ring',
        groupBy: null,
        title: 'By month and week',
        rows: Array.from({ length: 14 }, (_, at) => [`Week ${at + 1}`, '', 100 + at * 7]),
      }),
    ],
    waitForChart,
  ),
  {
    ...chartCase('chart-dialog', 'Enlarged chart in a dialog', [chart({})], async (element) => {
      await waitForChart(element);
      await press(element, '.chart figcaption button');
    }),
    alone: 'modal',
  },
  chartCase('chart-table', 'Chart without measures, shown as a table', [chart({ measures: [] })]),
];
