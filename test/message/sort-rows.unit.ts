import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortRows, type SortDirection } from '../../src/message/data/sort-rows.js';
import type { DataCell, DataColumn } from '../../src/model/part.js';
import { createRandom, pickIndex } from '../helpers/seeded-random.js';

/** Runs the sort of one column until it is done, and counts its steps. */
function sortColumn(
  cells: readonly DataCell[],
  type: DataColumn['type'],
  direction: SortDirection = 'ascending',
) {
  const dataset = { columns: [{ name: 'c', type }], rows: cells.map((cell) => [cell]) };
  const sort = sortRows(dataset, 0, direction, 'en');
  for (let steps = 1; ; steps += 1) {
    const { done, value } = sort.next();
    if (done) return { cells: value.map((index) => cells[index]), order: value, steps };
  }
}

test('sortRows sorts numbers by value, including numbers in texts', () => {
  const { cells } = sortColumn([10, '9.5', -3, '100'], 'number');
  assert.deepEqual(cells, [-3, '9.5', 10, '100']);
});

test('sortRows sorts texts in the collation of the language, with numbers in them by value', () => {
  const { cells } = sortColumn(['b', 'a10', 'é', 'a9', 'f'], 'text');
  assert.deepEqual(cells, ['a9', 'a10', 'b', 'é', 'f']);
});

test('sortRows sorts dates by time, whatever their zone', () => {
  const { cells } = sortColumn(
    ['2024-03-01T00:00:00+02:00', '2024-02-29', '2024-02-29 23:00'],
    'date',
  );
  assert.deepEqual(cells, ['2024-02-29', '2024-03-01T00:00:00+02:00', '2024-02-29 23:00']);
});

test('sortRows puts empty cells last in both directions', () => {
  assert.deepEqual(sortColumn([null, 2, '', 1], 'number').cells, [1, 2, null, '']);
  assert.deepEqual(sortColumn([null, 2, '', 1], 'number', 'descending').cells, [2, 1, null, '']);
});

test('sortRows puts numbers before texts', () => {
  assert.deepEqual(sortColumn(['n/a', 2, 'x', 1], 'number').cells, [1, 2, 'n/a', 'x']);
});

test('sortRows sorts false before true', () => {
  assert.deepEqual(sortColumn([true, false], 'boolean').cells, [false, true]);
});

test('sortRows reads a missing cell as empty', () => {
  const dataset = { columns: [{ name: 'c', type: 'text' as const }], rows: [[], ['a']] };
  const sort = sortRows(dataset, 0, 'ascending', 'en');
  assert.equal(sort.next().done, false);
  assert.deepEqual(sort.next().value, [1, 0]);
});

for (const length of [0, 1, 255, 256, 257, 5000]) {
  test(`sortRows returns the same order as a stable sort of ${length} rows`, () => {
    const random = createRandom(length);
    const cells = Array.from({ length }, () => pickIndex(random, 50));
    const expected = [...cells.keys()].sort((a, b) => (cells[a] ?? 0) - (cells[b] ?? 0));
    assert.deepEqual(sortColumn(cells, 'number').order, expected);
  });
}

test('sortRows yields after each 256 rows that it sorts or merges', () => {
  const length = 256 * 32;
  const cells = [...Array(length).keys()].reverse();
  // 32 runs are sorted, and merged in 5 rounds. In each round only the half of the rows with the smaller values is compared one by one (16 * 256
  // rows): the other half follows it, and is appended without a step.
  assert.ok(sortColumn(cells, 'number').steps >= 32 + 5 * 16);
});

test('sortRows puts a number before a text that is smaller in the collation, and after it in descending order', () => {
  assert.deepEqual(sortColumn(['-', 2, '!', 1], 'number').cells, [1, 2, '-', '!']);
  assert.deepEqual(sortColumn(['-', 2], 'number', 'descending').cells, ['-', 2]);
});
