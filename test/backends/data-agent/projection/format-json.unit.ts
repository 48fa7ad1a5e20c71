import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatJson,
  toMarkdown,
} from '../../../../src/backends/data-agent/projection/format-json.js';

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
