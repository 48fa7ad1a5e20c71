import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../src/model/json.js';
import { asList, asRecord, validateJson } from '../../src/message/request/validate-json.js';

const check = (value: Json, schema: Json): string | null =>
  validateJson(value, schema)?.text ?? null;

test('asRecord and asList accept only objects and arrays', () => {
  assert.deepEqual(asRecord({ a: 1 }), { a: 1 });
  for (const value of [null, [], 'a', 1, true, undefined]) assert.equal(asRecord(value), null);
  assert.deepEqual(asList([1]), [1]);
  for (const value of [null, {}, 'a', 1, undefined]) assert.deepEqual(asList(value), []);
});

test('validateJson checks a value against each type', () => {
  const values: Readonly<Record<string, readonly Json[]>> = {
    integer: [0, -3],
    array: [[], [1]],
    null: [null],
    object: [{}, { a: 1 }],
    string: ['', 'a'],
    boolean: [true, false],
  };
  for (const [type, fitting] of Object.entries(values)) {
    for (const value of Object.values(values).flat()) {
      assert.equal(check(value, { type }), fitting.includes(value) ? null : 'requestType', type);
    }
  }
  assert.equal(check(1.5, { type: 'integer' }), 'requestType');
  assert.equal(check(1.5, { type: 'number' }), null);
});

test('validateJson accepts any of several types, and names all of them in the error', () => {
  const schema = { type: ['string', 7, 'null'] };
  assert.equal(check(null, schema), null);
  assert.equal(check('a', schema), null);
  assert.deepEqual(validateJson(7, schema), {
    path: [],
    text: 'requestType',
    values: { type: 'string / null' },
  });
});

test('validateJson ignores malformed keywords', () => {
  for (const schema of [undefined, null, true, 'string', [], {}]) {
    assert.equal(validateJson('a', schema), null);
  }
  assert.equal(check('a', { type: [7], enum: 'b', minLength: '9', maxLength: null }), null);
});

test('validateJson compares enum values deeply', () => {
  const schema = { enum: ['a', 1, { b: [2] }] };
  for (const value of ['a', 1, { b: [2] }]) assert.equal(check(value, schema), null);
  for (const value of ['b', '1', { b: [3] }, null]) {
    assert.equal(check(value, schema), 'requestNoChoice');
  }
});

test('validateJson treats the bounds of a size as inclusive', () => {
  const number = { minimum: 2, maximum: 4 };
  assert.deepEqual(
    [1, 2, 4, 5].map((value) => check(value, number)),
    ['requestTooSmall', null, null, 'requestTooBig'],
  );
  const text = { minLength: 2, maxLength: 3 };
  // A surrogate pair counts as one character.
  assert.deepEqual(
    ['a', '😀', '😀a', '😀😀😀', '😀😀😀a'].map((value) => check(value, text)),
    ['requestTooShort', 'requestTooShort', null, null, 'requestTooLong'],
  );
  const list = { minItems: 1, maxItems: 2 };
  assert.deepEqual(
    [[], [1], [1, 2], [1, 2, 3]].map((value) => check(value, list)),
    ['requestTooFew', null, null, 'requestTooMany'],
  );
  assert.deepEqual(validateJson(1, number)?.values, { count: 2 });
  assert.deepEqual(validateJson(5, number)?.values, { count: 4 });
});

test('validateJson applies the limits of a type to that type only', () => {
  const rules = { minimum: 9, minLength: 9, minItems: 9 };
  for (const value of [{}, null, true]) assert.equal(check(value, rules), null);
  assert.equal(check(0, { minLength: 9, minItems: 9 }), null);
  assert.equal(check('', { minimum: 9, minItems: 9 }), null);
  assert.equal(check([], { minimum: 9, minLength: 9 }), null);
});

test('validateJson returns the path of an error in arrays and objects, with items counted from 1', () => {
  const schema = {
    type: 'object',
    required: ['trips'],
    properties: { trips: { items: { required: ['days'], properties: { days: { maximum: 3 } } } } },
  };
  assert.equal(check({ trips: [{ days: 3 }] }, schema), null);
  assert.deepEqual(validateJson({}, schema), { path: ['trips'], text: 'requestMissing' });
  assert.deepEqual(validateJson({ trips: [{ days: 1 }, {}] }, schema), {
    path: ['trips', '2', 'days'],
    text: 'requestMissing',
  });
  assert.deepEqual(validateJson({ trips: [{ days: 4 }] }, schema), {
    path: ['trips', '1', 'days'],
    text: 'requestTooBig',
    values: { count: 3 },
  });
  // An optional property may be missing.
  assert.equal(check({}, { properties: { days: { type: 'integer' } } }), null);
  assert.equal(check({}, { required: [7] }), null);
});

test('validateJson returns the first error among several properties and items', () => {
  const properties = { a: { maximum: 3 }, b: { maximum: 3 } };
  assert.deepEqual(validateJson({ a: 1, b: 4 }, { properties })?.path, ['b']);
  assert.deepEqual(validateJson({ a: 5, b: 4 }, { properties })?.path, ['a']);
  assert.deepEqual(validateJson([1, 5, 6], { items: { maximum: 3 } })?.path, ['2']);
});

test('validateJson does not treat inherited names as properties', () => {
  assert.equal(check({}, { required: ['toString'] }), 'requestMissing');
});

test('validateJson validates twenty levels, and no deeper ones', () => {
  const nest = (depth: number, inner: Json, wrap: (value: Json) => Json): Json =>
    depth === 0 ? inner : wrap(nest(depth - 1, inner, wrap));
  const at = (depth: number) =>
    validateJson(
      nest(depth, 'a', (value) => [value]),
      nest(depth, { type: 'number' }, (items) => ({ items })),
    );
  assert.equal(at(20)?.path.length, 20);
  assert.equal(at(21), null);
});
