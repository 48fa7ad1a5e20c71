import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  codeFence,
  toCodeFence,
  toLink,
  toMarkdownTable,
  toParagraph,
} from '../../src/message/data/data-markdown.js';
import { createRandom, pickOne } from '../helpers/seeded-random.js';

const COLUMNS = [
  { name: 'a|b', type: 'text' },
  { name: 'n', type: 'number' },
] as const;

test('toMarkdownTable aligns columns of numbers at the end, and has empty cells for null and missing values', () => {
  const rows = [['x', 1], [null, 12345.5], ['y']];
  assert.equal(
    toMarkdownTable({ columns: COLUMNS, rows }),
    ['| a\\|b | n |', '| --- | --: |', '| x | 1 |', '|  | 12345.5 |', '| y |  |'].join('\n'),
  );
});

test('toMarkdownTable escapes Markdown syntax', () => {
  const rows = [['<b>*x*</b> [a](b) `c`\n| d']];
  const [, , row] = toMarkdownTable({ columns: COLUMNS.slice(0, 1), rows }).split('\n');
  assert.equal(row, '| \\<b\\>\\*x\\*\\</b\\> \\[a\\](b) \\`c\\` \\| d |');
});

test('toMarkdownTable has the first 1,000 rows, and a row of ellipses for the others', () => {
  const rows = Array.from({ length: 1001 }, (_, index) => ['x', index]);
  const lines = toMarkdownTable({ columns: COLUMNS, rows }).split('\n');
  assert.equal(lines.length, 2 + 1000 + 1);
  assert.equal(lines.at(-1), '| … | … |');
});

test('toMarkdownTable is empty without columns', () => {
  assert.equal(toMarkdownTable({ columns: [], rows: [[], []] }), '');
});

test('toParagraph returns one line that is neither a list nor a heading', () => {
  assert.equal(toParagraph(' a\n\nb '), 'a b');
  assert.deepEqual(['- a', '+ a', '1. a', '2) a', '# a'].map(toParagraph), [
    '\\- a',
    '\\+ a',
    '1\\. a',
    '2\\) a',
    '\\# a',
  ]);
});

test('toParagraph does not change web addresses', () => {
  const address = 'https://x.example/my_file?a=1&b=2#top';
  for (const [text, markdown] of [
    [address, `<${address}>`],
    [
      `*See* ${address}, or (http://b.example/a_(b)).`,
      `\\*See\\* <${address}>, or (<http://b.example/a_(b)>).`,
    ],
    ['HTTPS://x.example!', '<HTTPS://x.example>\\!'],
    ['https://x.example/a|b', '<https://x.example/a>\\|b'],
    ['https://', 'https://'],
    ['https://*...', 'https://\\*...'],
    ['(https://a.example/b(c)(d)).', '(<https://a.example/b(c)(d)>).'],
    ['[https://a.example/(b]', '\\[<https://a.example/(b>\\]'],
  ] as const) {
    assert.equal(toParagraph(text), markdown);
  }
  assert.equal(toLink('', address), `[https://x.example/my\\_file?a=1\\&b=2\\#top](<${address}>)`);
});

test('codeFence is longer than each run of backticks in the code', () => {
  assert.equal(codeFence('a `b` c'), '```');
  assert.equal(codeFence('````\nx\n```'), '`````');
});

test('codeFence of code that grows equals that of the whole code', () => {
  const pieces = ['`', '``', '```', 'x', '\n', '`````'];
  for (let seed = 1; seed <= 500; seed += 1) {
    const random = createRandom(seed);
    let code = '';
    let fence = codeFence('');
    for (let count = 0; count < 12; count += 1) {
      const checked = code.length;
      code += pickOne(random, pieces);
      fence = codeFence(code, fence, checked);
      assert.equal(fence, codeFence(code), JSON.stringify(code));
    }
  }
});

test('codeFence of code that grows does not search the checked units again', () => {
  assert.equal(codeFence('````` x', '```', 7), '```');
});

test('toCodeFence returns a fenced block, empty for blank code', () => {
  assert.equal(toCodeFence('SELECT 1\n', 'SQL'), '```sql\nSELECT 1\n```');
  assert.equal(toCodeFence('x', 'a`b c\n'), '```abc\nx\n```');
  assert.equal(toCodeFence(' \n'), '');
});
