import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printJson, toMarkdown } from '../../../../src/backends/data-agent/view/format-json.js';
import {
  asText,
  findText,
  isBlank,
  readAt,
  readString,
} from '../../../../src/backends/data-agent/view/read-json.js';

test('readAt returns the value at a path of own properties', () => {
  const value = { a: [{ b: 1 }], n: null };
  assert.equal(readAt(value, 'a', 0, 'b'), 1);
  assert.equal(readAt(value), value);
  for (const path of [['x'], ['a', 1], ['n', 'x'], ['a', 0, 'b', 'c'], ['toString']])
    assert.equal(readAt(value, ...path), undefined, path.join('/'));
});

test('readString reads the string at a joined path', () => {
  const value = { a: { b: 'text', n: 1 } };
  assert.equal(readString(value, 'a/b'), 'text');
  assert.equal(readString('itself', ''), 'itself');
  assert.deepEqual([readString(value, 'a/n'), readString(value, ''), asText(5)], ['', '', '']);
});

test('findText returns the first text that is not blank', () => {
  assert.equal(findText({ a: ' ', b: 5, c: 'text', d: 'other' }, 'a', 'b', 'c', 'd'), 'text');
  assert.equal(findText({ a: '' }, 'a', 'b'), '');
});

test('isBlank is true for values without content', () => {
  for (const value of [null, undefined, '', ' \n', ' '.repeat(200), [], {}, [null, ''], { a: '' }])
    assert.equal(isBlank(value), true, JSON.stringify(value));
  for (const value of ['x', ' '.repeat(201), 0, false, [0], { a: {} }, [undefined, ' ']])
    assert.equal(isBlank(value), false, JSON.stringify(value));
});

test('printJson sorts names except inside lists', () => {
  assert.equal(
    printJson({ b: [{ d: 1, c: 2 }], a: { f: 1, e: 2 } }),
    '{"a":{"e":2,"f":1},"b":[{"d":1,"c":2}]}',
  );
  assert.equal(printJson({ a: 1 }, 2), '{\n  "a": 1\n}');
  assert.equal(printJson(undefined), '');
});

test('toMarkdown converts texts, lists of texts and JSON', () => {
  assert.equal(toMarkdown('*text*'), '*text*');
  assert.deepEqual([toMarkdown(null), toMarkdown(undefined)], ['', '']);
  assert.equal(toMarkdown(['a', 'b\nc']), '- a\n- b\n  c');
  assert.equal(toMarkdown([]), '```json\n[]\n```');
  assert.equal(toMarkdown(['a', 1]), '```json\n[\n  "a",\n  1\n]\n```');
  assert.equal(toMarkdown({ a: '```' }), '````json\n{\n  "a": "```"\n}\n````');
});
