import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredMessage } from '../../src/backends/backend.js';
import { contentOf, stored } from './scripted-backend.js';
import { setupController, type ControllerFixture } from './setup-controller.js';

const QUESTION = stored('q', 'user', 'Hello');
/** A stored version of an answer that has another version. */
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

/** A controller that has restored a checkpoint; its run is active. */
async function restoreFirst(): Promise<ControllerFixture> {
  const fixture = setupController();
  const { controller, backend, environment } = fixture;
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
  return fixture;
}

/** A controller of the same user after a reload, with the same storage. */
function reload({ environment, backend }: ControllerFixture): ControllerFixture {
  const next = setupController({ environment });
  for (const [id, content] of backend.threads) next.backend.threads.set(id, content);
  return next;
}

test('the origin of a restored answer is known after a reload', async () => {
  const before = await restoreFirst();
  before.backend.stream.finish('complete');
  await before.environment.settle();
  assert.deepEqual(before.last().restoredFrom, ORIGIN);
  const { controller, backend, last } = reload(before);
  await controller.openThread('t');
  assert.deepEqual(last().restoredFrom, ORIGIN);
  assert.equal(backend.count('listCheckpoints'), 0);
});

test('the origin of a restored answer is known after a reload during the run', async () => {
  const { controller, last } = reload(await restoreFirst());
  await controller.openThread('t');
  assert.deepEqual(last().restoredFrom, ORIGIN);
});

test('the origin of a restored answer is read from the checkpoints in another browser', async () => {
  const { controller, backend, environment, last } = setupController();
  backend.threads.set('t', contentOf('t', [QUESTION, AGAIN]));
  backend.checkpoints = [
    CHECKPOINT,
    { ...CHECKPOINT, name: 'c2', taskId: 'task-2', restoredFrom: ORIGIN },
  ];
  await controller.openThread('t');
  await environment.settle();
  assert.deepEqual(last().restoredFrom, ORIGIN);
});

test('checkpoints are loaded for origins once, and only when an answer has other versions', async () => {
  const { controller, backend, environment, last } = setupController();
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

test('a failure to load origins emits no notice', async () => {
  const { controller, backend, environment, notices } = setupController();
  backend.threads.set('t', contentOf('t', [QUESTION, AGAIN]));
  backend.responses.set('listCheckpoints', () => Promise.reject(new Error('no')));
  await controller.openThread('t');
  await environment.settle();
  assert.deepEqual(
    notices.map(({ type }) => type),
    ['thread-changed', 'thread-opened'],
  );
});

test('stored origins of another shape are ignored', async () => {
  const before = await restoreFirst();
  before.backend.stream.finish('complete');
  await before.environment.settle();
  const { environment, backend } = before;
  const other = setupController({ environment, userKey: 'user-2' });
  for (const [id, content] of backend.threads) other.backend.threads.set(id, content);
  await other.controller.openThread('t');
  assert.equal(other.last().restoredFrom, null);
});

test('stored origins are removed with their thread', async () => {
  const before = await restoreFirst();
  before.backend.stream.finish('complete');
  await before.environment.settle();
  await before.controller.deleteThread('t');
  await before.environment.settle();
  const { controller, last } = reload(before);
  await controller.openThread('t');
  assert.equal(last().restoredFrom, null);
});
