// Limits of single parser functions; the parser as a whole is compared with the CommonMark examples.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTable, splitRow } from '../../src/markdown/parser/table-syntax.js';
import { readInlineHtml } from '../../src/markdown/parser/html.js';
import { MAX_SPAN, MAX_TABLE_COLUMNS } from '../../src/markdown/parser/limits.js';
import { partialMarkStart } from '../../src/markdown/parser/characters.js';

test('splitRow returns at most as many cells as a table may have columns', () => {
  const row = (cell: string): string => `|${`${cell}|`.repeat(MAX_TABLE_COLUMNS + 1)}`;
  assert.equal(splitRow(row('a')).length, MAX_TABLE_COLUMNS);
  assert.equal(readTable(row('a'), row('-'))?.header.length, MAX_TABLE_COLUMNS);
});

test('partialMarkStart returns the position of an unfinished mark', () => {
  assert.equal(partialMarkStart('\ue000ab'), 0);
  assert.equal(partialMarkStart('text \ue000ab'), 5);
  assert.equal(partialMarkStart('text'), 4);
  assert.equal(partialMarkStart('\ue000ab\ue001'), 4);
});

test('partialMarkStart ignores a mark over the limit', () => {
  const mark = (length: number): string => '\ue000'.padEnd(length, 'a');
  assert.equal(partialMarkStart(mark(MAX_SPAN - 1)), 0);
  assert.equal(partialMarkStart(mark(MAX_SPAN)), MAX_SPAN);
});

test('readInlineHtml reports incomplete HTML up to the limit of a span', () => {
  assert.equal(readInlineHtml('<b>x'), 3);
  for (const text of ['<', '<b', '<b title="', '</', '<!', '<!-- a', '<?x']) {
    assert.equal(readInlineHtml(text), 'incomplete', text);
  }
  for (const text of ['<3 you', '< b', '<b <', '</ b'])
    assert.equal(readInlineHtml(text), null, text);
  assert.equal(readInlineHtml(`<b title="${'a'.repeat(MAX_SPAN)}`), null);
});
