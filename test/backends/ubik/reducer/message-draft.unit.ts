import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageDraft } from '../../../../src/backends/ubik/reducer/message-draft.js';
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

/** A draft with a text and a tool whose changes were drained. */
function setupDraft(): MessageDraft {
  const draft = new MessageDraft('m');
  draft.put('t', null, TEXT);
  draft.put('c', null, tool('running'));
  draft.drainChanges();
  return draft;
}

test('MessageDraft records no change for a call that changes nothing', () => {
  const draft = setupDraft();
  draft.append('t', '');
  draft.append('unknown', 'x');
  draft.set('c', { state: 'running', input: null });
  draft.set('unknown', { state: 'done' });
  draft.setMark('unknown', '1', { kind: 'citation', documentId: 'd' } as never);
  assert.deepEqual(draft.drainChanges(), []);
  assert.equal(draft.size, 2);
});

test('MessageDraft joins consecutive appends to one part into one change', () => {
  const draft = setupDraft();
  draft.append('t', 'a');
  draft.append('t', 'b');
  draft.set('c', { state: 'done' });
  draft.append('t', 'c');
  const texts = draft.drainChanges().flatMap((change) => (change.type === 'text' ? change : []));
  assert.deepEqual(
    texts.map(({ at, text }) => [at, text]),
    [
      [0, 'ab'],
      [2, 'c'],
    ],
  );
});

test('MessageDraft records no changes while it is muted', () => {
  const draft = setupDraft();
  draft.append('t', 'recorded');
  draft.isMuted = true;
  draft.append('t', ' and muted');
  draft.isMuted = false;
  assert.deepEqual(
    draft.drainChanges().map((change) => change.type === 'text' && change.text),
    ['recorded'],
  );
  assert.equal(draft.toTrees()[0]?.text, 'recorded and muted');
});

test('MessageDraft counts the text of its content, including inputs and results of tools', () => {
  const draft = setupDraft();
  draft.put('@a', null, { kind: 'incomplete-activity', tool: null, payload: null } as never);
  draft.append('@a', 'activity');
  assert.equal(draft.textLength, 0);
  draft.append('t', 'four');
  draft.set('c', { input: 'ab', result: 'abc' });
  assert.equal(draft.textLength, 9);
  const copy = new MessageDraft('m', draft);
  draft.clearContent();
  assert.deepEqual([draft.textLength, draft.size], [0, 1]);
  assert.deepEqual([copy.textLength, copy.size], [9, 3]);
});

test('MessageDraft finds an open child only below its own parent', () => {
  const draft = setupDraft();
  const isOpen = () => [draft.hasOpenChild('t'), draft.hasOpenChild('s')];
  assert.deepEqual(isOpen(), [false, false]);
  draft.put('c2', 's', tool('running'));
  assert.deepEqual(isOpen(), [false, true]);
  draft.set('c2', { state: 'done' });
  assert.deepEqual(isOpen(), [false, false]);
  draft.put('th', 's', { kind: 'thinking', state: 'open' });
  assert.deepEqual(isOpen(), [false, true]);
});
