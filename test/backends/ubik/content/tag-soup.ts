import { createRandom, pickIndex, pickOne } from '../../../helpers/seeded-random.js';

const TAGS = [
  '<<STEP_START>>',
  '<<STEP_END>>',
  '<<SINGLE_STEP_FLAG>>',
  '<<thinking>>',
  '<</thinking>>',
  '<<THINKING>>',
  '<<TOOL_STEP_START/web:1>>',
  '<<TOOL_STEP_START/web:2>>',
  '<<TOOL_STEP_START/mcp:a/b:3>>',
  '<<TOOL_STEP_START/plain>>',
  '<<TOOL_STEP_START/>>',
  '<<TOOL_STEP_END/web:1>>',
  '<<TOOL_STEP_END/web:2>>',
  '<<TOOL_STEP_END/mcp:a/b:3>>',
  '<<TOOL_STEP_END/plain>>',
  '<<TOOL_STEP_END/>>',
  '<<TOOL_STEP_INPUT_START>>',
  '<<TOOL_STEP_INPUT_END>>',
  '<<TOOL_STEP_RESULT_START>>',
  '<<TOOL_STEP_RESULT_END>>',
  '<<CHECKPOINT_START>>',
  '<<CHECKPOINT_END>>',
  '<<INPUT_REQUIRED_START>>',
  '<<INPUT_REQUIRED_END>>',
  '<<USER_INPUT_PROVIDED_START>>',
  '<<USER_INPUT_PROVIDED_END>>',
  '<<ERROR_START>>',
  '<<ERROR_END>>',
  '<<ERROR_JSON_START>>',
  '<<ERROR_JSON_END>>',
  '<<TOOL_EVENT_START>>',
  '<<TOOL_EVENT_END/x>>',
];

const TEXTS = [
  '\n',
  '\n',
  '\n',
  '\n\n',
  ' ',
  '  \t',
  '\r\n',
  'a',
  'word ',
  'Step 1: Look ✓',
  'Step 2: Find',
  'Étape 3 : Chercher ✓',
  'Checkpoint: one',
  'Checkpoint:',
  'Expected input types: text, json',
  'Expected input types: `a,b',
  'checkpoint_name: wait',
  'Error: no',
  'Error:',
  '```',
  '```js\n',
  '\n```\n',
  '````\n',
  '~~~\n',
  '> ```\n',
  '> ',
  '`',
  '`',
  '``',
  '\\`',
  '"',
  '{"a": "b',
  '{"a": 1}',
  '[1, "',
  '"}',
  ']',
  '12',
  'null',
  '<',
  '<<',
  '>>',
  '<<STEP_',
  'START>>',
  '<<thi',
  'nking>>',
  '<<TOOL_STEP_START/web',
  ':1>>',
  '<citation id="c1">[1]</citation>',
  '<citation id="c2" name="A `b` &amp; c">[2]</citation>',
  '<web_citation url="https://example.com/?a=1&amp;b=2" title="T">[3]</web_citation>',
  '<web_citation url="javascript:alert(1)">[4]</web_citation>',
  '<source_5>',
  '<citation id="c3">[1]',
  '<citation id="',
  '</citation>',
  '<source_',
  '\uE000x\uE001',
  '\u00a0',
  '\u2028',
  '😀',
];

/** A random text of tags, code, citations and white space. */
export function makeTagSoup(seed: number): string {
  const random = createRandom(seed);
  const length = 1 + pickIndex(random, pickIndex(random, 4) === 0 ? 40 : 12);
  const pieces: string[] = [];
  for (let index = 0; index < length; index += 1) {
    pieces.push(pickOne(random, pickIndex(random, 5) < 2 ? TAGS : TEXTS));
    if (pickIndex(random, 8) === 0) pieces.push('x'.repeat(pickIndex(random, 600)));
  }
  return pieces.join('');
}

/** Cuts a text into pieces of random lengths. */
export function cutAtRandom(text: string, seed: number): string[] {
  const random = createRandom(seed);
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = at + 1 + pickIndex(random, pickIndex(random, 3) === 0 ? 40 : 6);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}
