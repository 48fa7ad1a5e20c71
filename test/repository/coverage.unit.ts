import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Coverage } from '../../scripts/coverage.mjs';

/** A script in the form of V8's coverage, with one function for each range. */
const script = (url: string, ranges: readonly (readonly [number, number, number])[]) => ({
  url,
  functions: ranges.map(([startOffset, endOffset, count]) => ({
    ranges: [{ startOffset, endOffset, count }],
  })),
});

test('coverage counts a character as covered when any process has executed it', () => {
  const coverage = new Coverage();
  coverage.add(
    'a.js',
    script('a.js', [
      [0, 20, 1],
      [0, 9, 0],
      [10, 20, 1],
    ]),
  );
  assert.deepEqual([...coverage.characters('a.js')].slice(8, 11), [0, 1, 1]);
  coverage.add(
    'a.js',
    script('a.js', [
      [0, 20, 1],
      [0, 9, 1],
      [10, 20, 0],
    ]),
  );
  assert.ok([...coverage.characters('a.js')].every((hasRun) => hasRun === 1));
});

test('coverage prefers an inner range without executions to the range around it', () => {
  const coverage = new Coverage();
  const inner = { startOffset: 4, endOffset: 6, count: 0 };
  const outer = { startOffset: 0, endOffset: 10, count: 3 };
  coverage.add('b.js', { url: 'b.js', functions: [{ ranges: [outer, inner] }] });
  assert.deepEqual([...coverage.characters('b.js')], [1, 1, 1, 1, 0, 0, 1, 1, 1, 1]);
});
