import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  CitationReader,
  NO_REFERENCES,
  type References,
} from '../../../../src/backends/data-agent/projection/citation-reader.js';
import type { CitationMark } from '../../../../src/model/part.js';

const REFERENCES: References = {
  byIndex: [
    { title: 'News', url: 'https://news.example/a' },
    { title: 'Script', url: 'javascript:alert(1)' },
  ],
  bySlice: [{ title: 'manual.pdf', url: '' }],
};

/** Reads chunks to the end. Marks are printed as `{label title url}`. */
function read(pieces: readonly string[], references = REFERENCES): string {
  const reader = new CitationReader(references);
  const parts = [...pieces.map((piece) => reader.read(piece)), reader.end()];
  const marks = new Map<string, CitationMark>(parts.flatMap((part) => [...part.marks]));
  return parts
    .map(({ text }) => text)
    .join('')
    .replace(/\uE000([^\uE001]*)\uE001/g, (_all, key: string) => {
      const { label, title, url } = marks.get(key) ?? { label: '?' };
      return `{${[label, title, url].filter(Boolean).join(' ')}}`;
    });
}

suite('citations in a text', () => {
  const cases: readonly (readonly [name: string, text: string, shown: string])[] = [
    ['an index counts from 0', 'x<i index="0">1</i>y', 'x{[1] News https://news.example/a}y'],
    ['a slice counts from 1', '<i slice_idx=0>1</i>', '{[1] manual.pdf}'],
    [
      'quotes may be single or missing',
      "<i index='0'>1</i><i a=b index=0>2</i>",
      '{[1] News https://news.example/a}{[2] News https://news.example/a}',
    ],
    ['an unknown source is only a label', '<i index=9>10</i>', '{[10]}'],
    ['a URL with another scheme than http or https is omitted', '<i index=1>2</i>', '{[2] Script}'],
    [
      'an element without a number is text',
      '<i>really</i> <i class=x>y</i>',
      '<i>really</i> <i class=x>y</i>',
    ],
    ['other elements are text', '<img src=x> <b>1</b> a < b', '<img src=x> <b>1</b> a < b'],
    ['an unfinished citation is text in the end', 'a <i index=0>1</', 'a <i index=0>1</'],
    ['a number in brackets is a citation', 'so [0].', 'so {[0] News https://news.example/a}.'],
    [
      'numbers in a row are citations',
      'so [0][1]',
      'so {[0] News https://news.example/a}{[1] Script}',
    ],
    ['a number without a source is text', 'so [2]', 'so [2]'],
    [
      'a number in brackets after a word or a parenthesis is text',
      'list[0] and f(x)[0]',
      'list[0] and f(x)[0]',
    ],
    [
      'a link, an image and the definition of a link are text',
      '[0](https://a.example) [0][a] ![0] [0]: x',
      '[0](https://a.example) [0][a] ![0] [0]: x',
    ],
    ['code in a line is text', '`[0]` [1]', '`[0]` {[1] Script}'],
    ['code in a line ends with the line', '`[0]\n[1]', '`[0]\n{[1] Script}'],
    ['code with more backticks is text', '``[0]` [0]`` [1]', '``[0]` [0]`` {[1] Script}'],
    [
      'a block of code is text',
      '```\n[0]\n<i index=0>0</i>\n```\n[1]',
      '```\n[0]\n<i index=0>0</i>\n```\n{[1] Script}',
    ],
    [
      'a block of code between tildes is text, with any backticks and fewer tildes in it',
      '> ~~~~ js\n> [0]\n~~~\n```\na ~~~~\n[0]\n ~~~~~\n[1]',
      '> ~~~~ js\n> [0]\n~~~\n```\na ~~~~\n[0]\n ~~~~~\n{[1] Script}',
    ],
    [
      'tildes in a block between backticks, and tildes in a line, are no code',
      '```\n~~~\n```\n~~[1]~~ ~~~ [1]',
      '```\n~~~\n```\n~~{[1] Script}~~ ~~~ {[1] Script}',
    ],
    [
      'a block of code between tildes in an item of a list ends with its last line',
      '1. ~~~sql\n   [0]\n   ~~~\n- ~~~\n  [0]\n  ~~~\n[1]',
      '1. ~~~sql\n   [0]\n   ~~~\n- ~~~\n  [0]\n  ~~~\n{[1] Script}',
    ],
    [
      'a block of code ends with a fence, not with backticks in a line',
      '```\na ``` [0]\n```\n[1]',
      '```\na ``` [0]\n```\n{[1] Script}',
    ],
    [
      'three backticks in a line are code up to the next three, or to the end of the paragraph',
      'a ```[0] ` [0]``` [1]\nb ``` [0] `\n[0] ``` [1]\nc ``` [0]\n\n[1]',
      'a ```[0] ` [0]``` {[1] Script}\nb ``` [0] `\n[0] ``` {[1] Script}\nc ``` [0]\n\n{[1] Script}',
    ],
    [
      'a fence opens a block of code after an unclosed span',
      'a ``` [0]\n```\n[0]\n```\n[1]',
      'a ``` [0]\n```\n[0]\n```\n{[1] Script}',
    ],
    [
      'indented code is text',
      '    [0] `\n\n    [0] ```\n\t<i index=0>0</i>\n[1]\n    [1]\n\n \t[0]\n                    [0]\n    [0]',
      '    [0] `\n\n    [0] ```\n\t<i index=0>0</i>\n{[1] Script}\n    {[1] Script}\n\n \t[0]\n                    [0]\n    [0]',
    ],
    [
      'an indented paragraph in a list is no code',
      '1. [1]\n\n    [1]\n\n- a\nb\n\n    [1]\n\nc\n\n    [0]',
      '1. {[1] Script}\n\n    {[1] Script}\n\n- a\nb\n\n    {[1] Script}\n\nc\n\n    [0]',
    ],
    [
      'an indented paragraph of a footnote is no code',
      '[^1]: a\n\n    [1]',
      '[^1]: a\n\n    {[1] Script}',
    ],
    [
      'a line in a block of code is not indented code, and ends no list',
      '- a\n\n  ```\n\nb\n\n    ```\n\n    [1]',
      '- a\n\n  ```\n\nb\n\n    ```\n\n    {[1] Script}',
    ],
    ['an unfinished number is text in the end', 'so [0', 'so [0'],
    ['the characters of marks are replaced', 'a\uE000c1\uE001b', 'a\uFFFDc1\uFFFDb'],
  ];
  for (const [name, text, shown] of cases) {
    test(`${name}`, () => {
      assert.equal(read([text]), shown);
    });

    test(`${name}, unit by unit`, () => {
      assert.equal(read(text.split('')), shown);
    });

    test(`${name}, cut anywhere`, () => {
      for (let at = 1; at < text.length; at += 1) {
        assert.equal(read([text.slice(0, at), text.slice(at)]), shown, `cut at ${String(at)}`);
      }
    });
  }

  test('a number in brackets counts from 1 where only documents are cited', () => {
    const references = { byIndex: [], bySlice: [{ title: 'manual.pdf', url: '' }] };
    assert.equal(read(['so [', '1', '] [0] [2]'], references), 'so {[1] manual.pdf} [0] [2]');
  });

  test('an incomplete citation is withheld, a single bracket only until the next chunk', () => {
    const reader = new CitationReader(NO_REFERENCES);
    assert.equal(reader.read('a <').text, 'a ');
    assert.ok(reader.isWithholding);
    assert.equal(reader.read('b').text, '<b');
    assert.ok(!reader.isWithholding);
    assert.equal(reader.read('<i index=').text, '');
    assert.ok(reader.isWithholding);
  });

  test('numbers in brackets are text, and not withheld, where there are no sources', () => {
    const reader = new CitationReader(NO_REFERENCES);
    assert.equal(reader.read('so [0').text, 'so [0');
  });

  test('an element without an end is not withheld forever', () => {
    const reader = new CitationReader(NO_REFERENCES);
    reader.read('<i index=0 ');
    const { text } = reader.read('x'.repeat(300));
    assert.equal(text.length, 311);
  });

  test('a mark keeps the spelling of the service', () => {
    const { marks } = new CitationReader(REFERENCES).read('<i index="0">1</i>');
    assert.equal([...marks.values()][0]?.source, '<i index="0">1</i>');
  });
});

suite('special cases of citations', () => {
  const shown = (text: string, references = REFERENCES): string => read([text], references);

  test('a slice without a source keeps its label, and an index without a label is labelled with itself', () => {
    assert.equal(shown('<i slice_idx=1>2</i>'), '{[2]}');
    assert.equal(shown('<i index=0> </i>'), '{[0] News https://news.example/a}');
  });

  test('a fence ends a block of code if it has at least as many backticks as the first one', () => {
    assert.equal(shown('```\n[0]\n````\n[1]'), '```\n[0]\n````\n{[1] Script}');
    assert.equal(shown('````\n```\n[0]\n````\n[1]'), '````\n```\n[0]\n````\n{[1] Script}');
  });

  test('code in a line does not end at a longer run of backticks', () => {
    assert.equal(shown('`a``[0]` [1]'), '`a``[0]` {[1] Script}');
  });

  test('a number in brackets is text or a citation depending on the end of the previous chunk', () => {
    assert.equal(read(['list', '[0] so [0]']), 'list[0] so {[0] News https://news.example/a}');
    assert.equal(read(['so ', '[0]', '[1]']), 'so {[0] News https://news.example/a}{[1] Script}');
  });
});
