import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  asString,
  readFirstNonBlank,
  isBlank,
  joinPath,
  readAt,
  readStringAt,
  splitPath,
} from '../../../../src/backends/data-agent/projection/read-json.js';

test('readAt returns the value at a path of own properties', () => {
  const value = { a: [{ b: 1 }], n: null };
  assert.equal(readAt(value, 'a', 0, 'b'), 1);
  assert.equal(readAt(value), value);
  for (const path of [['x'], ['a', 1], ['n', 'x'], ['a', 0, 'b', 'c'], ['toString']])
    assert.equal(readAt(value, ...path), undefined, path.join('/'));
});

test('readStringAt reads the string at a joined path', () => {
  const value = { a: { b: 'text', n: 1 } };
  assert.equal(readStringAt(value, 'a/b'), 'text');
  assert.equal(readStringAt('itself', ''), 'itself');
  assert.deepEqual(
    [readStringAt(value, 'a/n'), readStringAt(value, ''), asString(5)],
    ['', '', ''],
  );
});

test('joinPath and splitPath keep slashes and tildes in names', () => {
  for (const path of [[], ['a'], ['a/b', '~', '~1', '~0~1/'], ['a', '']]) {
    assert.deepEqual(splitPath(joinPath(path)), path);
  }
  assert.equal(joinPath(['a', 0, 'b/c~d']), 'a/0/b~1c~0d');
  assert.equal(readStringAt({ 'a/b': [{ '~1': 'text' }] }, joinPath(['a/b', 0, '~1'])), 'text');
});

test('readFirstNonBlank returns the first text that is not blank', () => {
  assert.equal(
    readFirstNonBlank({ a: ' ', b: 5, c: 'text', d: 'other' }, 'a', 'b', 'c', 'd'),
    'text',
  );
  assert.equal(readFirstNonBlank({ a: '' }, 'a', 'b'), '');
});

test('isBlank is true for nulls, up to 200 units of white space, and containers of nulls and empty strings', () => {
  for (const value of [null, undefined, '', ' \n', ' '.repeat(200), [], {}, [null, ''], { a: '' }])
    assert.equal(isBlank(value), true, JSON.stringify(value));
  for (const value of ['x', ' '.repeat(201), 0, false, [0], { a: {} }, [undefined, ' ']])
    assert.equal(isBlank(value), false, JSON.stringify(value));
});
