import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyOf, noteKey, queued, sent, setupQueue } from './queue-stage.js';
import { contentOf, stored } from './scripted-backend.js';
import { draftOf, setupConversation, type Conversation } from './setup-conversation.js';

/** What a page finds that is loaded after another one. */
async function reload(
  { environment }: Conversation,
  more: readonly Parameters<typeof stored>[] = [],
  isOn = false,
): Promise<Conversation> {
  const again = setupConversation({ environment });
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

test('survives a reload, and goes on behind a run that is still on', async () => {
  const before = await setupQueue(['Second', 'Third']);
  before.controller.close();
  const again = await reload(before, [], true);
  assert.deepEqual(queued(again), ['Second waiting', 'Third waiting']);
  again.backend.stream.begin();
  again.backend.stream.finish('complete');
  await again.environment.settle();
  assert.deepEqual(sent(again), ['Second']);
});

test('survives a reload, and is not sent by itself when its run is over', async () => {
  const before = await setupQueue(['Second', 'Third']);
  before.controller.close();
  // With the note of the run it would be joined again.
  await before.environment.storage.remove(noteKey('run'));
  const again = await reload(before);
  assert.deepEqual(queued(again), ['Second paused', 'Third paused']);
  await again.environment.advance(60_000);
  assert.deepEqual(sent(again), []);
  await again.controller.resumeQueue();
  await again.environment.settle();
  assert.deepEqual(sent(again), ['Second']);
});

for (const arrived of [false, true]) {
  test(`does not send again after a reload in the middle what ${arrived ? 'has' : 'may not have'} arrived`, async () => {
    const before = await setupQueue(['Second']);
    before.backend.stream.finish('complete');
    await before.environment.settle();
    assert.deepEqual(sent(before), ['First', 'Second']);
    before.controller.close();
    for (const load of [1, 2]) {
      const again = await reload(before, arrived ? [['m3', 'user', 'Second']] : []);
      assert.deepEqual(queued(again), arrived ? [] : ['Second paused'], `load ${load}`);
      assert.deepEqual(sent(again), []);
      again.controller.close();
      await again.environment.settle();
    }
  });
}

for (const arrived of [false, true]) {
  test(`a queued message that repeats the question before it ${arrived ? 'is not offered again when it has arrived' : 'survives a reload while it is being sent'}`, async () => {
    const before = await setupQueue(['First']);
    before.backend.stream.finish('complete');
    await before.environment.settle();
    assert.deepEqual(sent(before), ['First', 'First']);
    before.controller.close();
    for (const load of [1, 2]) {
      const again = await reload(before, arrived ? [['m3', 'user', 'First']] : []);
      assert.deepEqual(queued(again), arrived ? [] : ['First paused'], `load ${load}`);
      again.controller.close();
      await again.environment.settle();
    }
  });
}

test('is sent by one of two tabs', async () => {
  const one = await setupQueue(['Second', 'Third']);
  const other = await reload(one, [], true);
  other.backend.stream.begin();
  await other.environment.settle();
  // What one tab takes out, the other does not send.
  await other.controller.removeQueued(keyOf(other, 'Third'));
  other.backend.stream.finish('complete');
  one.backend.stream.finish('complete');
  await one.environment.settle();
  await one.environment.settle();
  assert.deepEqual([...sent(one), ...sent(other)].sort(), ['First', 'Second']);
  const [busy] = [one, other].filter((tab) => sent(tab).includes('Second'));
  busy?.backend.stream.begin('task-2');
  busy?.backend.stream.finish('complete');
  await one.environment.settle();
  assert.deepEqual([...sent(one), ...sent(other)].sort(), ['First', 'Second']);
});

test('a text with blanks around it is not offered again when it has arrived', async () => {
  const before = await setupQueue([' Second ']);
  before.backend.stream.finish('complete');
  await before.environment.settle();
  before.controller.close();
  const again = await reload(before, [['m3', 'user', 'Second']]);
  assert.deepEqual(queued(again), []);
});

test('messages are sent in their order when the page clears its storage while they wait', async () => {
  const conversation = await setupQueue(['Second']);
  const { backend, controller, environment } = conversation;
  await environment.storage.remove(noteKey('queue'));
  await controller.enqueue(draftOf('Third'));
  await environment.settle();
  for (const task of ['task-2', 'task-3']) {
    backend.stream.finish('complete');
    await environment.settle();
    backend.stream.begin(task);
  }
  assert.deepEqual(sent(conversation), ['First', 'Second', 'Third']);
});

for (const note of ['{}', '[', '[[1, null], "x"]']) {
  test(`a message is sent when what is stored of it cannot be read: ${note}`, async () => {
    const conversation = await setupQueue(['Second']);
    const { backend, environment } = conversation;
    await environment.storage.set(noteKey('queue'), note);
    backend.stream.finish('complete');
    await environment.settle();
    assert.deepEqual(sent(conversation), ['First', 'Second']);
  });
}

test('is left to its own tab by a copy of it, also when the page names no person', async () => {
  const original = await setupQueue(['Second'], { userKey: null });
  const base = original.environment;
  const copied = Object.create(base, {
    tabId: { value: () => Promise.resolve('tab-2') },
  }) as typeof base;
  const open = async (environment: typeof base) => {
    const tab = setupConversation({ environment, userKey: null });
    tab.backend.threads.set('thread-id-1', contentOf('thread-id-1', []));
    await tab.controller.openThread('thread-id-1');
    return queued(tab);
  };
  assert.deepEqual(await open(copied), []);
  assert.deepEqual(await open(base), ['Second paused']);
});
