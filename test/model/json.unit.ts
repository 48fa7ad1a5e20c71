import assert from 'node:assert/strict';
import { test } from 'node:test';
import { equalJson, isSafePath, setIn } from '../../src/model/json.js';

test('sets a field and shares what lies beside its path', () => {
  const before = { a: { b: 1 }, c: { d: 2 } };
  const after = setIn(before, ['a', 'b'], 3) as typeof before;
  assert.deepEqual(after, { a: { b: 3 }, c: { d: 2 } });
  assert.equal(after.c, before.c);
  assert.deepEqual(before, { a: { b: 1 }, c: { d: 2 } });
});

test('makes the objects that are missing on a path', () => {
  assert.deepEqual(setIn(undefined, ['a', 'b'], true), { a: { b: true } });
  assert.deepEqual(setIn(null, ['a'], 1), { a: 1 });
  assert.deepEqual(setIn([1], ['a'], 1), { a: 1 });
  assert.deepEqual(setIn('text', [0], 1), [1]);
});

test('removes a field, and an item with its place', () => {
  assert.deepEqual(setIn({ a: 1, b: 2 }, ['a'], undefined), { b: 2 });
  assert.deepEqual(setIn([1, 2, 3], [1], undefined), [1, 3]);
  assert.deepEqual(setIn({ a: { b: 1 } }, ['a', 'b'], undefined), { a: {} });
  assert.equal(setIn({ a: 1 }, [], undefined), null);
});

test('sets an item inside a list and right behind its end, and none further on', () => {
  assert.deepEqual(setIn([1, 2], [0], 3), [3, 2]);
  assert.deepEqual(setIn([1, 2], [2], 3), [1, 2, 3]);
  assert.deepEqual(setIn([1, 2], [3], 4), [1, 2]);
  assert.deepEqual(setIn([{ a: 1 }], [0, 'a'], 2), [{ a: 2 }]);
});

test('allows paths of up to 32 steps, indexes below 10,000, and no name that reaches a prototype', () => {
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

test('compares data by what it holds, whatever the order of names', () => {
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
  ];
  for (const [left, right] of pairs)
    assert.equal(equalJson(left, right), false, JSON.stringify([left, right]));
});

test('compares data of up to 100 levels', () => {
  assert.equal(equalJson(nest(99), nest(99)), true);
  assert.equal(equalJson(nest(100), nest(100)), false);
});
