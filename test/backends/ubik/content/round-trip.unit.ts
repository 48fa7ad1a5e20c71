import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { parseContent } from '../../../../src/backends/ubik/content/content-parser.js';
import { serializeContent } from '../../../../src/backends/ubik/content/serialize-content.js';
import { readContentFixtures } from './content-fixtures.js';
import { makeTagSoup } from './tag-soup.js';
import { isExhaustive, seedsUpTo } from '../../../helpers/sample.js';

function assertRoundTrip(text: string, label: string): void {
  const parts = parseContent(text);
  const again = parseContent(serializeContent(parts));
  if (!isDeepStrictEqual(again, parts)) assert.deepEqual(again, parts, label);
}

for (const { name, text } of readContentFixtures()) {
  test(`serializeContent prints the prefixes of ${name} so that it parses to the same parts`, () => {
    for (let end = 0; end <= text.length; end += isExhaustive ? 1 : 3)
      assertRoundTrip(text.slice(0, end), `end ${end}`);
  });
}

test('serializeContent prints tag soup so that it parses to the same parts', () => {
  for (const seed of seedsUpTo(10_000)) assertRoundTrip(makeTagSoup(seed), `seed ${seed}`);
});

/** Texts that did not survive the round trip in earlier versions. */
const REGRESSIONS: Readonly<Record<string, string>> = {
  'a tag made by dropping a tag': '<<thi<</thinking>>nking>>a',
  'an element made by dropping a tag': '<citation id="a">[1<</thinking>>]</citation>',
  'code made by dropping a tag': 'a `b<<TOOL_STEP_INPUT_END>>` <<thinking>>c',
  'a thinking part with an open fence': '<<thinking>>\n```\na\n<<CHECKPOINT_END>>\nb',
  'a thinking part with an open fence before a moved error':
    '<<thinking>>\n```\na\n<<ERROR_START>>\ne\n<<ERROR_END>>\nb <<thinking>>c',
  'a tool with an open fence that ends elsewhere':
    '<<TOOL_STEP_START/a:1>>\n```\n<<STEP_START>>\nx<<TOOL_STEP_END/a:1>>',
  'text for an older tool': '<<TOOL_STEP_START/a:1>><<TOOL_STEP_START/b:2>><<TOOL_STEP_END/b:2>>t',
  'text after a result without an end':
    '<<TOOL_STEP_START/a>><<TOOL_STEP_RESULT_START>>1<<TOOL_STEP_RESULT_END>>t',
  'a result before the input of its tool':
    '<<TOOL_STEP_START/a>><<TOOL_STEP_RESULT_START>>"<<TOOL_STEP_INPUT_END>>"<<TOOL_STEP_RESULT_END>>' +
    '<<TOOL_STEP_INPUT_START>>{"<<TOOL_STEP_INPUT_END>>',
  'a body that looks like a header': '<<STEP_START>>\n<<thinking>><</thinking>>\nStep 1: no\nx',
  'a header cut by a dropped tag': '<<STEP_START>>\nStep 1: a<</thinking>>b\nc<<STEP_END>>',
  'a header after a moved error': '<<STEP_START>><<ERROR_START>>e<<ERROR_END>>\nStep 2: a ✓\nb',
  'a second types line':
    '<<INPUT_REQUIRED_START>>p\nExpected input types: a\nExpected input types:',
  'a name inside a fence': '<<CHECKPOINT_START>>\n```\nCheckpoint: a <<STEP_START>> b',
  'an answer after its request':
    '<<INPUT_REQUIRED_START>>p<<INPUT_REQUIRED_END>><<USER_INPUT_PROVIDED_START>>1<<INPUT_REQUIRED_END>>x',
  'an unfinished tag after a moved error': '<<ERROR_START>>e<<ERROR_END>><<STEP_STA',
  'a tool tag and a citation in one': '<<TOOL_STEP_START/<citation id="a">[1]</citation>',
  'a quoted fence': '> ```\n<<CHECKPOINT_END>>> <source_5>\n> ```\n<<thinking>>a',
  'a message that begins with a fence': '<<ERROR_START>>```\n<<STEP_START>> x<<ERROR_END>>',
  'spaces around every text': ' \n \n a \n <<thinking>> \n b \n <</thinking>> \n c \n ',
};

for (const [name, text] of Object.entries(REGRESSIONS)) {
  test(`serializeContent prints ${name} so that it parses to the same parts`, () => {
    assertRoundTrip(text, name);
  });
}

test('serializeContent uses the layout of the service', () => {
  const text = [
    'Before.',
    '<<STEP_START>>',
    '<<SINGLE_STEP_FLAG>>',
    'Step 2: Look it up ✓',
    '<<thinking>>',
    'Hm.',
    '<</thinking>>',
    '<<TOOL_STEP_START/web:call_1>>',
    '<<TOOL_STEP_INPUT_START>>',
    '{"q": 1}',
    '<<TOOL_STEP_INPUT_END>>',
    '<<TOOL_STEP_RESULT_START>>',
    'none',
    '<<TOOL_STEP_RESULT_END>>',
    '<<TOOL_STEP_END/web:call_1>>',
    'Found <citation id="a">[1]</citation>.',
    '<<STEP_END>>',
    '<<CHECKPOINT_START>>',
    'Checkpoint: found',
    '<<CHECKPOINT_END>>',
    '<<INPUT_REQUIRED_START>>',
    'Which one?',
    'Expected input types: text, json',
    'checkpoint_name: found',
    '<<USER_INPUT_PROVIDED_START>>',
    '{"input": "the first", "type": "text"}',
    '<<USER_INPUT_PROVIDED_END>>',
    '<<INPUT_REQUIRED_END>>',
    '<<ERROR_START>>',
    'Error: No.',
    '<<ERROR_END>>',
    '',
    '<<ERROR_JSON_START>>',
    '{"error": "No."}',
    '<<ERROR_JSON_END>>',
  ].join('\n');
  assert.equal(serializeContent(parseContent(text)), text);
});
