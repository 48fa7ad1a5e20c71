// What the parser makes of a text, and what it shows while the text may continue.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindsOf, parseBlocks, parseInlines, printInlines } from './parse.js';

test('InlineParser previews what is probably emphasis, a tag or code', () => {
  for (const [text, shown] of [
    ['a *x', 'a em[x]'],
    ['a **x', 'a strong[x]'],
    ['a ***x', 'a em[strong[x]]'],
    ['a ****x', 'a ****x'],
    ['a _x', 'a em[x]'],
    ['a ~~x', 'a del[x]'],
    ['a ~x', 'a ~x'],
    ['a <sub>x', 'a sub[x]'],
    ['a `x', 'a code[x]'],
    ['a `x`', 'a code[x]'],
    ['a *x*', 'a em[x]'],
    ['5*6', '5*6'],
    ['*a *b *c *d', 'em[a em[b em[c em[d]]]]'],
    ['*a *b *c *d *e', '*a *b *c *d *e'],
    // Next to CJK characters.
    ['中*b', '中em[b]'],
    ['a*中', 'aem[中]'],
    ['\u2e80*"b', '\u2e80em["b]'],
    ['x"*\u2e80', 'x"em[\u2e80]'],
    // Between two punctuation characters, of which the outer one opens.
    ['x(*«b', 'x(em[«b]'],
    ['x(*"b', 'x(em["b]'],
    ['x(*.b', 'x(*.b'],
    ['x"*"b', 'x"*"b'],
  ] as const) {
    assert.equal(printInlines(text, true), shown, text);
  }
});

test('InlineParser withholds what may become a construct, and nothing else', () => {
  for (const [text, shown] of [
    ['a !', 'a'],
    ['a !b', 'a !b'],
    ['a \\', 'a'],
    ['a \\b', 'a \\b'],
    ['a &am', 'a'],
    ['a & b', 'a & b'],
    ['a <b', 'a'],
    ['a < b', 'a < b'],
    ['a <>', 'a <>'],
    ['a <ab:', 'a'],
    ['a \ue000b', 'a'],
    ['a \ue000b\ue000c', 'a b'],
    ['a `', 'a'],
    ['a ` ', 'a'],
    ['a **', 'a'],
    ['a www', 'a'],
    ['a www b', 'a www b'],
    ['a https:', 'a'],
    ['a https:/', 'a'],
    ['a ftp:', 'a'],
    ['a ftp:b', 'a ftp:b'],
    // The name of a mail address is shown before its domain has arrived.
    ['a me@', 'a me'],
    ['a me@mail.te', 'a me'],
    ['a\nb', 'a\nb'],
    ['a [b', 'a'],
    ['a [b[', 'a'],
    ['a *x [b _c', 'a em[x]'],
    ['a **x [b* c', 'a strong[x]'],
    ['a [b]', 'a'],
    ['a [b] c', 'a [b] c'],
    ['a [b](', 'a'],
    ['a [b](c', 'a'],
    ['a [b](c "d', 'a'],
    ['a [b](c "d" e', 'a [b](c "d" e'],
    ['a [](/c) d', 'a link(/c)[] d'],
    ['a [b][', 'a'],
    ['a [b][c] d', 'a [b][c] d'],
    // An outer bracket cannot become a link any more.
    ['[a [b](/c) d', '[a link(/c)[b] d'],
    ['![a [b](/c) d', ''],
  ] as const) {
    assert.equal(printInlines(text, true), shown, text);
  }
});

test('InlineParser tells links from other brackets, and strikethrough from other tildes', () => {
  for (const [text, nodes] of [
    ['[a](/b)', 'link(/b)[a]'],
    ['[a](/b "t")', 'link(/b t)[a]'],
    ['[a](/b (t))', 'link(/b t)[a]'],
    ['[a](/b (c(d))', '[a](/b (c(d))'],
    ['[a](/b(c "t")', '[a](/b(c "t")'],
    ['[a]()', 'link[a]'],
    ['[a][R]', 'link(/r)[a]'],
    ['[ R x ]', 'link(/r)[ R x ]'],
    ['[R][]', 'link(/r)[R]'],
    ['[R [a] b]', '[R [a] b]'],
    ['[]', '[]'],
    // A footnote reference has no second pair of brackets.
    ['[^a]', 'footnote[^A]'],
    ['[a][^b]', '[a]footnote[^B]'],
    ['![^a]', '!footnote[^A]'],
    ['![a<br>b\\\nc **d** \ue000k\ue001[^e]](/f)', 'image(/f)[a\nb\nc d ]'],
    ['**https://a.test/**', 'strong[link(https://a.test/)[https://a.test/]]'],
    ['x ~~a~~', 'x del[a]'],
    ['x ~a~~ b', 'x ~a~~ b'],
    ['x ~~~a~~~', 'x ~~~a~~~'],
    ['a <kbd>b</kbd> <b>c', 'a kbd[b] <b>c'],
    ['a<br-line>b <br2>c <kbd-x>d</kbd-x>', 'a<br-line>b <br2>c <kbd-x>d</kbd-x>'],
    ['a  \nb\nc', 'a<br>b\nc'],
  ] as const) {
    assert.equal(printInlines(text), nodes, text);
  }
});

test('InlineParser reads constructs far from the start of a text, and long images with data', () => {
  const words = 'word '.repeat(2000);
  const data = `data:image/png;base64,${'A'.repeat(5000)}`;
  for (const [text, nodes] of [
    ['*a*', 'em[a]'],
    ['`a`', 'code[a]'],
    ['[a](/b)', 'link(/b)[a]'],
    ['https://a.test/', 'link(https://a.test/)[https://a.test/]'],
    ['me@a.test', 'link(mailto:me@a.test)[me@a.test]'],
    [`![a](${data})`, `image(${data})[a]`],
    [`[a](${data})`, `[a](${data})`],
    [`![a](/${data})`, `![a](/${data})`],
  ] as const) {
    assert.equal(printInlines(words + text), words + nodes, text.slice(0, 20));
  }
  // A long image is withheld only if it has data.
  const unclosed = ['![a](data', '[a](data', '![a](/dat'].map((start) =>
    printInlines(`a ${start}${data.slice(4)}`, true),
  );
  assert.deepEqual(unclosed, ['a', `a [a](${data}`, `a ![a](/dat${data.slice(4)}`]);
});

test('InlineParser continues after the last word that cannot change', () => {
  const resumeAt = (text: string, from = 0): number => parseInlines(text, true, from).resumeAt;
  assert.equal(resumeAt('one two three'), 'one two'.length);
  assert.equal(resumeAt('one two three four', 'one two'.length), 'one two three'.length);
  // Code and emphasis that may still be closed are read again, unless they would be too long.
  assert.equal(resumeAt(`a \`${'word '.repeat(300)}`), 'a'.length);
  for (const [length, isStable] of [
    [4096, false],
    [4097, true],
  ] as const) {
    const text = `aa *${'abcd '.repeat(1000)}`.slice(0, 'aa '.length + length);
    assert.equal(resumeAt(text) > 3, isStable, String(length));
  }
});

test('InlineParser reads a run that is longer than a span as text, wherever parsing continues in it', () => {
  for (const delimiter of ['*', '`']) {
    const run = delimiter.repeat(5000);
    // The last 512 characters may change.
    assert.equal(parseInlines(run, true).resumeAt, 4488);
    const rest = delimiter.repeat(512);
    const { stable, tail } = parseInlines(`a ${run}b${rest}`, false, 'a '.length + 4488);
    const kinds = new Set([...stable, ...tail].map(({ kind }) => kind));
    assert.deepEqual([...kinds], ['text'], delimiter);
  }
});

test('BlockParser shows a line at once unless it may begin a block', () => {
  for (const [text, shown] of [
    ['abc', 'paragraph abc'],
    ['<>', 'paragraph <>'],
    ['===', 'paragraph ==='],
    ['a\n===', 'paragraph a'],
    ['-|-', 'paragraph -'],
    ['a|b', 'paragraph a'],
    ['[] c', 'paragraph [] c'],
    ['[a]: b', ''],
    ['```\n``` a', 'fence ``` a'],
    ['```\n``', 'fence '],
    ['```\n``` ', 'fence '],
    ['# a #', 'h1 a '],
    ['# a', 'h1 a'],
    ['# a#', 'h1 a#'],
    // The row of a table may begin at a pipe of a paragraph, but of no other block.
    ['|a', 'paragraph '],
    ['```\na|b', 'fence a|b'],
    ['<details>\na</details>', 'details |paragraph a'],
    ['<details>\n\n```\n</details>', 'details |fence </details>'],
    ['<details>\n<summary>\na', 'details |summary '],
    [`<details>\n<summary>\n${'a'.repeat(1000)}`, 'details |summary '],
    [`<details>\n<summary>\n${'a'.repeat(1001)}`, `details |summary ${'a'.repeat(1001)}`],
  ] as const) {
    const blocks = parseBlocks([text], false).map((block) => `${block.kind} ${block.text}`);
    assert.equal(blocks.join('|'), shown, text.slice(0, 30));
  }
});

test('BlockParser tells blocks from text that looks like them', () => {
  for (const [text, kinds] of [
    ['a\n=== ', 'h1'],
    ['a\n--- ', 'h2'],
    ['[^a]:      b', 'footnote paragraph'],
    // The columns of a tab after the label count.
    ['[^a]:\t-\t\tb', 'footnote item code'],
    [`${'>'.repeat(100)}[^a]: b c`, `${'quote '.repeat(100)}paragraph`],
    // A paragraph of definitions only is no header row.
    ['[a|b]: /u\n-|-', 'paragraph'],
    ['[a|b] /u\n-|-', 'table'],
    ['<details>\n\n- </details>\n\nb', 'details item html paragraph'],
    ['<details>\n\nb\n</details>\n\nc', 'details paragraph paragraph'],
    ['</details>', 'html'],
    ['<mark>', 'paragraph'],
    ['<mark-down>', 'html'],
    ['</kbd-x>', 'html'],
    ['a\n- b\n- c', 'paragraph item paragraph item paragraph'],
    ['- a\n+ b', 'item paragraph item paragraph'],
    ['- a\n\n- b\n- c', 'loose-item paragraph loose-item paragraph loose-item paragraph'],
    // A blank line makes a list loose, the end of a quote or of a disclosure does not.
    ['- > a\n\n  b', 'loose-item quote paragraph paragraph'],
    ['- > a\n- b', 'item quote paragraph item paragraph'],
    ['- <details>\n  a\n  </details>\n  b', 'item details paragraph paragraph'],
    ['- <details>\n  a\n  </details>\n\n  b', 'loose-item details paragraph paragraph'],
    ['[a]: /b\n"t\n===', 'h1'],
  ] as const) {
    assert.equal(kindsOf(text), kinds, text);
  }
  const [heading] = parseBlocks(['[a]: /b\n"t\n==='], true);
  assert.equal(heading?.text, '"t');
  const [, , code] = parseBlocks(['[^a]:\t-\t\tb'], true);
  assert.equal(code?.text, '  b\n');
});

test('BlockParser reads the summary and the end of a disclosure', () => {
  for (const [text, shown] of [
    [
      '<details>\n<summary>\n  Two\n  lines\n</summary>  more  \n</details>\nend',
      'details |summary Two\nlines|paragraph more|paragraph end',
    ],
    ['<details>\n<summary> T </summary>\n\nb', 'details |summary T|paragraph b'],
    ['<details>\na</details>\nb', 'details |paragraph a|paragraph b'],
    ['<details>\na\n</details>\nb', 'details |paragraph a|paragraph b'],
  ] as const) {
    const blocks = parseBlocks([text], true).map((block) => `${block.kind} ${block.text}`);
    assert.equal(blocks.join('|'), shown, text);
  }
});

test('BlockParser withholds white space at the start of a line', () => {
  for (const [pieces, kind, text] of [
    [['a\n ', 'b'], 'paragraph', 'a\nb'],
    [['    ', 'a\n  ', '  b'], 'code', 'a\nb\n'],
    [['```\n ', '  a'], 'fence', '   a\n'],
  ] as const) {
    const blocks = parseBlocks(pieces, true);
    assert.deepEqual([blocks[0]?.kind, blocks[0]?.text, blocks.length], [kind, text, 1]);
  }
});

test('BlockParser counts a line end once, whatever the pieces of the text', () => {
  for (const pieces of [
    ['a\r\nb\r\n\r\nc'],
    ['a\r', '\nb\r', '\n', '\r', '\nc'],
    ['a\r', '', '\nb\r', '', '\n\r', '\nc'],
    ['a\r', '\nb\r\n', '\r\nc'],
  ]) {
    const blocks = parseBlocks(pieces, true).map(({ text, start }) => [text, start]);
    assert.deepEqual(blocks, [
      ['a\nb', 0],
      ['c', 8],
    ]);
  }
  assert.deepEqual(
    parseBlocks(['a\r', 'b\r', '\r', 'c\n', '\nd'], true).map(({ text, start }) => [text, start]),
    [
      ['a\nb', 0],
      ['c', 5],
      ['d', 8],
    ],
  );
});
