// Limits of single parser functions; the parser as a whole is compared with the CommonMark examples.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  findPipe,
  mayBeDelimiterRow,
  readTableStart,
  splitRow,
} from '../../src/markdown/parser/table-syntax.js';
import { codeSpanText, findCodeSpanEnd } from '../../src/markdown/parser/atoms.js';
import { readInlineHtml } from '../../src/markdown/parser/html.js';
import {
  MAX_LABEL,
  MAX_LINK_PARENTHESES,
  MAX_MARKER_LINE,
  MAX_SPAN,
  MAX_TABLE_COLUMNS,
} from '../../src/markdown/parser/limits.js';
import { characterBefore, partialMarkStart } from '../../src/markdown/parser/characters.js';
import { readLabel, readTarget } from '../../src/markdown/parser/links.js';
import { findStableEnd } from '../../src/markdown/parser/tokens.js';

test('splitRow returns at most as many cells as a table may have columns', () => {
  const row = (cell: string): string => `|${`${cell}|`.repeat(MAX_TABLE_COLUMNS + 1)}`;
  assert.equal(splitRow(row('a')).length, MAX_TABLE_COLUMNS);
  assert.equal(readTableStart(row('a'), row('-'))?.header.length, MAX_TABLE_COLUMNS);
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

test('readTableStart reads alignments, and rejects rows of different or no columns', () => {
  const table = readTableStart('a|b|c|d', ':-|-:|:-:|-');
  assert.deepEqual(table?.alignments, ['left', 'right', 'center', '']);
  assert.deepEqual(table.header, ['a', 'b', 'c', 'd']);
  for (const [header, below] of [
    ['a|b', '-'],
    ['a', '-|-'],
    ['a', ':'],
    ['|', '|'],
    ['a|b', '-|'],
  ] as const) {
    assert.equal(readTableStart(header, below), null, below);
  }
});

test('findPipe and mayBeDelimiterRow ignore a line over the limit', () => {
  assert.equal(findPipe('|'.padStart(MAX_MARKER_LINE, 'a')), MAX_MARKER_LINE - 1);
  assert.equal(findPipe('|'.padStart(MAX_MARKER_LINE + 1, 'a')), -1);
  assert.deepEqual([findPipe('a\\|b|'), findPipe('a'), findPipe('|')], [4, -1, 0]);
  assert.equal(mayBeDelimiterRow('-'.repeat(MAX_MARKER_LINE)), true);
  assert.equal(mayBeDelimiterRow('-'.repeat(MAX_MARKER_LINE + 1)), false);
});

test('findCodeSpanEnd returns the end of a code span up to the limit of a span', () => {
  const span = (length: number): string => `\`${'x'.repeat(length)}\``;
  const findEnd = (text: string, open = false): number => findCodeSpanEnd(text, 1, 1, open);
  assert.equal(findEnd(span(MAX_SPAN - 2)), MAX_SPAN - 1);
  assert.equal(findEnd(span(MAX_SPAN - 1)), -1);
  assert.equal(findEnd(span(1)), 2);
  assert.equal(findEnd(span(1), true), -1, 'more backticks may follow');
  assert.equal(findEnd(`${span(1)} `, true), 2);
  assert.equal(findEnd('`a``'), -1);
});

test('codeSpanText removes one space on each side unless all of the code is spaces', () => {
  const texts = [' a ', '  a  ', ' a', 'a ', '  ', 'a\nb', ' a \ue000k'].map(codeSpanText);
  assert.deepEqual(texts, ['a', ' a ', ' a', 'a ', '  ', 'a b', 'a']);
});

test('characterBefore returns whole code points', () => {
  const texts = ['\ud800\udc00', '\udbff\udfff', 'ab', '\ue000'];
  const found = texts.map((text) => characterBefore(text, text.length));
  assert.deepEqual(found, ['\ud800\udc00', '\udbff\udfff', 'b', '\ue000']);
  assert.equal(characterBefore('a', 0), '');
});

test('readLabel reads a label up to the limit', () => {
  const label = (length: number): string => `[${'a'.repeat(length)}]`;
  assert.deepEqual(readLabel(label(MAX_LABEL), 0), {
    end: MAX_LABEL + 2,
    value: 'a'.repeat(MAX_LABEL),
  });
  assert.equal(readLabel(label(MAX_LABEL + 1), 0), null);
  assert.equal(readLabel('[a', 0), 'incomplete');
  assert.equal(readLabel('[a[', 0), null);
});

test('readTarget reads nested parentheses up to the limit', () => {
  const read = (depth: number) => {
    const text = `${'('.repeat(depth)}${')'.repeat(depth)} `;
    return readTarget(text, 0, true, (_text, at) => at);
  };
  const found = read(MAX_LINK_PARENTHESES);
  assert.equal(typeof found === 'object' && found?.end, 2 * MAX_LINK_PARENTHESES);
  assert.equal(read(MAX_LINK_PARENTHESES + 1), null);
});

test('findStableEnd excludes the last word, of a long one its last 512 characters', () => {
  assert.equal(findStableEnd('one two', Infinity), 3);
  assert.equal(findStableEnd('one two ', Infinity), 3);
  assert.equal(findStableEnd('one two three', 5), 5);
  assert.equal(findStableEnd('one two three', 4), 3);
  assert.equal(findStableEnd('a'.repeat(512), Infinity), 0);
  assert.equal(findStableEnd('a'.repeat(600), Infinity), 88);
});
