import assert from 'node:assert/strict';
import { test } from 'node:test';
import { equalJson, isSafePath, setIn } from '../../src/model/json.js';

test('setIn sets a field and shares the values off the path', () => {
  const before = { a: { b: 1 }, c: { d: 2 } };
  const after = setIn(before, ['a', 'b'], 3) as typeof before;
  assert.deepEqual(after, { a: { b: 3 }, c: { d: 2 } });
  assert.equal(after.c, before.c);
  assert.deepEqual(before, { a: { b: 1 }, c: { d: 2 } });
});

test('setIn creates missing objects and arrays on the path, and replaces values of other types', () => {
  assert.deepEqual(setIn(undefined, ['a', 'b'], true), { a: { b: true } });
  assert.deepEqual(setIn(null, ['a'], 1), { a: 1 });
  assert.deepEqual(setIn([1], ['a'], 1), { a: 1 });
  assert.deepEqual(setIn('text', [0], 1), [1]);
});

test('setIn removes fields and array items', () => {
  assert.deepEqual(setIn({ a: 1, b: 2 }, ['a'], undefined), { b: 2 });
  assert.deepEqual(setIn([1, 2, 3], [1], undefined), [1, 3]);
  assert.deepEqual(setIn({ a: { b: 1 } }, ['a', 'b'], undefined), { a: {} });
  assert.equal(setIn({ a: 1 }, [], undefined), null);
});

test('setIn sets array items up to one after the end, and ignores later indexes', () => {
  assert.deepEqual(setIn([1, 2], [0], 3), [3, 2]);
  assert.deepEqual(setIn([1, 2], [2], 3), [1, 2, 3]);
  assert.deepEqual(setIn([1, 2], [3], 4), [1, 2]);
  assert.deepEqual(setIn([{ a: 1 }], [0, 'a'], 2), [{ a: 2 }]);
});

test('isSafePath allows 32 steps, indexes below 10,000, and no prototype names', () => {
  const path = (length: number): string[] => Array.from({ length }, () => 'a');
  assert.deepEqual([isSafePath(path(32)), isSafePath(path(33))], [true, false]);
  assert.deepEqual(
    [0, 9999, 10_000, -1, 0.5, NaN].map((index) => isSafePath(['a', index])),
    [true, true, false, false, false, false],
  );
  for (const name of ['__proto__', 'prototype', 'constructor'])
    assert.equal(isSafePath(['a', name, 'b']), false);
  assert.equal(isSafePath(['constructors']), true);
});

/** An object in an object, and so on. */
const nest = (depth: number): object => (depth === 0 ? {} : { a: nest(depth - 1) });

test('equalJson ignores the order of names, and distinguishes names, values and types', () => {
  assert.equal(equalJson({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }), true);
  const pairs: readonly (readonly [unknown, unknown])[] = [
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: undefined }, { b: undefined }],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{}, []],
    [[1, 2], [1]],
    [null, {}],
    [{}, null],
    ['1', 1],
    ['a', {}],
    [{}, 'a'],
    // Values of different types that both have no entries, or the same entries.
    [{}, 7],
    [true, {}],
    ['a', { 0: 'a' }],
    [{ 0: 'a' }, 'a'],
  ];
  for (const [left, right] of pairs)
    assert.equal(equalJson(left, right), false, JSON.stringify([left, right]));
});

test('equalJson compares up to 100 levels', () => {
  assert.equal(equalJson(nest(99), nest(99)), true);
  assert.equal(equalJson(nest(100), nest(100)), false);
});
