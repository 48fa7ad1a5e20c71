import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UbikError } from '../../src/errors.js';
import { createBoundedStorage } from '../../src/transport/storage.js';
import { AGENT_REQUEST } from '../helpers/agent-request.js';
import { createStorageArea } from '../helpers/storage-area.js';
import { createTestEnvironment } from '../helpers/test-environment.js';
import { keyOf, recordKey, describeQueue, listSent, setupQueue } from './setup-queue.js';
import { contentOf, stored } from './scripted-backend.js';
import { codeOf, draftOf, setupController, type ControllerFixture } from './setup-controller.js';

/** A controller after a reload, with the same storage. `isRunning`: the service lists the run `task-1` as unfinished. */
async function reload(
  { environment }: ControllerFixture,
  more: readonly Parameters<typeof stored>[] = [],
  isRunning = false,
): Promise<ControllerFixture> {
  const reloaded = setupController({ environment });
  const messages = [stored('m1', 'user', 'First'), stored('m2', 'assistant', '')];
  const content = contentOf('thread-id-1', [...messages, ...more.map((one) => stored(...one))]);
  const unfinished = {
    id: 'task-1',
    keys: { thread: '', user: null, answer: '' },
    otherRunIds: [],
  };
  reloaded.backend.threads.set(
    'thread-id-1',
    isRunning ? { ...content, unfinishedRun: unfinished } : content,
  );
  await reloaded.controller.openThread('thread-id-1');
  await environment.settle();
  return reloaded;
}

test('the queue is restored after a reload and continues after the active run', async () => {
  const before = await setupQueue(['Second', 'Third']);
  before.controller.close();
  const reloaded = await reload(before, [], true);
  assert.deepEqual(describeQueue(reloaded), ['Second waiting', 'Third waiting']);
  reloaded.backend.stream.begin();
  reloaded.backend.stream.finish('complete');
  await reloaded.environment.settle();
  assert.deepEqual(listSent(reloaded), ['Second']);
});

test('the restored queue is paused without a reason when the run of the earlier page is gone', async () => {
  const before = await setupQueue(['Second', 'Third']);
  before.controller.close();
  const reloaded = await reload(before, [], true);
  reloaded.backend.stream.fail(new UbikError('not-found'));
  await reloaded.environment.settle();
  assert.deepEqual(describeQueue(reloaded), ['Second paused', 'Third paused']);
});

test('the queue is restored paused when its run has ended', async () => {
  const before = await setupQueue(['Second', 'Third']);
  before.controller.close();
  // Otherwise the recorded run would be rejoined.
  await before.environment.storage.remove(recordKey('run'));
  const reloaded = await reload(before);
  assert.deepEqual(describeQueue(reloaded), ['Second paused', 'Third paused']);
  await reloaded.environment.advance(60_000);
  assert.deepEqual(listSent(reloaded), []);
  await reloaded.controller.resumeQueue();
  await reloaded.environment.settle();
  assert.deepEqual(listSent(reloaded), ['Second']);
});

describe('a queue that is restored while a tool of an earlier page waits', () => {
  async function setupWaiting(): Promise<ControllerFixture> {
    const before = await setupQueue(['Second']);
    before.controller.close();
    await before.environment.storage.remove(recordKey('run'));
    const reloaded = setupController({ environment: before.environment });
    const request = { ...AGENT_REQUEST, key: '@request:1', level: 'tool' } as const;
    const answer = stored('m2', 'assistant', 'Hm', { runId: 'task-1' });
    const messages = [stored('m1', 'user', 'First'), { ...answer, requests: [request] }];
    reloaded.backend.threads.set('thread-id-1', contentOf('thread-id-1', messages));
    await reloaded.controller.openThread('thread-id-1');
    await reloaded.environment.settle();
    assert.deepEqual(describeQueue(reloaded), ['Second paused']);
    return reloaded;
  }

  test('sendQueued stops the run before it sends the message', async () => {
    const fixture = await setupWaiting();
    const { controller, backend, environment } = fixture;
    const sent = controller.sendQueued(keyOf(fixture, 'Second'));
    await environment.settle();
    assert.deepEqual([backend.count('stop'), listSent(fixture)], [1, []]);
    backend.stream.begin();
    backend.stream.finish('stopped');
    await sent;
    await environment.settle();
    assert.deepEqual(listSent(fixture), ['Second']);
  });

  test('resumeQueue sends nothing before the end of the run', async () => {
    const fixture = await setupWaiting();
    await fixture.controller.resumeQueue();
    await fixture.environment.settle();
    assert.deepEqual([describeQueue(fixture), listSent(fixture)], [['Second waiting'], []]);
  });
});

for (const isDelivered of [false, true]) {
  test(`a queued message that ${isDelivered ? 'was' : 'may not have been'} delivered is not sent again after a reload`, async () => {
    const before = await setupQueue(['Second']);
    before.backend.stream.finish('complete');
    await before.environment.settle();
    assert.deepEqual(listSent(before), ['First', 'Second']);
    before.controller.close();
    for (const load of [1, 2]) {
      const reloaded = await reload(before, isDelivered ? [['m3', 'user', 'Second']] : []);
      assert.deepEqual(
        describeQueue(reloaded),
        isDelivered ? [] : ['Second paused'],
        `load ${load}`,
      );
      assert.deepEqual(listSent(reloaded), []);
      reloaded.controller.close();
      await reloaded.environment.settle();
    }
  });
}

for (const isDelivered of [false, true]) {
  test(`a queued message that repeats the message before it ${isDelivered ? 'is removed when it was delivered' : 'is restored after a reload while it is being sent'}`, async () => {
    const before = await setupQueue(['First']);
    before.backend.stream.finish('complete');
    await before.environment.settle();
    assert.deepEqual(listSent(before), ['First', 'First']);
    before.controller.close();
    for (const load of [1, 2]) {
      const reloaded = await reload(before, isDelivered ? [['m3', 'user', 'First']] : []);
      assert.deepEqual(
        describeQueue(reloaded),
        isDelivered ? [] : ['First paused'],
        `load ${load}`,
      );
      reloaded.controller.close();
      await reloaded.environment.settle();
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
  const sender = [one, other].find((tab) => listSent(tab).includes('Second'));
  sender?.backend.stream.begin('task-2');
  sender?.backend.stream.finish('complete');
  await one.environment.settle();
  assert.deepEqual([...listSent(one), ...listSent(other)].sort(), ['First', 'Second']);
});

for (const isListed of [true, false]) {
  test(`a queued message that is rejected because another tab sends the one before ${isListed ? 'is sent after the run of that tab' : 'is paused when the service does not list the run of that tab'}`, async () => {
    const one = await setupQueue(['Second', 'Third', 'Fourth']);
    const other = await reload(one, [], true);
    other.backend.stream.begin();
    await other.environment.settle();
    one.backend.stream.finish('complete');
    await one.environment.settle();
    assert.deepEqual(listSent(one), ['First', 'Second']);
    const talk = [stored('m1', 'user', 'First'), stored('m2', 'assistant', 'Yes')];
    other.backend.threads.set('thread-id-1', contentOf('thread-id-1', talk));
    other.backend.stream.finish('complete');
    await other.environment.settle();
    assert.deepEqual(listSent(other), ['Third']);
    if (isListed) {
      const messages = [...talk, stored('m3', 'user', 'Second')];
      other.backend.threads.set('thread-id-1', contentOf('thread-id-1', messages, 'task-2'));
    }
    other.backend.stream.fail(new UbikError('busy'));
    await other.environment.settle();
    const errors = () =>
      other.notices.flatMap((notice) => (notice.type === 'error' ? notice.error.code : []));
    assert.deepEqual(errors(), []);
    if (isListed) {
      assert.equal(other.backend.stream.method, 'rejoin');
      assert.deepEqual(describeQueue(other), ['Third waiting', 'Fourth waiting']);
      other.backend.stream.begin('task-2');
      other.backend.stream.finish('complete');
      await other.environment.settle();
      assert.deepEqual(listSent(other), ['Third', 'Third']);
    } else {
      assert.deepEqual(listSent(other), ['Third', 'Third']);
      other.backend.stream.fail(new UbikError('busy'));
      await other.environment.settle();
      assert.deepEqual(errors(), ['busy']);
      assert.deepEqual(describeQueue(other), ['Third paused busy', 'Fourth paused']);
    }
  });
}

test('a delivered text with surrounding blanks is not restored', async () => {
  const before = await setupQueue([' Second ']);
  before.backend.stream.finish('complete');
  await before.environment.settle();
  before.controller.close();
  const reloaded = await reload(before, [['m3', 'user', 'Second']]);
  assert.deepEqual(describeQueue(reloaded), []);
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

for (const record of ['{}', '[', '[[1, null], "x"]']) {
  test(`a queued message is sent when its record cannot be read: ${record}`, async () => {
    const fixture = await setupQueue(['Second']);
    const { backend, environment } = fixture;
    await environment.storage.set(recordKey('queue'), record);
    backend.stream.finish('complete');
    await environment.settle();
    assert.deepEqual(listSent(fixture), ['First', 'Second']);
  });
}

test('without a userKey, the queue of a duplicated tab is restored in the original only', async () => {
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

/** The stored queue of the thread. */
async function readRecord({ environment }: ControllerFixture): Promise<[string, unknown][]> {
  return JSON.parse((await environment.storage.get(recordKey('queue'))) ?? '[]') as [
    string,
    unknown,
  ][];
}

/** Changes the first stored message as another tab would. */
async function changeFirst(
  fixture: ControllerFixture,
  change: (message: unknown) => unknown,
): Promise<void> {
  const [[key, message] = ['', null], ...others] = await readRecord(fixture);
  const record = JSON.stringify([[key, change(message)], ...others]);
  await fixture.environment.storage.set(recordKey('queue'), record);
}

test('a queued message that another tab has removed is skipped, and the next one is sent', async () => {
  const fixture = await setupQueue(['Second', 'Third']);
  await changeFirst(fixture, () => null);
  fixture.backend.stream.finish('complete');
  await fixture.environment.settle();
  await fixture.environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Third']);
  assert.deepEqual(describeQueue(fixture), ['Third sending']);
});

test('the queue continues after the run of a queued message that another tab is sending', async () => {
  const fixture = await setupQueue(['Second', 'Third']);
  const { backend, environment } = fixture;
  await changeFirst(fixture, (message) => ({ ...(message as object), state: 'sending' }));
  const talk = [stored('m1', 'user', 'First'), stored('m2', 'assistant', '')];
  const more = [stored('m3', 'user', 'Second'), stored('m4', 'assistant', '')];
  backend.threads.set('thread-id-1', contentOf('thread-id-1', [...talk, ...more], 'task-2'));
  backend.stream.finish('complete');
  await environment.settle();
  await environment.settle();
  assert.equal(backend.stream.method, 'rejoin');
  backend.stream.begin('task-2');
  await environment.settle();
  assert.deepEqual(describeQueue(fixture), ['Third waiting']);
  assert.deepEqual(listSent(fixture), ['First']);
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Third']);
});

test('a queued message that another tab has paused is paused with the text that is stored', async () => {
  const fixture = await setupQueue(['Second', 'Third']);
  const { backend, controller, environment } = fixture;
  const change = { text: 'Changed', state: 'paused' };
  await changeFirst(fixture, (message) => ({ ...(message as object), ...change }));
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First']);
  assert.deepEqual(describeQueue(fixture), ['Changed paused', 'Third waiting']);
  await controller.resumeQueue();
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Changed']);
});

/** Two tabs that list the same queued message. The run of the first tab was stopped, and its message is paused. */
async function setupTabs() {
  const one = await setupQueue(['Second']);
  one.backend.stream.finish('stopped');
  await one.environment.settle();
  const other = await reload(one);
  assert.deepEqual(describeQueue(other), ['Second paused']);
  return { one, other, settle: () => one.environment.settle() };
}

for (const [action, act] of [
  ['resumed', ({ controller }) => controller.resumeQueue()],
  ['sent', ({ controller }, key) => controller.sendQueued(key)],
  ['paused', ({ controller }, key) => controller.pauseQueued(key)],
] as readonly (readonly [string, (tab: ControllerFixture, key: string) => Promise<void>])[]) {
  test(`a queued message that another tab has sent is neither sent again nor listed when it is ${action}`, async () => {
    const { one, other, settle } = await setupTabs();
    await one.controller.resumeQueue();
    await settle();
    one.backend.stream.begin('task-2');
    await settle();
    assert.deepEqual(listSent(one), ['First', 'Second']);
    await act(other, keyOf(other, 'Second'));
    await settle();
    assert.deepEqual(describeQueue(other), []);
    assert.deepEqual(listSent(other), []);
    other.controller.close();
    await settle();
    assert.deepEqual(
      (await readRecord(one)).map(([, message]) => message),
      [null],
    );
  });
}

test('a queued message that another tab has removed cannot be changed, and its new text stays listed', async () => {
  const { one, other, settle } = await setupTabs();
  await one.controller.removeQueued(keyOf(one, 'Second'));
  await settle();
  const key = keyOf(other, 'Second');
  assert.equal(await codeOf(other.controller.updateQueued(key, draftOf('Better'))), 'misuse');
  assert.deepEqual(describeQueue(other), ['Better paused']);
  await other.controller.resumeQueue();
  await settle();
  assert.deepEqual(describeQueue(other), []);
  assert.deepEqual(listSent(other), []);
});

test('a queued message that another tab is sending is sent when the user requests it', async () => {
  const fixture = await setupQueue(['Second']);
  const { backend, controller, environment } = fixture;
  backend.stream.finish('stopped');
  await environment.settle();
  await changeFirst(fixture, (message) => ({ ...(message as object), state: 'sending' }));
  await controller.sendQueued(keyOf(fixture, 'Second'));
  await environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Second']);
});

test('a queued message is sent with the text that another tab has stored', async () => {
  const fixture = await setupQueue(['Second']);
  await changeFirst(fixture, (message) => ({ ...(message as object), text: 'Changed' }));
  fixture.backend.stream.finish('complete');
  await fixture.environment.settle();
  assert.deepEqual(listSent(fixture), ['First', 'Changed']);
});

test('the stored queue contains the last hundred removed messages', async () => {
  const fixture = await setupQueue(Array.from({ length: 103 }, (_, at) => `Message ${at}`));
  const { controller, environment } = fixture;
  const keys = [...(controller.thread?.list('queue').keys() ?? [])];
  for (const key of keys.slice(0, 101)) await controller.removeQueued(key);
  await environment.settle();
  const record = await readRecord(fixture);
  const removed = record.filter(([, message]) => message === null);
  assert.deepEqual(
    removed.map(([key]) => key),
    keys.slice(1, 101),
  );
  assert.equal(record.length, 102);
});

test('a message that is too long for the storage is omitted from the stored queue', async () => {
  const area = createStorageArea();
  const base = createTestEnvironment();
  /** The environment of a page of its own, with the storage that all pages share. */
  const openPage = () =>
    Object.create(base, {
      storage: { value: createBoundedStorage(() => area) },
    }) as typeof base;
  const texts = ['Second', 'x'.repeat(300_000), 'Third'];
  const before = await setupQueue(texts, { environment: openPage() });
  const restored = await reload({ ...before, environment: openPage() }, [], true);
  assert.deepEqual(describeQueue(restored), ['Second waiting', 'Third waiting']);
  restored.controller.close();
  before.backend.stream.finish('complete');
  await before.environment.settle();
  before.backend.stream.begin('task-2');
  await before.environment.settle();
  before.controller.close();
  const reloaded = await reload({ ...before, environment: openPage() }, [['m3', 'user', 'Second']]);
  assert.deepEqual(describeQueue(reloaded), ['Third waiting']);
});

test('invalid entries of a stored queue are ignored', async () => {
  const { backend, controller, environment } = setupController();
  const message = { text: 'Restored', attachments: [], state: 'paused', next: true, error: null };
  const record = [
    [1, message],
    'x',
    ['no-object', 5],
    ['no-text', { ...message, text: 1 }],
    ['no-attachments', { text: 'No attachments' }],
    ['removed', null],
    ['good', message],
  ];
  await environment.storage.set(recordKey('queue'), JSON.stringify(record));
  backend.threads.set('thread-id-1', contentOf('thread-id-1', []));
  await controller.openThread('thread-id-1');
  await environment.settle();
  const list = [...(controller.thread?.list('queue') ?? [])];
  // A restored message is not marked as the next one.
  assert.deepEqual(list, [['good', { ...message, next: false }]]);
});

/** Key of the record of messages whose thread is being created. */
const NO_THREAD = ['https://service.test', 'user-1', 'queue', ''].map(encodeURIComponent).join('|');

test('the stored messages of another thread that is being created stay', async () => {
  const { backend, controller, environment } = setupController();
  const made: ((id: string) => void)[] = [];
  backend.responses.set(
    'createThread',
    () =>
      new Promise((resolve) =>
        made.push((id) => resolve({ id, title: '', createdAt: 1, updatedAt: 1 })),
      ),
  );
  for (const name of ['A', 'B']) {
    controller.switchToNewThread();
    void controller.send(draftOf(`First of ${name}`)).catch(() => undefined);
    await controller.enqueue(draftOf(`Second of ${name}`));
    await environment.settle();
  }
  made[0]?.('a');
  await environment.settle();
  const record = (await environment.storage.get(NO_THREAD)) ?? '';
  assert.match(record, /Second of B/);
  assert.doesNotMatch(record, /Second of A/);
  controller.close();
});

test('a thread that is created without queued messages stores no queue', async () => {
  const { environment, start } = setupController();
  await start();
  assert.equal(await environment.storage.get(NO_THREAD), null);
});

test('a message of unknown delivery that was rejected is stored before the other messages', async () => {
  const before = await setupQueue(['Second']);
  const { backend, controller, environment } = before;
  backend.stream.finish('complete');
  await environment.settle();
  await controller.enqueue(draftOf('Third'));
  for (let tries = 0; tries < 10 && controller.thread?.run.state !== 'interrupted'; tries += 1) {
    backend.stream.fail();
    await environment.advance(60_000);
  }
  const rejoined = controller.rejoin().catch(() => undefined);
  await environment.settle();
  backend.stream.fail(new UbikError('not-sent'));
  await rejoined;
  await environment.settle();
  assert.deepEqual(describeQueue(before), ['Second paused network', 'Third paused network']);
  controller.close();
  await environment.storage.remove(recordKey('run'));
  const reloaded = await reload(before);
  assert.deepEqual(describeQueue(reloaded), ['Second paused network', 'Third paused network']);
});

test('messages of a thread that was never created become the draft in their order after a reload', async () => {
  const { backend, controller, environment } = setupController();
  backend.responses.set('createThread', () => new Promise(() => undefined));
  void controller.send(draftOf('First')).catch(() => undefined);
  await controller.enqueue(draftOf('Second'));
  await controller.enqueue(draftOf('Third'));
  controller.setDraft(draftOf('Fourth'));
  await environment.advance(10_000);
  const reloaded = setupController({ environment });
  await environment.settle();
  assert.equal(reloaded.controller.getDraft().text, 'First\n\nSecond\n\nThird\n\nFourth');
});
