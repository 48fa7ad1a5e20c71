import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareRows } from '../../../src/controller/checkpoints/compare-rows.js';
import { createRandom, pickIndex } from '../../helpers/seeded-random.js';

const compare = (left: string, right: string): unknown[] => {
  const found = compareRows([...left], [...right]);
  return [[...found.left], [...found.right], found.exact];
};

test('compareRows finds no difference between equal rows', () => {
  assert.deepEqual(compare('', ''), [[], [], true]);
  assert.deepEqual(compare('abc', 'abc'), [[], [], true]);
});

test('compareRows finds rows of one side only', () => {
  assert.deepEqual(compare('abc', 'abxc'), [[], [2], true]);
  assert.deepEqual(compare('abc', 'ac'), [[1], [], true]);
  assert.deepEqual(compare('abc', 'xyz'), [[0, 1, 2], [0, 1, 2], true]);
  assert.deepEqual(compare('aa', 'a'), [[1], [], true]);
  assert.deepEqual(compare('xaybz', 'aqb'), [[0, 2, 4], [1], true]);
});

test('compareRows of swapped rows keeps the row that comes first on the right side', () => {
  assert.deepEqual(compare('ab', 'ba'), [[0], [1], true]);
});

test('the rows in which compareRows finds no difference are a longest common subsequence', () => {
  const random = createRandom(7);
  const createRows = (): string[] =>
    Array.from({ length: pickIndex(random, 9) }, () => 'abc'[pickIndex(random, 3)] ?? '');
  for (let round = 0; round < 500; round++) {
    const [left, right] = [createRows(), createRows()];
    const found = compareRows(left, right);
    const kept = (all: readonly string[], gone: ReadonlySet<number>): string =>
      all.filter((_, at) => !gone.has(at)).join('');
    assert.equal(kept(left, found.left), kept(right, found.right));
    assert.equal(kept(left, found.left).length, longest(left, right));
  }
});

/** The length of a longest common subsequence, by exhaustive search. */
function longest([first, ...left]: readonly string[], right: readonly string[]): number {
  if (first === undefined) return 0;
  const at = right.indexOf(first);
  const without = longest(left, right);
  return at < 0 ? without : Math.max(without, 1 + longest(left, right.slice(at + 1)));
}

test('compareRows does not compare too many rows, but still finds equal rows at both ends', () => {
  const end = Array.from({ length: 5000 }, (_, at) => `end ${at}`);
  const rows = (name: string): string[] => Array.from({ length: 1001 }, (_, at) => `${name} ${at}`);
  const found = compareRows(['start', ...rows('l'), ...end], ['start', ...rows('r'), ...end]);
  assert.deepEqual([found.left.size, found.right.size, found.exact], [1001, 1001, false]);
  assert.equal(found.left.has(0), false);
});

test('compareRows compares a million pairs exactly', () => {
  const rows = (name: string): string[] => Array.from({ length: 1000 }, (_, at) => `${name} ${at}`);
  const left = rows('l');
  const found = compareRows(left, rows('r').with(500, 'l 500'));
  assert.deepEqual([found.left.size, found.right.size, found.exact], [999, 999, true]);
});
