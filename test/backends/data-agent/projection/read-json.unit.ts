import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatJson,
  toMarkdown,
} from '../../../../src/backends/data-agent/projection/format-json.js';
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

test('isBlank is true for values without content', () => {
  for (const value of [null, undefined, '', ' \n', ' '.repeat(200), [], {}, [null, ''], { a: '' }])
    assert.equal(isBlank(value), true, JSON.stringify(value));
  for (const value of ['x', ' '.repeat(201), 0, false, [0], { a: {} }, [undefined, ' ']])
    assert.equal(isBlank(value), false, JSON.stringify(value));
});

test('formatJson sorts names except inside lists', () => {
  assert.equal(
    formatJson({ b: [{ d: 1, c: 2 }], a: { f: 1, e: 2 } }),
    '{"a":{"e":2,"f":1},"b":[{"d":1,"c":2}]}',
  );
  assert.equal(formatJson({ a: 1 }, 2), '{\n  "a": 1\n}');
  assert.equal(formatJson(undefined), '');
});

test('toMarkdown converts texts, lists of texts and JSON', () => {
  assert.equal(toMarkdown('*text*'), '*text*');
  assert.deepEqual([toMarkdown(null), toMarkdown(undefined)], ['', '']);
  assert.equal(toMarkdown(['a', 'b\nc']), '- a\n- b\n  c');
  assert.equal(toMarkdown([]), '```json\n[]\n```');
  assert.equal(toMarkdown(['a', 1]), '```json\n[\n  "a",\n  1\n]\n```');
  assert.equal(toMarkdown({ a: '```' }), '````json\n{\n  "a": "```"\n}\n````');
});
