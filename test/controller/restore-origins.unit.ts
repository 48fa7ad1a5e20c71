import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredMessage } from '../../src/backends/backend.js';
import { contentOf, stored } from './scripted-backend.js';
import { setupController, type ControllerFixture } from './setup-controller.js';

const QUESTION = stored('q', 'user', 'Hello');
/** A stored answer that has another version. */
const AGAIN: StoredMessage = {
  ...stored('b', 'assistant', 'Other', { runId: 'task-2' }),
  fields: {
    ...stored('b', 'assistant', '', { runId: 'task-2' }).fields,
    siblingIds: ['a', 'b'],
  },
};
const CHECKPOINT = {
  name: 'c1',
  runId: 'task-1',
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
  const answer = stored('a', 'assistant', 'Good day', { runId: 'task-1' });
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
    { ...CHECKPOINT, name: 'c2', runId: 'task-2', restoredFrom: ORIGIN },
  ];
  await controller.openThread('t');
  await environment.settle();
  assert.deepEqual(last().restoredFrom, ORIGIN);
});

test('the origin in a checkpoint without a run is applied to no message', async () => {
  const { controller, backend, environment } = setupController();
  const older = stored('a', 'assistant', 'Good day');
  backend.threads.set('t', contentOf('t', [QUESTION, older, AGAIN]));
  backend.checkpoints = [{ ...CHECKPOINT, runId: null, restoredFrom: ORIGIN }];
  await controller.openThread('t');
  await environment.settle();
  assert.equal(backend.count('listCheckpoints'), 1);
  const messages = [...(controller.thread?.messages.values() ?? [])];
  assert.deepEqual(
    messages.map(({ restoredFrom }) => restoredFrom),
    [null, null, null],
  );
});

test('checkpoints are loaded for origins once, and only when an answer has other versions', async () => {
  const { controller, backend, environment, last } = setupController();
  const alone = stored('a', 'assistant', 'Good day', { runId: 'task-1' });
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

test('the stored origins of another user are not applied', async () => {
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

/** Storage key of the origins of the thread. */
const RECORD = ['https://service.test', 'user-1', 'origins', 't'].map(encodeURIComponent).join('|');

/** Opens the thread of {@link AGAIN} in a browser with a stored record. */
async function openWith(record: unknown): Promise<ControllerFixture> {
  const fixture = setupController();
  fixture.backend.threads.set('t', contentOf('t', [QUESTION, AGAIN]));
  await fixture.environment.storage.set(RECORD, JSON.stringify(record));
  await fixture.controller.openThread('t');
  return fixture;
}

test('stored origins without a hint are applied', async () => {
  const { last } = await openWith([{ task: 'task-2', checkpoint: 'c9', hint: null }]);
  assert.deepEqual(last().restoredFrom, { checkpoint: 'c9', hint: null });
});

for (const [what, record] of [
  ['is no list', { task: 'task-2', ...ORIGIN }],
  ['has an entry that is no object', [null]],
  ['has an entry without a task', [{ ...ORIGIN }]],
  ['has an entry without a checkpoint', [{ task: 'task-2', hint: null }]],
  ['has an entry whose hint is no text', [{ task: 'task-2', checkpoint: 'c1', hint: 5 }]],
] as const) {
  test(`a record of origins that ${what} is ignored`, async () => {
    const { last } = await openWith(record);
    assert.equal(last().restoredFrom, null);
  });
}

test('the last hundred origins of a thread are stored', async () => {
  const known = Array.from({ length: 100 }, (_, at) => ({ task: `old-${at}`, ...ORIGIN }));
  const fixture = setupController();
  await fixture.environment.storage.set(RECORD, JSON.stringify(known));
  const { fields } = AGAIN;
  const restored = { ...AGAIN, fields: { ...fields, restoredFrom: ORIGIN } };
  fixture.backend.threads.set('t', contentOf('t', [QUESTION, restored]));
  await fixture.controller.openThread('t');
  await fixture.environment.settle();
  const record = JSON.parse((await fixture.environment.storage.get(RECORD)) ?? '[]') as unknown[];
  assert.deepEqual(record, [...known.slice(1), { task: 'task-2', ...ORIGIN }]);
});

test('checkpoints are not loaded for origins when the answer is its only version', async () => {
  const { controller, backend, environment } = setupController();
  const only = { ...AGAIN, fields: { ...AGAIN.fields, siblingIds: ['b'] } };
  backend.threads.set('t', contentOf('t', [QUESTION, only]));
  await controller.openThread('t');
  await environment.settle();
  assert.equal(backend.count('listCheckpoints'), 0);
});

test('checkpoints that the service has removed are removed from the list', async () => {
  const { controller, backend } = setupController();
  backend.threads.set('t', contentOf('t', [QUESTION]));
  await controller.openThread('t');
  backend.checkpoints = ['c1', 'c2', 'c3'].map((name) => ({ ...CHECKPOINT, name }));
  await controller.listCheckpoints();
  backend.checkpoints = backend.checkpoints.slice(0, 1);
  await controller.listCheckpoints();
  assert.deepEqual([...(controller.thread?.list('checkpoints').values() ?? [])], [CHECKPOINT]);
});
