import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyOf, recordKey, describeQueue, listSent, setupQueue } from './setup-queue.js';
import { contentOf, stored } from './scripted-backend.js';
import { draftOf, setupController, type ControllerFixture } from './setup-controller.js';

/** A controller after a reload, with the same storage. */
async function reload(
  { environment }: ControllerFixture,
  more: readonly Parameters<typeof stored>[] = [],
  isOn = false,
): Promise<ControllerFixture> {
  const again = setupController({ environment });
  const messages = [stored('m1', 'user', 'First'), stored('m2', 'assistant', '')];
  const content = contentOf('thread-id-1', [...messages, ...more.map((one) => stored(...one))]);
  const unfinished = {
    id: 'task-1',
    keys: { thread: '', user: null, answer: '' },
    finishedRuns: [],
  };
  again.backend.threads.set(
    'thread-id-1',
    isOn ? { ...content, unfinishedRun: unfinished } : content,
  );
  await again.controller.openThread('thread-id-1');
  await environment.settle();
  return again;
}

test('the queue is restored after a reload and continues after the active run', async () => {
  const before = await setupQueue(['Second', 'Third']);
  before.controller.close();
  const again = await reload(before, [], true);
  assert.deepEqual(describeQueue(again), ['Second waiting', 'Third waiting']);
  again.backend.stream.begin();
  again.backend.stream.finish('complete');
  await again.environment.settle();
  assert.deepEqual(listSent(again), ['Second']);
});

test('the queue is restored paused when its run is over', async () => {
  const before = await setupQueue(['Second', 'Third']);
  before.controller.close();
  // With the record of the run it would be rejoined.
  await before.environment.storage.remove(recordKey('run'));
  const again = await reload(before);
  assert.deepEqual(describeQueue(again), ['Second paused', 'Third paused']);
  await again.environment.advance(60_000);
  assert.deepEqual(listSent(again), []);
  await again.controller.resumeQueue();
  await again.environment.settle();
  assert.deepEqual(listSent(again), ['Second']);
});

for (const arrived of [false, true]) {
  test(`a queued message that ${arrived ? 'was' : 'may not have been'} delivered is not sent again after a reload`, async () => {
    const before = await setupQueue(['Second']);
    before.backend.stream.finish('complete');
    await before.environment.settle();
    assert.deepEqual(listSent(before), ['First', 'Second']);
    before.controller.close();
    for (const load of [1, 2]) {
      const again = await reload(before, arrived ? [['m3', 'user', 'Second']] : []);
      assert.deepEqual(describeQueue(again), arrived ? [] : ['Second paused'], `load ${load}`);
      assert.deepEqual(listSent(again), []);
      again.controller.close();
      await again.environment.settle();
    }
  });
}

for (const arrived of [false, true]) {
  test(`a queued message that repeats the message before it ${arrived ? 'is removed when it was delivered' : 'is restored after a reload while it is being sent'}`, async () => {
    const before = await setupQueue(['First']);
    before.backend.stream.finish('complete');
    await before.environment.settle();
    assert.deepEqual(listSent(before), ['First', 'First']);
    before.controller.close();
    for (const load of [1, 2]) {
      const again = await reload(before, arrived ? [['m3', 'user', 'First']] : []);
      assert.deepEqual(describeQueue(again), arrived ? [] : ['First paused'], `load ${load}`);
      again.controller.close();
      await again.environment.settle();
    }
  });
}

test('a queued message is sent by one of two tabs', async () => {
  const one = await setupQueue(['Second', 'Third']);
  const other = await reload(one, [], true);
  other.backend.stream.begin();
  await other.environment.settle();
  // A message that one tab has removed is not sent by the other.
  await other.controller.removeQueued(keyOf(other, 'Third'));
  other.backend.stream.finish('complete');
  one.backend.stream.finish('complete');
  await one.environment.settle();
  await one.environment.settle();
  assert.deepEqual([...listSent(one), ...listSent(other)].sort(), ['First', 'Second']);
  const [busy] = [one, other].filter((tab) => listSent(tab).includes('Second'));
  busy?.backend.stream.begin('task-2');
  busy?.backend.stream.finish('complete');
  await one.environment.settle();
  assert.deepEqual([...listSent(one), ...listSent(other)].sort(), ['First', 'Second']);
});

test('a delivered text with surrounding blanks is not restored', async () => {
  const before = await setupQueue([' Second ']);
  before.backend.stream.finish('complete');
  await before.environment.settle();
  before.controller.close();
  const again = await reload(before, [['m3', 'user', 'Second']]);
  assert.deepEqual(describeQueue(again), []);
});

test('queued messages are sent in order when the storage is cleared while they wait', async () => {
  const fixture = await setupQueue(['Second']);
  const { backend, controller, environment } = fixture;
  await environment.storage.remove(recordKey('queue'));
  await controller.enqueue(draftOf('Third'));
  await environment.settle();
  for (const task of ['task-2', 'task-3']) {
    backend.stream.finish('complete');
    await environment.settle();
    backend.stream.begin(task);
  }
  assert.deepEqual(listSent(fixture), ['First', 'Second', 'Third']);
});

for (const note of ['{}', '[', '[[1, null], "x"]']) {
  test(`a queued message is sent when its record cannot be read: ${note}`, async () => {
    const fixture = await setupQueue(['Second']);
    const { backend, environment } = fixture;
    await environment.storage.set(recordKey('queue'), note);
    backend.stream.finish('complete');
    await environment.settle();
    assert.deepEqual(listSent(fixture), ['First', 'Second']);
  });
}

test('a copy of a tab leaves the queue to the original, also without a userKey', async () => {
  const original = await setupQueue(['Second'], { userKey: null });
  const base = original.environment;
  const copied = Object.create(base, {
    tabId: { value: () => Promise.resolve('tab-2') },
  }) as typeof base;
  const open = async (environment: typeof base) => {
    const tab = setupController({ environment, userKey: null });
    tab.backend.threads.set('thread-id-1', contentOf('thread-id-1', []));
    await tab.controller.openThread('thread-id-1');
    return describeQueue(tab);
  };
  assert.deepEqual(await open(copied), []);
  assert.deepEqual(await open(base), ['Second paused']);
});
