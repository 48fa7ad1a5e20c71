import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Outline } from '../../../../src/backends/ubik/fold/outline.js';
import type { PartFields } from '../../../../src/model/part.js';

const TEXT: PartFields = { kind: 'text', marks: {} };
const tool = (state: 'running' | 'done'): PartFields => ({
  kind: 'tool',
  name: 'find',
  toolId: 'c1',
  state,
  input: null,
  result: null,
});

/** An outline with a text and a tool, both told already. */
function setupOutline(): Outline {
  const outline = new Outline('m');
  outline.put('t', null, TEXT);
  outline.put('c', null, tool('running'));
  outline.takeChanges();
  return outline;
}

test('Outline reports no change when an act changes nothing', () => {
  const outline = setupOutline();
  outline.append('t', '');
  outline.append('unknown', 'x');
  outline.set('c', { state: 'running', input: null });
  outline.set('unknown', { state: 'done' });
  outline.setMark('unknown', '1', { kind: 'citation', documentId: 'd' } as never);
  assert.deepEqual(outline.takeChanges(), []);
  assert.equal(outline.size, 2);
});

test('Outline joins consecutive appends to one part into one change', () => {
  const outline = setupOutline();
  outline.append('t', 'a');
  outline.append('t', 'b');
  outline.set('c', { state: 'done' });
  outline.append('t', 'c');
  const texts = outline.takeChanges().flatMap((change) => (change.do === 'text' ? change : []));
  assert.deepEqual(
    texts.map(({ at, text }) => [at, text]),
    [
      [0, 'ab'],
      [2, 'c'],
    ],
  );
});

test('Outline reports nothing of what is done while it is quiet', () => {
  const outline = setupOutline();
  outline.append('t', 'told');
  outline.quiet = true;
  outline.append('t', ' and not told');
  outline.quiet = false;
  assert.deepEqual(
    outline.takeChanges().map((change) => change.do === 'text' && change.text),
    ['told'],
  );
  assert.equal(outline.trees()[0]?.text, 'told and not told');
});

test('Outline counts the text of its content, with inputs and results of tools', () => {
  const outline = setupOutline();
  outline.put('@a', null, { kind: 'held-activity', tool: null, payload: null } as never);
  outline.append('@a', 'activity');
  assert.equal(outline.textLength, 0);
  outline.append('t', 'four');
  outline.set('c', { input: 'ab', result: 'abc' });
  assert.equal(outline.textLength, 9);
  const copy = new Outline('m', outline);
  outline.clearContent();
  assert.deepEqual([outline.textLength, outline.size], [0, 1]);
  assert.deepEqual([copy.textLength, copy.size], [9, 3]);
});

test('Outline finds an open part only in its own parent', () => {
  const outline = setupOutline();
  const isOpen = () => [outline.hasOpen('t'), outline.hasOpen('s')];
  assert.deepEqual(isOpen(), [false, false]);
  outline.put('c2', 's', tool('running'));
  assert.deepEqual(isOpen(), [false, true]);
  outline.set('c2', { state: 'done' });
  assert.deepEqual(isOpen(), [false, false]);
  outline.put('th', 's', { kind: 'thinking', state: 'open' });
  assert.deepEqual(isOpen(), [false, true]);
});
