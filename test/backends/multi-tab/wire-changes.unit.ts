import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromWireChange, toWireChanges } from '../../../src/backends/multi-tab/wire-changes.js';
import type { Change } from '../../../src/model/change.js';
import { EMPTY_ANSWER } from '../../../src/model/message.js';

const KEYS = { thread: 't', user: 'u', answer: 'a' };
const ANSWER = 'answer';

const set = (message: string, name: string, value: unknown, part: string | null = null): Change =>
  ({ type: 'set', message, part, path: [name], value }) as Change;

test('toWireChanges includes changes of the answer, the ids of the question, the state of the run, the title and the documents', () => {
  const toWire = (change: Change) => toWireChanges(change, KEYS);
  assert.deepEqual(toWire(set('a', 'status', 'waiting')), [set(ANSWER, 'status', 'waiting')]);
  assert.deepEqual(toWire(set('u', 'id', 'm1')), [set('question', 'id', 'm1')]);
  assert.deepEqual(toWire(set('a', 'state', 'done', 'p')), [set(ANSWER, 'state', 'done', 'p')]);
  assert.deepEqual(
    toWire({
      type: 'thread',
      set: { head: 'a', title: 'T', run: { state: 'waiting', attempt: 3 } },
    }),
    [{ type: 'thread', set: { title: 'T', run: { state: 'waiting' } } }],
  );
  const item: Change = { type: 'item', list: 'documents', key: 'd', value: 1 };
  assert.deepEqual(toWire(item), [item]);
});

test('toWireChanges omits changes that concern this tab only', () => {
  const own: readonly Change[] = [
    set('a', 'parent', 'u'),
    set('u', 'status', 'complete'),
    set('u', 'text', 'x', 'p'),
    set('other', 'status', 'complete'),
    { type: 'text', message: 'u', part: 'p', at: 0, text: 'secret' },
    { type: 'thread', set: { head: 'a' } },
    { type: 'thread', set: { run: {} } },
    { type: 'item', list: 'queue', key: 'q', value: 'secret' },
    { type: 'item', list: 'threads', key: 'q', value: 'secret' },
  ];
  for (const change of own)
    assert.deepEqual(toWireChanges(change, KEYS), [], JSON.stringify(change));
});

test('fromWireChange inserts the keys of this tab and drops the question when this tab has none', () => {
  assert.deepEqual(fromWireChange(set(ANSWER, 'status', 'waiting'), KEYS), [
    set('a', 'status', 'waiting'),
  ]);
  assert.deepEqual(fromWireChange(set('question', 'id', 'm1'), KEYS), [set('u', 'id', 'm1')]);
  assert.deepEqual(fromWireChange(set('question', 'id', 'm1'), { ...KEYS, user: null }), []);
});

test('toWireChanges splits a replaced answer into its fields without its parent and role', () => {
  const fields = { ...EMPTY_ANSWER, runId: 'r', parent: 'u', status: 'waiting' } as const;
  const value = { ...fields, extra: { a: 1 } };
  const names = toWireChanges({ type: 'message', message: 'a', value }, KEYS).map((change) =>
    change.type === 'set' ? change.path.join() : change.type,
  );
  assert.deepEqual(names, [
    'id',
    'runId',
    'siblingIds',
    'createdAt',
    'status',
    'attachments',
    'restoredFrom',
    'failure',
    'extra',
  ]);
  assert.deepEqual(toWireChanges({ type: 'message', message: 'u', value }, KEYS), []);
});

test('toWireChanges includes all fields of the run that the service sets', () => {
  const run = { state: 'failed', id: 'r', error: { code: 'x', message: 'X' } } as const;
  const change: Change = { type: 'thread', set: { run: { ...run, answer: 'a', retryAt: 5 } } };
  assert.deepEqual(toWireChanges(change, KEYS), [{ type: 'thread', set: { run } }]);
  const item: Change = { type: 'item', list: 'checkpoints', key: '0' };
  assert.deepEqual(toWireChanges(item, KEYS), [item]);
});

test('toWireChanges includes changes of parts of the answer', () => {
  const parts: readonly Change[] = [
    { type: 'remove', message: 'a', part: 'p' },
    { type: 'content', message: 'a', parts: [] },
    { type: 'set', message: 'a', part: 'p', path: ['marks', 'k'], value: 1 },
  ];
  for (const change of parts)
    assert.deepEqual(toWireChanges(change, KEYS), [{ ...change, message: ANSWER }]);
});

test('toWireChanges omits the removal of the answer and partial or removed fields', () => {
  const own: readonly Change[] = [
    { type: 'remove', message: 'a', part: null },
    { type: 'remove', message: 'u', part: 'p' },
    { type: 'set', message: 'a', part: null, path: ['failure', 'code'], value: 'x' },
    { type: 'set', message: 'a', part: null, path: ['usage'] },
  ];
  for (const change of own)
    assert.deepEqual(toWireChanges(change, KEYS), [], JSON.stringify(change));
});

test('fromWireChange leaves changes without a message unchanged', () => {
  const change: Change = { type: 'thread', set: { title: 'T' } };
  assert.deepEqual(fromWireChange(change, { ...KEYS, user: null }), [change]);
});
