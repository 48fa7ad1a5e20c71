import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toDataset } from '../../../../src/backends/data-agent/projection/datasets.js';

/** Names and types of the columns. */
const columnsOf = (data: unknown): string[] | undefined =>
  toDataset(data)?.columns.map(({ name, type }) => `${name} ${type}`);

test('toDataset reads rows from a list of objects', () => {
  assert.deepEqual(
    toDataset([
      { a: 1, b: 'x' },
      { a: 2, c: true },
    ]),
    {
      columns: [
        { name: 'a', type: 'number' },
        { name: 'b', type: 'text' },
        { name: 'c', type: 'boolean' },
      ],
      rows: [
        [1, 'x', null],
        [2, null, true],
      ],
    },
  );
});

test('toDataset reads columns from an object of lists of any length', () => {
  assert.deepEqual(toDataset({ a: [1, 2], b: ['x'], c: [] }), {
    columns: [
      { name: 'a', type: 'number' },
      { name: 'b', type: 'text' },
      { name: 'c', type: 'text' },
    ],
    rows: [
      [1, 'x', null],
      [2, null, null],
    ],
  });
});

test('toDataset returns null for values that are neither rows nor columns', () => {
  for (const data of [
    null,
    'x',
    5,
    [],
    {},
    [1],
    [[1]],
    [{ a: 1 }, null],
    { a: 1 },
    { a: [1], b: 2 },
    [{}],
  ])
    assert.equal(toDataset(data), null, JSON.stringify(data));
});

test('toDataset finds the common type of all values of a column', () => {
  const typeOf = (...values: unknown[]): string | undefined =>
    columnsOf(values.map((a) => ({ a })))?.[0]?.slice(2);
  assert.equal(typeOf(1, null, '2.5', '-0.5'), 'number');
  for (const id of ['12', '0042']) assert.equal(typeOf(id), 'text', 'digits may be an identifier');
  assert.equal(typeOf(1, 'x'), 'text');
  assert.equal(typeOf(true, false), 'boolean');
  assert.equal(typeOf(true, 1), 'text');
  assert.equal(typeOf('2026-01-31', '2026-01-31T12:00:00Z', null), 'date');
  assert.equal(typeOf('2026-01-31', 'soon'), 'text');
  assert.equal(typeOf(null), 'text');
});

test('toDataset serializes objects in cells as JSON with sorted keys', () => {
  assert.deepEqual(toDataset([{ a: { y: 1, x: 2 }, b: [1] }])?.rows, [['{"x":2,"y":1}', '[1]']]);
});

test('toDataset returns null for a large table of which most cells would be empty', () => {
  const range = [...Array(2000).keys()];
  assert.equal(toDataset(range.map((index) => ({ [`id_${index}`]: index }))), null);
  const lists = Object.fromEntries(range.map((index) => [`b${index}`, [index]]));
  assert.equal(toDataset({ a: range, ...lists }), null);
  // A million cells, 1,000 rows of 1,000 columns, are not too large.
  assert.equal(
    toDataset(range.slice(1000).map((index) => ({ [`id_${index}`]: 1 })))?.rows.length,
    1000,
  );
});

test('toDataset reads a large table of which some cells are empty', () => {
  const names = [...Array(20).keys()].map((index) => `c${index}`);
  const record = Object.fromEntries(names.slice(10).map((name) => [name, 1]));
  const records = Array.from({ length: 60_000 }, () => record);
  const first = Object.fromEntries(names.map((name) => [name, 1]));
  assert.deepEqual(
    toDataset([first, ...records])
      ?.rows.at(-1)
      ?.slice(8, 12),
    [null, null, 1, 1],
  );
});

test('toDataset reads an object of very many lists', () => {
  const lists = Object.fromEntries([...Array(200_000).keys()].map((index) => [`a${index}`, [1]]));
  assert.equal(toDataset(lists)?.columns.length, 200_000);
});
