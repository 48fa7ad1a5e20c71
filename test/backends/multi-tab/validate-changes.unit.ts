import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasFields, isPlainData } from '../../../src/backends/multi-tab/validate-changes.js';

/** Arrays nested to this depth. */
function nest(depth: number): unknown {
  return depth === 0 ? null : [nest(depth - 1)];
}

test('isPlainData accepts values up to the limits of number, depth and text', () => {
  const values = (count: number) => Array.from({ length: count - 1 }, () => 0);
  assert.deepEqual([isPlainData(values(500_000)), isPlainData(values(500_001))], [true, false]);
  assert.deepEqual([isPlainData(nest(100)), isPlainData(nest(101))], [true, false]);
  // All events of a run have up to half as much text.
  const limit = 128 * 1024 * 1024;
  const text = 'x'.repeat(limit / 2);
  assert.deepEqual(
    [isPlainData([text, text]), isPlainData([text, text, 'x']), isPlainData({ x: [text, text] })],
    [true, false, false],
  );
});

test('isPlainData rejects values that are not JSON, class instances and unsafe names', () => {
  const cases: readonly (readonly [unknown, boolean])[] = [
    [null, true],
    [true, true],
    [1.5, true],
    [Infinity, false],
    [NaN, false],
    [undefined, false],
    [{ a: undefined }, false],
    [[1, () => 1], false],
    [Object.create(null), true],
    [new Map(), false],
    [{ a: { prototype: 1 } }, false],
    [[{ constructor: 1 }], false],
  ];
  for (const [at, [value, isPlain]] of cases.entries())
    assert.equal(isPlainData(value), isPlain, String(at));
});

test('hasFields checks the types of own fields', () => {
  const value = { s: 'x', n: 1, b: false, l: [1], t: ['x'], o: {}, j: null, z: null };
  assert.equal(hasFields(value, 's:s n:n b:b l:l t:t o:o j:j z:s?'), true);
  for (const shape of ['s:n', 'n:s', 'b:s', 'l:t', 't:o', 'o:l', 'z:s', 'missing:j', 'toString:j'])
    assert.equal(hasFields(value, shape), false, shape);
  assert.equal(hasFields([], 'length:n'), false);
});
