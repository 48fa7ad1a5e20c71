import assert from 'node:assert/strict';
import { test } from 'node:test';
import { separateLabels } from '../../src/message/export/separate-labels.js';

test('labels that several texts define are renamed with their references', () => {
  const texts = [
    'One[^1] and [the site][a].\n\n[^1]: First.\n\n[a]: https://a.test',
    'Two[^1], [A][] and [a].\n\n[^1]: Second.\n\n> [a]: https://b.test',
  ];
  assert.deepEqual(separateLabels(texts), [
    'One[^1-1] and [the site][a-1].\n\n[^1-1]: First.\n\n[a-1]: https://a.test',
    'Two[^1-2], [A][A-2] and [a][a-2].\n\n[^1-2]: Second.\n\n> [a-2]: https://b.test',
  ]);
});

test('a label is renamed where another text has it in brackets without a definition', () => {
  assert.deepEqual(separateLabels(['See [1].\n\n[1]: https://a.test', 'As cited [1].']), [
    'See [1][1-1].\n\n[1-1]: https://a.test',
    'As cited [1].',
  ]);
});

test('a new label is none of the existing ones', () => {
  assert.deepEqual(separateLabels(['[^1]\n\n[^1]: A', '[^1] [^1-1]\n\n[^1]: B']), [
    '[^1-1-]\n\n[^1-1-]: A',
    '[^1-2] [^1-1]\n\n[^1-2]: B',
  ]);
});

test('labels of one text, inline links and code stay as they are', () => {
  const other = '[a] [b] [^1]';
  for (const text of [
    'A[^2].\n\n[^2]: Note',
    '[a](https://a.test)',
    '`[a]` \\[a]\n\n```\n[a]: https://a.test\n```\n\nEnd',
    '```\n[a]: https://a.test',
    '[a]: is no definition, as in [a]',
  ])
    assert.deepEqual(separateLabels([text, other]), [text, other], text);
  assert.deepEqual(
    separateLabels(['[a](x) `[a]` ``[a]`` [a]\n\n[a]: y', other])[0],
    '[a](x) `[a]` ``[a]`` [a][a-1]\n\n[a-1]: y',
  );
});

test('code blocks and HTML blocks stay as they are, also in items and footnotes', () => {
  for (const [text, separated] of [
    ['    x[a]\n\n[a]: y', '    x[a]\n\n[a-1]: y'],
    ['A\n    [a]\n\n[a]: y', 'A\n    [a][a-1]\n\n[a-1]: y'],
    ['- ```\n  [a]\n\n  [a]\n  ```\n  [a]: y', '- ```\n  [a]\n\n  [a]\n  ```\n  [a-1]: y'],
    ['- ```\n  [a]\n\n[a]\n\n[a]: y', '- ```\n  [a]\n\n[a][a-1]\n\n[a-1]: y'],
    ['<div>\n[a]\n\n[a]: y', '<div>\n[a]\n\n[a-1]: y'],
    ['[^1]: ```\n    [^1]\n\nB[^1]', '[^1-1]: ```\n    [^1]\n\nB[^1-1]'],
  ] as const)
    assert.deepEqual(separateLabels([text, '[a] [^1]'])[0], separated, text);
});

test('a definition in an item is found', () => {
  assert.deepEqual(separateLabels(['[a]\r\n\r\n1. - [a]: y\r\n', '[a]']), [
    '[a][a-1]\r\n\r\n1. - [a-1]: y\r\n',
    '[a]',
  ]);
});

test('addresses stay as they are', () => {
  const [text] = separateLabels([
    '[See](/?x[a]=1), https://a.test/?x[a]=1，[a] and [a].\n\n[a]: https://a.test/?x[a]=1',
    '[a]',
  ]);
  assert.equal(
    text,
    '[See](/?x[a]=1), https://a.test/?x[a]=1，[a][a-1] and [a][a-1].\n\n[a-1]: https://a.test/?x[a]=1',
  );
});
