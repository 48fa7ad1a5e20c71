import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageBuilder } from '../../../../src/backends/ubik/reducer/message-builder.js';
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

/** A builder with a text and a tool whose changes were drained. */
function setupBuilder(): MessageBuilder {
  const builder = new MessageBuilder('m');
  builder.put('t', null, TEXT);
  builder.put('c', null, tool('running'));
  builder.drainChanges();
  return builder;
}

test('MessageBuilder records no change for a call that changes nothing', () => {
  const builder = setupBuilder();
  builder.append('t', '');
  builder.append('unknown', 'x');
  builder.set('c', { state: 'running', input: null });
  builder.set('unknown', { state: 'done' });
  builder.setMark('unknown', '1', { kind: 'citation', documentId: 'd' } as never);
  assert.deepEqual(builder.drainChanges(), []);
  assert.equal(builder.size, 2);
});

test('MessageBuilder joins consecutive appends to one part into one change', () => {
  const builder = setupBuilder();
  builder.append('t', 'a');
  builder.append('t', 'b');
  builder.set('c', { state: 'done' });
  builder.append('t', 'c');
  const texts = builder.drainChanges().flatMap((change) => (change.type === 'text' ? change : []));
  assert.deepEqual(
    texts.map(({ at, text }) => [at, text]),
    [
      [0, 'ab'],
      [2, 'c'],
    ],
  );
});

test('MessageBuilder records no changes while its content is being replaced', () => {
  const builder = setupBuilder();
  builder.append('t', 'recorded');
  builder.isReplacingContent = true;
  builder.append('t', ' and unrecorded');
  builder.isReplacingContent = false;
  assert.deepEqual(
    builder.drainChanges().map((change) => change.type === 'text' && change.text),
    ['recorded'],
  );
  assert.equal(builder.toTrees()[0]?.text, 'recorded and unrecorded');
});

test('MessageBuilder counts the text of its content, including inputs and results of tools', () => {
  const builder = setupBuilder();
  builder.put('@a', null, { kind: 'incomplete-activity', tool: null, payload: null } as never);
  builder.append('@a', 'activity');
  assert.equal(builder.textLength, 0);
  builder.append('t', 'four');
  builder.set('c', { input: 'ab', result: 'abc' });
  assert.equal(builder.textLength, 9);
  const copy = new MessageBuilder('m', builder);
  builder.clearContent();
  assert.deepEqual([builder.textLength, builder.size], [0, 1]);
  assert.deepEqual([copy.textLength, copy.size], [9, 3]);
});

test('MessageBuilder finds an open child only below its own parent', () => {
  const builder = setupBuilder();
  const isOpen = () => [builder.hasOpenChild('t'), builder.hasOpenChild('s')];
  assert.deepEqual(isOpen(), [false, false]);
  builder.put('c2', 's', tool('running'));
  assert.deepEqual(isOpen(), [false, true]);
  builder.set('c2', { state: 'done' });
  assert.deepEqual(isOpen(), [false, false]);
  builder.put('th', 's', { kind: 'thinking', state: 'open' });
  assert.deepEqual(isOpen(), [false, true]);
});
