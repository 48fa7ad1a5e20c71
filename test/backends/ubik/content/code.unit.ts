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

const IN_CODE = [
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
  `a \`<<thinking>>${'x'.repeat(500)}\``,
  '\\``<<thinking>>`',
  '`<citation id="a">[1]</citation>`',
];

const OUTSIDE_CODE = [
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

test('content parser treats thinking tags, tool tags and citations in code as text, live and stored', () => {
  for (const text of IN_CODE) {
    assert.equal(kinds(text), 'text', text);
    assert.equal(liveKinds(text), 'text', text);
    assert.equal(parseContent(text)[0]?.text, text);
  }
});

test('content parser parses thinking and tool tags outside code', () => {
  for (const text of OUTSIDE_CODE) {
    assert.match(kinds(text), /^text thinking/, text);
    assert.match(liveKinds(text), /^text thinking/, text);
  }
});

test('content parser skips an unclosed backtick run before a closed one', () => {
  assert.equal(kinds('`` a ` <<thinking>> ` b'), 'text');
  assert.equal(kinds('`` a ` <<thinking>> ```` b'), 'text thinking');
});

test('content parser parses a structural tag alone on its line, even in a fence of stored content', () => {
  assert.equal(kinds('```\na\n  <<STEP_START>>  \nb'), 'text step');
  assert.equal(kinds('```\na\n<<CHECKPOINT_START>>'), 'text checkpoint');
});

test('content parser drops a structural tag alone on its line in a fence of live text only if an event represents its construct', () => {
  const text = '```\na\n<<STEP_START>>\nStep 1: Search\nb';
  const read = (decision: 'merged' | 'literal') =>
    readPieces('live', text, { resolve: () => decision }).map((part) => part.text);
  assert.deepEqual(read('literal'), [text]);
  assert.deepEqual(read('merged'), ['```\na\nb']);
});

test('content parser treats a structural tag in code as text unless it is alone on its line', () => {
  for (const text of [
    '```\n<<STEP_START>> a\n```',
    '```\na <<STEP_START>>',
    'a `<<STEP_START>>`',
  ]) {
    assert.equal(kinds(text), 'text', text);
  }
  assert.equal(kinds('a <<STEP_START>> b'), 'text step');
});

test('content parser closes a fence with the step that it was opened in', () => {
  assert.equal(kinds('<<STEP_START>>\n```\na\n<<STEP_END>>\n<<thinking>>b'), 'step thinking');
});

test('content parser keeps a fence open that was opened before the step', () => {
  assert.equal(kinds('```\n<<STEP_START>>\na\n<<STEP_END>>\n<<thinking>>b'), 'text step text');
});

test('content parser closes an open fence in a thinking part at the end of that part', () => {
  assert.equal(
    kinds('<<thinking>>\n```\na\n<<CHECKPOINT_START>>\n<<CHECKPOINT_END>>\n<<thinking>>b'),
    'thinking checkpoint thinking',
  );
});

test('content parser keeps a fence open across chunks of live text', () => {
  const pieces = ['```\n', 'a\n'];
  assert.equal(readPieces('live', [...pieces, '<<thinking>>'])[0]?.text, '```\na\n<<thinking>>');
});

test('content parser emits live text after an open backtick at once', () => {
  const parts = readPieces('live', ['a `b <<thinking>> c']);
  assert.equal(parts[0]?.text, 'a `b ');
  assert.equal(parts[1]?.text, ' c');
});
