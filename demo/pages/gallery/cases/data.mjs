/** @import { Case } from '../cases.mjs' */
/** @import * as Ubik from 'ubik-elements' */
import { find, makeTranscript, press } from '../kit/make.mjs';
import { answer, say } from '../kit/write.mjs';

/**
 * A part with data after a sentence.
 *
 * @param {string} name @param {string} title @param {Ubik.PartTree} part @param {Case['act']} [act]
 * @returns {Case}
 */
const data = (name, title, part, act) => ({
  name: `data-${name}`,
  title,
  make: (look) => makeTranscript(look, [answer([say('Here is what I found.'), part])]),
  act: async (element) => {
    await find(element, '.data figure, .data > div');
    await act?.(element);
  },
});

/** @type {(Ubik.PartTree & { kind: 'table' })['columns']} */
const COLUMNS = [
  { name: 'river', type: 'text' },
  { name: 'length_km', type: 'number' },
  { name: 'measured', type: 'date' },
  { name: 'navigable', type: 'boolean' },
  { name: 'mouth', type: 'text' },
];

/** @type {Ubik.PartTree & { kind: 'table' }} */
const RIVERS = {
  kind: 'table',
  key: 'data',
  title: 'Longest rivers of Europe',
  description: 'Measured along the main arm.',
  columns: COLUMNS,
  rows: [
    ['Volga', 3531, '2024-03-01', true, 'Caspian Sea'],
    ['Danube', 2850, '2023-11-20', true, 'Black Sea'],
    ['Ural', 2428, null, false, 'Caspian Sea'],
    ['Dnieper', 2201, '2021-07-05', true, 'Black Sea'],
    [
      'Don',
      1870,
      '2019-05-30',
      true,
      'Sea of Azov, an inland shelf sea that is connected to the Black Sea by the Strait of Kerch',
    ],
  ],
  total: 5,
  source:
    'SELECT river, length_km, measured, navigable, mouth FROM rivers WHERE length_km > 1800 ORDER BY length_km DESC LIMIT 5',
};

const wideColumns = Array.from({ length: 12 }, (_, index) => ({
  name: `station_${index + 1}`,
  type: /** @type {const} */ ('number'),
}));

/** @type {readonly Case[]} */
export const dataCases = [
  data('table', 'Table', RIVERS),
  data('table-sorted', 'Sorted table', RIVERS, async (element) => {
    await press(element, '.sort');
  }),
  data('table-pages', 'Table with pages (10,000 rows)', {
    ...RIVERS,
    title: 'Levels',
    description: '',
    columns: wideColumns,
    rows: Array.from({ length: 10_000 }, (_, row) =>
      wideColumns.map((__, column) => ((row * 7919 + column * 104_729) % 1_000_003) / 10),
    ),
    total: 52_310,
    source: '',
  }),
  data('table-query', 'Table with its SQL query expanded', RIVERS, async (element) => {
    await press(element, '.data summary');
  }),
  data('code', 'Code with output and errors', {
    kind: 'code',
    key: 'data',
    language: 'python',
    code: 'import sqlite3\n\nrows = sqlite3.connect("rivers.db").execute("SELECT * FROM rivers")\nprint(max(rows, key=lambda row: row[1]))\n',
    output: "('Volga', 3531)\n",
    error: 'DeprecationWarning: the default adapter is deprecated',
  }),
  data('metric', 'Metric with one value', {
    kind: 'metric',
    key: 'data',
    title: 'Level of the Danube',
    unit: 'm',
    query: 'avg(level{river="Danube"})',
    columns: [
      { name: 'station', type: 'text' },
      { name: 'day', type: 'date' },
      { name: 'level', type: 'number' },
    ],
    rows: [['Vienna', '2024-03-01', '3.20']],
  }),
  data('metric-several', 'Metric with several values', {
    kind: 'metric',
    key: 'data',
    title: 'Level of the Danube',
    unit: 'm',
    query: '',
    columns: [
      { name: 'station', type: 'text' },
      { name: 'level', type: 'number' },
    ],
    rows: [
      ['Vienna', 3.2],
      ['Linz', 4],
      ['Passau', 5.75],
    ],
  }),
  data('table-empty', 'Table without rows', {
    ...RIVERS,
    description: '',
    rows: [],
    total: 0,
    source: '',
  }),
];
