/** Where the readers of single lines and signs draw their limits; what the whole of them makes is compared with CommonMark. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTable, splitRow } from '../../src/markdown/blocks/table-syntax.js';
import { inlineHtmlEnd } from '../../src/markdown/syntax/html-syntax.js';
import { MAX_SPAN, MAX_TABLE_COLUMNS } from '../../src/markdown/syntax/limits.js';
import { growingMark } from '../../src/markdown/syntax/marks.js';

test('a row has no more cells than a table may have columns', () => {
  const row = (cell: string): string => `|${`${cell}|`.repeat(MAX_TABLE_COLUMNS + 1)}`;
  assert.equal(splitRow(row('a')).length, MAX_TABLE_COLUMNS);
  assert.equal(readTable(row('a'), row('-'))?.header.length, MAX_TABLE_COLUMNS);
});

test('a mark that is being written begins at its sign, also when nothing stands before it', () => {
  assert.equal(growingMark('\ue000ab'), 0);
  assert.equal(growingMark('text \ue000ab'), 5);
  assert.equal(growingMark('text'), 4);
  assert.equal(growingMark('\ue000ab\ue001'), 4);
});

test('a mark that grows too long is none', () => {
  const mark = (length: number): string => '\ue000'.padEnd(length, 'a');
  assert.equal(growingMark(mark(MAX_SPAN - 1)), 0);
  assert.equal(growingMark(mark(MAX_SPAN)), MAX_SPAN);
});

test('a text waits only for what may become HTML, and for no more than a span', () => {
  assert.equal(inlineHtmlEnd('<b>x'), 3);
  for (const text of ['<', '<b', '<b title="', '</', '<!', '<!-- a', '<?x']) {
    assert.equal(inlineHtmlEnd(text), 'wait', text);
  }
  for (const text of ['<3 you', '< b', '<b <', '</ b'])
    assert.equal(inlineHtmlEnd(text), null, text);
  assert.equal(inlineHtmlEnd(`<b title="${'a'.repeat(MAX_SPAN)}`), null);
});
