import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  mergeMessage,
  mergeThreadContent,
} from '../../src/controller/threads/merge-thread-content.js';
import { apply } from '../../src/model/apply.js';
import type { Change } from '../../src/model/change.js';
import { createStore } from '../../src/model/store.js';
import { ACTIVITY, type PartFields, type RequestQuestion } from '../../src/model/part.js';
import { EMPTY_ANSWER, USER_TEXT } from '../../src/model/message.js';
import { setupMessage } from '../helpers/model-message.js';
import { contentOf, stored } from './scripted-backend.js';

/** A user message and its answer, both without an id. */
function setupThread() {
  const store = createStore();
  const text = (message: string, part: string, content: string): Change[] => [
    { type: 'part', message, part, parent: null, before: null, value: { kind: 'text' } },
    { type: 'text', message, part, at: 0, text: content },
  ];
  const value = { ...EMPTY_ANSWER, status: 'complete' } as const;
  const changes: Change[] = [
    { type: 'message', message: 'q', value: { ...value, role: 'user' } },
    ...text('q', USER_TEXT, 'Question'),
    { type: 'message', message: 'a', value: { ...value, parent: 'q' } },
    ...text('a', '/0:text', 'Answer'),
    { type: 'thread', set: { id: 'old', head: 'a' } },
  ];
  assert.deepEqual(apply(store, { thread: 't', time: 0, changes }).rejected, []);
  let keys = 0;
  return (
    messages: readonly Parameters<typeof stored>[],
    unrecorded: readonly string[] = [],
    headId: string | null = messages.at(-1)?.[0] ?? null,
  ) => {
    const thread = store.threads.get('t') ?? assert.fail();
    const content = contentOf(
      'old',
      messages.map((one) => stored(...one)),
    );
    const createKey = () => `new-${(keys += 1)}`;
    const {
      changes: merged,
      lost,
      stored: recorded,
    } = mergeThreadContent(thread, { ...content, headId }, createKey, new Set(unrecorded));
    const idChanges = merged.flatMap((change) =>
      change.type === 'message' ? [`${change.message} is ${change.value.id ?? '?'}`] : [],
    );
    const removed = merged.flatMap((change) => (change.type === 'remove' ? change.message : []));
    const heads = merged.flatMap((change) => (change.type === 'thread' ? change.set.head : []));
    return { heads, idChanges, removed, recorded, lost: lost.map(({ key }) => key) };
  };
}

test('mergeThreadContent matches messages without an id by their place', () => {
  const read = setupThread();
  const { idChanges, removed } = read([
    ['m1', 'user', 'Question'],
    ['m2', 'assistant', 'Answer, and more'],
  ]);
  assert.deepEqual(idChanges, ['q is m1', 'a is m2']);
  assert.deepEqual(removed, []);
});

test('mergeThreadContent does not match a message of another role at the same place', () => {
  const read = setupThread();
  const { idChanges, removed, lost } = read([
    ['m1', 'user', 'Question'],
    ['m2', 'user', 'Another question'],
  ]);
  assert.deepEqual(idChanges, ['q is m1', 'new-1 is m2']);
  assert.deepEqual(removed, ['a']);
  assert.deepEqual(lost, []);
});

test('mergeThreadContent returns a user message that the stored thread lacks as lost', () => {
  const read = setupThread();
  const { idChanges, removed, lost } = read([['m1', 'user', 'Of another tab']]);
  assert.deepEqual(idChanges, ['new-1 is m1']);
  assert.deepEqual(removed, ['q', 'a']);
  assert.deepEqual(lost, ['q']);
});

test('mergeThreadContent removes no message that may not be stored yet', () => {
  const read = setupThread();
  const { removed, recorded } = read([['m1', 'user', 'Question']], ['q', 'a']);
  assert.deepEqual(removed, []);
  assert.deepEqual(recorded, ['q']);
});

test('mergeThreadContent sets the head of the service', () => {
  const read = setupThread();
  const messages: Parameters<typeof stored>[] = [
    ['m1', 'user', 'Question'],
    ['m2', 'assistant', 'Answer'],
  ];
  assert.deepEqual(read(messages).heads, ['a']);
  assert.deepEqual(read(messages, [], 'm1').heads, ['q']);
  assert.deepEqual(read(messages, [], null).heads, ['a']);
});

test('mergeMessage adds stored activity once, and again when it has changed', () => {
  const store = createStore();
  const fields: Extract<PartFields, { kind: 'tool-activity' }> = {
    ...{
      kind: 'tool-activity',
      toolId: 't1',
      name: 'find',
      part: '/0:text',
      phase: '',
      status: '',
    },
    ...{ message: '', data: null, state: 'running', reason: '', subSession: null },
    ...{ startedAt: 1000, endedAt: null },
  };
  const merge = (value: typeof fields) => {
    const message = store.threads.get('t')?.messages.get('a');
    const record = {
      ...stored('m2', 'assistant', 'Answer'),
      activity: [{ key: '@t', fields: value }],
    };
    const changes = mergeMessage('a', message, record, null);
    const { applied } = apply(store, { thread: 't', time: 0, changes });
    return applied.flatMap((change) =>
      change.type === 'part' && change.value.kind === 'tool-activity' ? change.value.state : [],
    );
  };
  assert.deepEqual(merge(fields), ['running']);
  assert.deepEqual(merge(fields), []);
  assert.deepEqual(merge({ ...fields, state: 'done', endedAt: 2000 }), ['done']);
});

test('mergeMessage closes the pending requests that the stored message does not have', () => {
  const question: RequestQuestion = {
    level: 'agent',
    prompt: 'Which?',
    inputTypes: ['text'],
    ...{ checkpointName: 'c', executionId: null, options: null, schema: null, deadline: null },
  };
  const { message, run } = setupMessage();
  for (const key of ['@request:1', '@request:2']) {
    const value = {
      ...question,
      ...({ kind: 'request-activity', toolName: null, part: null, state: 'pending' } as const),
    };
    run({ type: 'part', message: 'm', part: key, parent: ACTIVITY, before: null, value });
  }
  const content = {
    ...stored('m', 'assistant', ''),
    requests: [{ key: '@request:2', message: 'm', ...question }],
  };
  const closed = mergeMessage('m', message(), content, null).filter(
    (change) => change.type === 'set' && change.value === 'closed',
  );
  assert.deepEqual(closed, [
    { type: 'set', message: 'm', part: '@request:1', path: ['state'], value: 'closed' },
  ]);
});
