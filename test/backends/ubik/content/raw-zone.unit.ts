import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseContent } from '../../../../src/backends/ubik/content/content-parser.js';
import { createRandom, pickIndex, pickOne } from '../../../helpers/seeded-random.js';
import { seedsUpTo } from '../../../helpers/sample.js';
import { setupParser } from './read-pieces.js';

const END = '<<TOOL_STEP_RESULT_END>>';
const PIECES = [
  END,
  END,
  '"',
  '"',
  '{"a": ',
  '}',
  '[',
  ']',
  ',',
  '1',
  'b',
  '\\',
  ' ',
  '\n',
  '<',
  '<<STEP_END>>',
];

/** Implements rule 4 (UBIK 7.2) literally: tries each end tag in turn and parses the text before it. */
function chooseNaively(body: string): string {
  const parts = body.split(END);
  for (let count = 1; count <= parts.length; count += 1) {
    const text = parts.slice(0, count).join(END);
    if (isJson(text)) return text;
  }
  return parts[0] ?? '';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('raw zone ends at the same tag as trying each end tag in turn', () => {
  for (const seed of seedsUpTo(10_000)) {
    const random = createRandom(seed);
    const length = 1 + pickIndex(random, 10);
    const body = Array.from({ length }, () => pickOne(random, PIECES)).join('');
    const text = `<<TOOL_STEP_START/a:1>><<TOOL_STEP_RESULT_START>>${body}${END}<<TOOL_STEP_END/a:1>>`;
    const [tool] = parseContent(text);
    const expected = chooseNaively(body).replace(/^[ \n]+|[ \n]+$/g, '');
    assert.equal(tool?.kind === 'tool' && tool.result, expected, JSON.stringify(text));
  }
});

test('content parser, rule 7: a truncated result does not complete the tool that it has created', () => {
  const text = '<<TOOL_STEP_RESULT_START>>{"a": <<STEP_END>>';
  const { parser, trees } = setupParser('live');
  parser.push(text);
  parser.closeOpen();
  const states = [...trees(), ...parseContent(text)].map((part) => 'state' in part && part.state);
  assert.deepEqual(states, ['incomplete', 'incomplete']);
});
