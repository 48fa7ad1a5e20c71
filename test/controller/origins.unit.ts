import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredMessage } from '../../src/backends/backend.js';
import { contentOf, stored } from './scripted-backend.js';
import { setupConversation, type Conversation } from './setup-conversation.js';

const QUESTION = stored('q', 'user', 'Hello');
/** A version beside another one, as a history tells it. */
const AGAIN: StoredMessage = {
  ...stored('b', 'assistant', 'Other', { taskId: 'task-2' }),
  fields: {
    ...stored('b', 'assistant', '', { taskId: 'task-2' }).fields,
    siblingIds: ['a', 'b'],
  },
};
const CHECKPOINT = {
  name: 'c1',
  taskId: 'task-1',
  createdAt: 1,
  id: null,
  metadata: null,
  restorable: true,
};
const ORIGIN = { checkpoint: 'c1', hint: 'only the second' };

/** A conversation that has gone back to a checkpoint; the run is on. */
async function goBack(): Promise<Conversation> {
  const conversation = setupConversation();
  const { controller, backend, environment } = conversation;
  const answer = stored('a', 'assistant', 'Good day', { taskId: 'task-1' });
  backend.threads.set('t', contentOf('t', [QUESTION, answer]));
  await controller.openThread('t');
  backend.checkpoints = [CHECKPOINT];
  const restored = controller.restoreCheckpoint('c1', 'only the second');
  await environment.settle();
  backend.threads.set('t', contentOf('t', [QUESTION, AGAIN]));
  backend.stream.begin('task-2');
  await restored;
  await environment.settle();
  return conversation;
}

/** The same person after a reload, with what the browser has kept. */
function reload({ environment, backend }: Conversation): Conversation {
  const next = setupConversation({ environment });
  for (const [id, content] of backend.threads) next.backend.threads.set(id, content);
  return next;
}

test('knows after a reload with which hint an answer began', async () => {
  const before = await goBack();
  before.backend.stream.finish('complete');
  await before.environment.settle();
  assert.deepEqual(before.last().restoredFrom, ORIGIN);
  const { controller, backend, last } = reload(before);
  await controller.openThread('t');
  assert.deepEqual(last().restoredFrom, ORIGIN);
  assert.equal(backend.count('listCheckpoints'), 0);
});

test('knows it after a reload in the middle of the run', async () => {
  const { controller, last } = reload(await goBack());
  await controller.openThread('t');
  assert.deepEqual(last().restoredFrom, ORIGIN);
});

test('believes the checkpoints of the answer where this browser was not there', async () => {
  const { controller, backend, environment, last } = setupConversation();
  backend.threads.set('t', contentOf('t', [QUESTION, AGAIN]));
  backend.checkpoints = [
    CHECKPOINT,
    { ...CHECKPOINT, name: 'c2', taskId: 'task-2', restoredFrom: ORIGIN },
  ];
  await controller.openThread('t');
  await environment.settle();
  assert.deepEqual(last().restoredFrom, ORIGIN);
});

test('asks for them once, and only where an answer has other versions', async () => {
  const { controller, backend, environment, last } = setupConversation();
  const alone = stored('a', 'assistant', 'Good day', { taskId: 'task-1' });
  backend.threads.set('u', contentOf('u', [QUESTION, alone]));
  backend.threads.set('t', contentOf('t', [QUESTION, AGAIN]));
  await controller.openThread('u');
  await environment.settle();
  assert.equal(backend.count('listCheckpoints'), 0);
  for (const _ of [1, 2]) {
    await controller.openThread('t');
    await environment.settle();
  }
  assert.equal(backend.count('listCheckpoints'), 1);
  assert.equal(last().restoredFrom, null);
});

test('tells nobody when they cannot be read', async () => {
  const { controller, backend, environment, notices } = setupConversation();
  backend.threads.set('t', contentOf('t', [QUESTION, AGAIN]));
  backend.answers.set('listCheckpoints', () => Promise.reject(new Error('no')));
  await controller.openThread('t');
  await environment.settle();
  assert.deepEqual(
    notices.map(({ type }) => type),
    ['thread-changed', 'thread-opened'],
  );
});

test('does not take for its own what storage holds of somebody else', async () => {
  const before = await goBack();
  before.backend.stream.finish('complete');
  await before.environment.settle();
  const { environment, backend } = before;
  const other = setupConversation({ environment, userKey: 'user-2' });
  for (const [id, content] of backend.threads) other.backend.threads.set(id, content);
  await other.controller.openThread('t');
  assert.equal(other.last().restoredFrom, null);
});

test('keeps nothing of a thread that was deleted', async () => {
  const before = await goBack();
  before.backend.stream.finish('complete');
  await before.environment.settle();
  await before.controller.deleteThread('t');
  await before.environment.settle();
  const { controller, last } = reload(before);
  await controller.openThread('t');
  assert.equal(last().restoredFrom, null);
});
