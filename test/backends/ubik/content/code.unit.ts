import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseContent } from '../../../../src/backends/ubik/content/content-parser.js';
import { readPieces } from './read-pieces.js';

const kinds = (text: string): string =>
  parseContent(text)
    .map((part) => part.kind)
    .join(' ');
const liveKinds = (text: string): string =>
  readPieces('live', text)
    .map((part) => part.kind)
    .join(' ');

const LITERAL = [
  '```\n<<thinking>>\n```',
  '```js\n<<TOOL_STEP_START/a:1>>\n```\nb',
  '~~~\n<<thinking>>\n```\n<<thinking>>\n~~~',
  '````\n```\n<<thinking>>\n````',
  '   ```\n   <<thinking>>\n   ```',
  '> ```\n> <<thinking>>\n> ```',
  '```info <<thinking>>\n```',
  'a `<<thinking>>` b',
  'a ``<<thinking>> ` `` b',
  'a ` `` <<thinking>> ` b',
  '```<<thinking>>```',
  '``` <<thinking>> <</thinking>> ``` a',
  `a \`<<thinking>>${'x'.repeat(499)}\``,
  '\\``<<thinking>>`',
  '`<citation id="a">[1]</citation>`',
];

const ACTING = [
  '```\na\n```\n<<thinking>>',
  '```\na\n```<<thinking>>',
  '```\na\n``` <<thinking>>',
  'a ` <<thinking>>\n`',
  'a `<<thinking>>',
  'a `` <<thinking>> ` b',
  'a \\`<<thinking>>`',
  '\\```<<thinking>> ` `',
  `a \`<<thinking>>${'x'.repeat(501)}\``,
  'a `b` <<thinking>> `c`',
  'a ``` b <<thinking>> `` ` c',
];

test('tags of thoughts and tools are text in code, live and stored', () => {
  for (const text of LITERAL) {
    assert.equal(kinds(text), 'text', text);
    assert.equal(liveKinds(text), 'text', text);
    assert.equal(parseContent(text)[0]?.text, text);
  }
});

test('they act where no code is', () => {
  for (const text of ACTING) {
    assert.match(kinds(text), /^text thinking/, text);
    assert.match(liveKinds(text), /^text thinking/, text);
  }
});

test('what looks like an opening backtick gives way to one that is closed', () => {
  assert.equal(kinds('`` a ` <<thinking>> ` b'), 'text');
  assert.equal(kinds('`` a ` <<thinking>> ```` b'), 'text thinking');
});

test('a tag of structure alone on its line acts in stored content, also in a fence', () => {
  assert.equal(kinds('```\na\n  <<STEP_START>>  \nb'), 'text step');
  assert.equal(kinds('```\na\n<<CHECKPOINT_START>>'), 'text checkpoint');
});

test('one that is not alone on its line is text in a fence or a span', () => {
  for (const text of [
    '```\n<<STEP_START>> a\n```',
    '```\na <<STEP_START>>',
    'a `<<STEP_START>>`',
  ]) {
    assert.equal(kinds(text), 'text', text);
  }
  assert.equal(kinds('a <<STEP_START>> b'), 'text step');
});

test('the end of a step closes a fence that was opened in it', () => {
  assert.equal(kinds('<<STEP_START>>\n```\na\n<<STEP_END>>\n<<thinking>>b'), 'step thinking');
});

test('the end of a step does not close a fence around it', () => {
  assert.equal(kinds('```\n<<STEP_START>>\na\n<<STEP_END>>\n<<thinking>>b'), 'text step text');
});

test('a closed thought leaves no fence open', () => {
  assert.equal(
    kinds('<<thinking>>\n```\na\n<<CHECKPOINT_START>>\n<<CHECKPOINT_END>>\n<<thinking>>b'),
    'thinking checkpoint thinking',
  );
});

test('a live event does not close a fence, the end of a live step does', () => {
  const pieces = ['```\n', 'a\n'];
  assert.equal(readPieces('live', [...pieces, '<<thinking>>'])[0]?.text, '```\na\n<<thinking>>');
});

test('tells code at once, and holds only the tag that may be code', () => {
  const parts = readPieces('live', ['a `b <<thinking>> c']);
  assert.equal(parts[0]?.text, 'a `b ');
  assert.equal(parts[1]?.text, ' c');
});
