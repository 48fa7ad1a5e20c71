import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as read from '../../src/backends/fields.js';

/** Parses JSON into fields. */
const parse = (json: string) => read.asFields(JSON.parse(json)) ?? {};

test('readId accepts text and finite numbers and rejects empty ids', () => {
  const cases = [
    ['"a"', 'a'],
    ['7', '7'],
    ['0', '0'],
    ['1e999', null],
    ['true', null],
    ['""', null],
    ['"None"', null],
    ['"null"', null],
    ['null', null],
  ] as const;
  for (const [json, id] of cases)
    assert.equal(read.readId(parse(`{"id":${json}}`), 'id'), id, json);
  assert.equal(read.readId({}, 'id'), null);
});

test('readNumber accepts finite numbers and digits in a text', () => {
  const cases = [
    ['1.5', 1.5],
    ['"2"', 2],
    ['1e999', null],
    ['"many"', null],
    ['" "', null],
    ['""', null],
    ['null', null],
    ['[3]', null],
  ] as const;
  for (const [json, number] of cases) {
    assert.equal(read.readNumber(parse(`{"n":${json}}`), 'n'), number, json);
  }
});

test('readCount accepts whole numbers from 0 to a million', () => {
  const cases = [
    [0, 0],
    [1_000_000, 1_000_000],
    [1_000_001, null],
    [-1, null],
    [1.5, null],
  ] as const;
  for (const [n, count] of cases) assert.equal(read.readCount({ n }, 'n'), count, String(n));
});

test('readPercent clamps to the range from 0 to 100', () => {
  const cases = [
    [-5, 0],
    [42, 42],
    ['99.5', 99.5],
    [250, 100],
    ['?', null],
  ] as const;
  for (const [n, percent] of cases) assert.equal(read.readPercent({ n }, 'n'), percent, String(n));
});

test('readFlag accepts booleans only', () => {
  assert.equal(read.readFlag({ on: true }, 'on'), true);
  assert.equal(read.readFlag({ on: false }, 'on'), false);
  for (const on of [1, 'true', null]) assert.equal(read.readFlag({ on }, 'on'), null);
});

test('readStrings and readIds treat a single text as a list and drop other values', () => {
  assert.deepEqual(read.readStrings({ all: 'one' }, 'all'), ['one']);
  assert.deepEqual(read.readStrings({ all: '' }, 'all'), []);
  assert.deepEqual(read.readStrings({ all: ['a', 1, null, 'b'] }, 'all'), ['a', 'b']);
  assert.deepEqual(read.readStrings({ all: { 0: 'a' } }, 'all'), []);
  assert.deepEqual(read.readIds({ all: 'one' }, 'all'), ['one']);
  assert.deepEqual(read.readIds({ all: ['a', '', 'None', 'b'] }, 'all'), ['a', 'b']);
});

test('readString returns the first of several fields that is a text', () => {
  assert.equal(read.readString({ a: 1, b: 'x', c: 'y' }, 'a', 'b', 'c'), 'x');
  assert.equal(read.readString({ a: '', b: 'x' }, 'a', 'b'), '');
  assert.equal(read.readString({ a: 1 }, 'a', 'b'), null);
});

test('asFields accepts objects only', () => {
  for (const value of [null, [], 'text', 1]) assert.equal(read.asFields(value), null);
  assert.deepEqual(read.asFields({ a: 1 }), { a: 1 });
});

test('omitNulls keeps every value that is not null', () => {
  assert.deepEqual(read.omitNulls({ a: null, b: false, c: 0, d: '' }), {
    b: false,
    c: 0,
    d: '',
  });
});

test('readList reads the response itself or one of its fields, and skips invalid entries', () => {
  const readEntry = read.createRecordReader(({ title }, id) => ({ id, title }));
  const list = [{ id: 'a', title: 'A' }, null, { title: 'no id' }, { id: '' }, { id: 7 }];
  const expected = [
    { id: 'a', title: 'A' },
    { id: '7', title: undefined },
  ];
  assert.deepEqual(read.readList(list, 'items', readEntry), expected);
  assert.deepEqual(read.readList({ items: list }, 'items', readEntry), expected);
  assert.deepEqual(read.readList([], 'items', readEntry), []);
  for (const value of [{ items: {} }, { others: list }, null, 'text']) {
    assert.throws(() => read.readList(value, 'items', readEntry), { code: 'not-an-api' });
  }
});

test('createRecordReader reads the id under the given name', () => {
  const readEntry = read.createRecordReader((_fields, id) => id, 'key');
  assert.equal(readEntry({ key: 'a', id: 'b' }), 'a');
  assert.equal(readEntry({ id: 'b' }), null);
  assert.equal(readEntry(['a']), null);
});

test('toJson keeps every value but undefined, which becomes null', () => {
  for (const value of [false, 0, '', null, ['a']]) assert.equal(read.toJson(value), value);
  assert.equal(read.toJson(undefined), null);
  assert.equal(read.readJson({ a: 0 }, 'a'), 0);
  assert.equal(read.readJson({}, 'a'), null);
});

test('asList accepts arrays only', () => {
  assert.deepEqual(read.asList([1, null]), [1, null]);
  for (const value of [null, { length: 1 }, 'text']) assert.deepEqual(read.asList(value), []);
});
