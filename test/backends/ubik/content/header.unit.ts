import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseContent } from '../../../../src/backends/ubik/content/content-parser.js';
import type { PartTree } from '../../../../src/model/part.js';

function readStep(body: string): PartTree & { readonly kind: 'step' } {
  const [step] = parseContent(`<<STEP_START>>\n${body}\n<<STEP_END>>`);
  assert.ok(step?.kind === 'step');
  return step;
}

test('a tag ends the header of a step, unless it is code', () => {
  const cut = readStep('Step 1: a<<thinking>>b');
  assert.deepEqual([cut.title, cut.parts?.[0]?.kind, cut.parts?.[0]?.text], ['a', 'thinking', 'b']);
  assert.equal(readStep('Step 2: `<<thinking>>` b').title, '`<<thinking>>` b');
});

test('a line of more than 4,096 units is no header', () => {
  const [long = '', longer = ''] = [4000, 5000].map((length) => 'a'.repeat(length));
  assert.equal(readStep(`Step 1: ${long}`).title, long);
  const step = readStep(`Step 1: ${longer}`);
  assert.deepEqual([step.number, step.parts?.[0]?.text], [null, `Step 1: ${longer}`]);
});
