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
  MAX_BLOCK_DEPTH,
  MAX_LABEL,
  MAX_LINK_PARENTHESES,
  MAX_MARKER_LINE,
  MAX_PENDING_BRACKET,
  MAX_PENDING_LINK,
  MAX_PREVIEW,
  MAX_SPAN,
  MAX_TABLE_COLUMNS,
} from '../../src/markdown/parser/limits.js';
import { characterBefore, partialMarkStart } from '../../src/markdown/parser/characters.js';
import { readLabel, readLeadingDefinitions, readTarget } from '../../src/markdown/parser/links.js';
import { findStableEnd } from '../../src/markdown/parser/tokens.js';
import { kindsOf, parseBlocks, parseInlines, printInlines } from './parse.js';

test('BlockParser reads the marker of a block in a line up to the limit', () => {
  const cases: readonly (readonly [make: (length: number) => string, at: string, over: string])[] =
    [
      [(length) => '*'.repeat(length), 'thematic-break', 'paragraph'],
      [(length) => `a\n${'-'.repeat(length)}`, 'h2', 'paragraph'],
      [(length) => '```'.padEnd(length, 'a'), 'fence', 'paragraph'],
      [(length) => `~~~\n${'~'.repeat(length)}\na`, 'fence paragraph', 'fence'],
      [(length) => `> ${'[!NOTE]'.padEnd(length)}`, 'note', 'quote paragraph'],
      [(length) => `${'<details '.padEnd(length - 1, 'a')}>`, 'details', 'html'],
      [
        (length) => `<details>\n${'<summary>'.padEnd(length, 'a')}`,
        'details summary',
        'details html',
      ],
      [
        (length) => `<details>\n<summary>\n${'</summary>'.padStart(length, 'a')}\nb`,
        'details summary paragraph',
        'details summary',
      ],
      [(length) => `${'<x-a '.padEnd(length - 1, 'a')}>`, 'html', 'paragraph'],
      [(length) => `${'a|b'.padEnd(length, 'c')}\n-|-`, 'table', 'paragraph'],
      [(length) => `a|b\n${'-|-'.padEnd(length, '-')}`, 'table', 'paragraph'],
    ];
  for (const [make, at, over] of cases) {
    const text = make(MAX_MARKER_LINE);
    assert.equal(kindsOf(text), at, text.slice(0, 30));
    assert.equal(kindsOf(make(MAX_MARKER_LINE + 1)), over, text.slice(0, 30));
  }
});

test('BlockParser withholds the marker of a block up to the limit of a line', () => {
  const cases: readonly (readonly [before: string, start: string, fill: string, over: string])[] = [
    ['', '*', '*', 'paragraph'],
    ['', '```', 'a', 'paragraph'],
    ['> ', '[!NOTE]', ' ', 'quote paragraph'],
    ['', '<details ', 'a', 'html'],
    ['<details>\n', '<summary>', 'a', 'details html'],
    ['', '<x-a', 'a', 'paragraph'],
    ['', '<x-a ', 'a', 'paragraph'],
  ];
  for (const [before, start, fill, over] of cases) {
    const at = kindsOf(before + start.padEnd(MAX_MARKER_LINE, fill), false);
    assert.equal(at, before.startsWith('<') ? 'details' : '', before + start);
    const longer = kindsOf(before + start.padEnd(MAX_MARKER_LINE + 1, fill), false);
    assert.equal(longer, over, before + start);
  }
});

test('BlockParser reads the end of a disclosure or of a heading in a line up to the limit', () => {
  // The closing tag of a disclosure may be 40 characters long, and is withheld in a line up to the limit.
  const disclosure = (length: number): string =>
    `<details>\na${'</details'.padEnd(length - 1)}>\nb`;
  assert.equal(kindsOf(disclosure(40)), 'details paragraph paragraph');
  assert.equal(kindsOf(disclosure(41)), 'details paragraph');
  const lastText = (text: string, isEnded: boolean): string =>
    parseBlocks([text], isEnded).at(-1)?.text ?? '';
  const shown = [MAX_MARKER_LINE, MAX_MARKER_LINE + 1].map((length) => [
    lastText(`<details>\n${'</details>'.padStart(length, 'a')}`, false).endsWith('>'),
    lastText(`# ${' #'.padStart(length, 'a')}`, true).endsWith('#'),
  ]);
  assert.deepEqual(shown, [
    [false, false],
    [true, true],
  ]);
});

test('BlockParser nests containers up to the limit', () => {
  const half = MAX_BLOCK_DEPTH / 2;
  const inside = (kind: string, count: number): string =>
    [...Array.from({ length: count }, () => kind), 'paragraph'].join(' ');
  assert.equal(kindsOf(`${'>'.repeat(MAX_BLOCK_DEPTH + 1)}a`), inside('quote', MAX_BLOCK_DEPTH));
  // An item is a block in a list, which is another one.
  assert.equal(kindsOf(`${'- '.repeat(half + 1)}a`), inside('item', half));
  const quotes = '>'.repeat(MAX_BLOCK_DEPTH - 1);
  assert.equal(
    kindsOf(`${quotes}- - a`),
    inside('quote', MAX_BLOCK_DEPTH - 1).replace(/paragraph$/, 'item paragraph'),
  );
});

test('InlineParser withholds an incomplete construct up to its limit', () => {
  const cases: readonly (readonly [start: string, fill: string, limit: number])[] = [
    ['[', 'a', MAX_PENDING_BRACKET],
    ['![', 'a', MAX_PENDING_BRACKET],
    ['[a](', 'b', MAX_PENDING_LINK],
    ['![a](', 'b', MAX_PENDING_LINK],
    ['[a][', 'b', MAX_LABEL + 4],
    ['<x-a ', 'b', MAX_PENDING_LINK],
    ['<ab:', 'b', MAX_PENDING_LINK],
    ['https://a.test/', 'b', MAX_PENDING_LINK],
    ['*', '*', MAX_SPAN],
    ['\ue000', 'a', MAX_SPAN - 1],
  ];
  for (const [start, fill, limit] of cases) {
    const isShown = [limit, limit + 1].map(
      (length) => printInlines(`to ${start.padEnd(length, fill)}`, true) !== 'to',
    );
    assert.deepEqual(isShown, [false, true], start);
  }
  // A bracket that was open for so long is already shown.
  const isShown = [MAX_PENDING_BRACKET, MAX_PENDING_BRACKET + 1].map(
    (length) => printInlines(`to ${'['.padEnd(length, 'a')}](b`, true) !== 'to',
  );
  assert.deepEqual(isShown, [false, true]);
});

test('InlineParser previews unclosed emphasis and code up to the limit', () => {
  for (const [start, kind] of [
    ['*', 'em'],
    ['`', 'code'],
    ['<sub>', 'sub'],
  ] as const) {
    const isPreviewed = [MAX_PREVIEW, MAX_PREVIEW + 1].map((length) =>
      printInlines(`to ${start.padEnd(length, 'a')}`, true).startsWith(`to ${kind}[`),
    );
    assert.deepEqual(isPreviewed, [true, false], start);
  }
});

test('InlineParser reads constructs up to the limit of a span', () => {
  const cases: readonly (readonly [start: string, end: string, kind: string, limit: number])[] = [
    // The closing delimiter of emphasis may begin at the limit.
    ['*', '*', 'em', MAX_SPAN + 1],
    ['<sub>', '</sub>', 'sub', MAX_SPAN + 6],
    ['`', '`', 'code', MAX_SPAN],
    ['[a](', ')', 'link', MAX_SPAN],
    ['[', '](b)', 'link', MAX_SPAN],
    ['![', '](b)', 'image', MAX_SPAN],
    ['[R', ']', 'link', MAX_LABEL + 2],
    ['[x][R', ']', 'link', MAX_LABEL + 5],
    ['\ue000', '\ue001', 'mark', MAX_SPAN],
  ];
  for (const [start, end, kind, limit] of cases) {
    const kinds = [limit, limit + 1].map((length) => {
      const { stable, tail } = parseInlines(start.padEnd(length - end.length, 'a') + end, false);
      return [...stable, ...tail][0]?.kind;
    });
    assert.deepEqual(kinds, [kind, 'text'], start);
  }
});

test('splitRow returns at most as many cells as a table may have columns', () => {
  const row = (cell: string): string => `|${`${cell}|`.repeat(MAX_TABLE_COLUMNS + 1)}`;
  assert.deepEqual(splitRow(' |a \\| b|c | '), ['a | b', 'c']);
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
  const unclosed = (length: number): string => '<b title="'.padEnd(length, 'a');
  assert.equal(readInlineHtml(unclosed(MAX_SPAN - 1)), 'incomplete');
  assert.equal(readInlineHtml(unclosed(MAX_SPAN)), null);
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
    ['a|b', '-|x'],
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

test('readTarget waits for a title after the white space that follows the address', () => {
  const read = (text: string) => readTarget(text, 0, false, (_text, at) => at);
  for (const text of ['/a', '/a ', '/a\n', '/a "t']) assert.equal(read(text), 'incomplete', text);
  assert.deepEqual(read('/a b'), { destination: '/a', title: '', end: 2 });
});

test('readLeadingDefinitions reads a definition up to the limit of a span', () => {
  const definition = (length: number): string => '[a]: /'.padEnd(length, 'b');
  // The line end after it counts.
  const counts = [MAX_SPAN - 1, MAX_SPAN].map(
    (length) => readLeadingDefinitions(definition(length), true).found.length,
  );
  assert.deepEqual(counts, [1, 0]);
});

test('findStableEnd excludes the last word, or the last 512 characters of a longer one', () => {
  assert.equal(findStableEnd('one two', Infinity), 3);
  assert.equal(findStableEnd('one two ', Infinity), 3);
  assert.equal(findStableEnd('one two three', 5), 5);
  assert.equal(findStableEnd('one two three', 4), 3);
  assert.equal(findStableEnd('a'.repeat(512), Infinity), 0);
  assert.equal(findStableEnd('a'.repeat(600), Infinity), 88);
});
