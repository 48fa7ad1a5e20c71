import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Backend } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import { pathTo } from '../../src/model/thread.js';
import { Deferred } from '../helpers/deferred.js';
import { createTestEnvironment } from '../helpers/test-environment.js';
import { contentOf, stored } from './scripted-backend.js';
import { codeOf, draftOf, setupController, textOf } from './setup-controller.js';

const COUNT = 2000;
/** Time that listeners take for one change, in ms. */
const COST = 0.05;
/** Longest time of a slice in ms. After every 32 messages of three changes each, the slice ends if it has lasted 8 ms. */
const LONGEST_SLICE = 8 + 32 * 3 * COST;

const createThread = (id: string, count: number, suffix = '') =>
  contentOf(
    id,
    Array.from({ length: count }, (_, at) =>
      stored(`${id}${at}`, at % 2 === 0 ? 'user' : 'assistant', `Text ${at}${suffix}`),
    ),
  );

/** A controller with a long thread and a short one. `onPause` is called and awaited between two slices, with their number so far. */
function setupLongThread(onPause: (pauses: number) => unknown = () => undefined) {
  let clock = 0;
  let since = 0;
  const slices: number[] = [];
  const base = createTestEnvironment();
  const { yieldToEventLoop } = base;
  const environment = Object.assign(base, {
    monotonic: () => clock,
    yieldToEventLoop: async () => {
      slices.push(clock - since);
      await yieldToEventLoop();
      await onPause(slices.length);
      since = clock;
    },
  });
  const fixture = setupController({ environment });
  const { backend, controller } = fixture;
  backend.threads.set('many', createThread('many', COUNT));
  backend.threads.set('few', createThread('few', 4));
  controller.onBatch(({ changes }) => (clock += COST * changes.length));
  const texts = (): string[] => (controller.thread ? pathTo(controller.thread).map(textOf) : []);
  const open = async (id: string): Promise<void> => {
    since = clock;
    await controller.openThread(id);
  };
  return { ...fixture, environment, slices, texts, open };
}

const textsOf = (count: number, suffix = ''): string[] =>
  Array.from({ length: count }, (_, at) => `Text ${at}${suffix}`);

test('a long thread is added in slices, and shown when it is complete', async () => {
  const sizes: number[] = [];
  const { controller, slices, texts, open, notices } = setupLongThread(() => {
    sizes.push(controller.thread?.messages.size ?? 0);
  });
  await open('many');
  assert.deepEqual(texts(), textsOf(COUNT));
  assert.ok(slices.length > 20, `${slices.length} slices`);
  assert.ok(Math.max(...slices) <= LONGEST_SLICE, `a slice of ${Math.max(...slices)} ms`);
  assert.deepEqual([...new Set(sizes)], [0]);
  assert.equal(notices.filter(({ type }) => type === 'thread-opened').length, 1);
});

test('another thread that is opened while a long one is added is shown at once, and remains', async () => {
  const others: Promise<void>[] = [];
  const { controller, texts, open, notices } = setupLongThread((pauses) => {
    if (pauses === 3) others.push(controller.openThread('few'));
  });
  await open('many');
  await Promise.all(others);
  assert.deepEqual(texts(), textsOf(4));
  assert.equal(notices.filter(({ type }) => type === 'thread-opened').length, 1);
  await open('many');
  assert.deepEqual(texts(), textsOf(COUNT));
});

test('a long thread that is opened again while it is added is shown once, and complete', async () => {
  const others: Promise<void>[] = [];
  const { controller, texts, open, notices } = setupLongThread((pauses) => {
    if (pauses === 3) others.push(controller.openThread('many'));
  });
  await open('many');
  await Promise.all(others);
  assert.deepEqual(texts(), textsOf(COUNT));
  assert.equal(notices.filter(({ type }) => type === 'thread-opened').length, 1);
});

test('a long thread that is deleted while it is added is not shown', async () => {
  const { controller, backend, open, notices } = setupLongThread((pauses) => {
    if (pauses !== 3) return;
    backend.threads.delete('many');
    void controller.deleteThread('many');
  });
  assert.equal(await codeOf(open('many')), 'not-found');
  assert.equal(controller.thread, null);
  assert.equal(notices.filter(({ type }) => type === 'thread-opened').length, 0);
});

test('a long thread that another client changes while it is loaded or added is loaded again', async () => {
  const { controller, backend, environment, texts, open } = setupLongThread(async (pauses) => {
    if (pauses !== 3) return;
    backend.threads.set('many', createThread('many', COUNT, ' added'));
    (backend as Backend).onExternalChange?.('many');
    await environment.settle();
  });
  let loads = 0;
  backend.responses.set('loadThread', () => {
    loads += 1;
    const content = backend.threads.get('many');
    if (loads > 1) return content;
    backend.threads.set('many', createThread('many', COUNT, ' loaded'));
    (backend as Backend).onExternalChange?.('many');
    return content;
  });
  await open('many');
  assert.deepEqual(texts(), textsOf(COUNT, ' added'));
  assert.equal(loads, 3);
  assert.equal(controller.thread?.messages.size, COUNT);
});

test('a controller that is closed while a long thread is added emits nothing more', async () => {
  let batches = 0;
  const { controller, open, slices } = setupLongThread((pauses) => {
    if (pauses === 3) controller.close();
  });
  controller.onBatch(() => (batches += 1));
  await open('many');
  assert.equal(slices.length, 3);
  // Each slice has several batches; the first one creates the thread.
  assert.ok(batches > 3 && batches < 15, `${batches} batches`);
});

test('a message that is sent while a long thread is loaded again remains, and stops the merge', async () => {
  const { controller, backend, environment, texts, open, slices } = setupLongThread(() => {
    if (isReloading && !sent) sent = controller.send(draftOf('Mine'));
  });
  let isReloading = false;
  let sent: Promise<unknown> | undefined;
  await open('many');
  backend.threads.set('many', createThread('many', COUNT, ' again'));
  isReloading = true;
  const before = slices.length;
  await open('many');
  assert.equal(slices.length - before, 1);
  await environment.settle();
  backend.stream.begin();
  backend.stream.append(0, 'Answer');
  await environment.settle();
  assert.deepEqual(texts().slice(-2), ['Mine', 'Answer']);
  assert.equal(texts().length, COUNT + 2);
  backend.stream.finish('complete');
  await sent;
});

test('a message that is sent at any moment while a loaded thread is applied remains', async () => {
  for (let turns = 0; turns < 20; turns += 1) {
    const { backend, controller, environment, texts, open } = setupLongThread();
    await open('few');
    const loading = new Deferred<ReturnType<typeof createThread>>();
    backend.responses.set('loadThread', () => loading.promise);
    const opening = controller.openThread('few');
    await environment.settle();
    loading.resolve(createThread('few', 6));
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    const sending = controller.send(draftOf('Question'));
    await environment.settle();
    assert.equal(texts().at(-2), 'Question', `sent after ${turns} turns`);
    backend.stream.begin();
    await Promise.all([opening, sending]);
  }
});

test('a long thread that is loaded again without a change yields no change', async () => {
  const { controller, open } = setupLongThread();
  await open('many');
  let changes = 0;
  controller.subscribe({ thread: true }, () => (changes += 1));
  await open('many');
  assert.equal(changes, 0);
});

test('a thread that is deleted before its first messages are added is not shown', async () => {
  const { controller, backend, open, notices } = setupLongThread((pauses) => {
    if (pauses !== 1) return;
    backend.threads.delete('some');
    return controller.deleteThread('some');
  });
  // So few that they are added in one slice.
  backend.threads.set('some', createThread('some', 40));
  assert.equal(await codeOf(open('some')), 'not-found');
  assert.equal(controller.thread, null);
  assert.equal(notices.filter(({ type }) => type === 'thread-opened').length, 0);
});

/** Counts the loads of threads. Fails when there are too many, because an endless loop would never end the test. */
function countLoads({ responses, threads }: ReturnType<typeof setupLongThread>['backend']) {
  let loads = 0;
  responses.set('loadThread', (id) => {
    loads += 1;
    if (loads > 20) throw new UbikError('bad-request', 'too many loads');
    return threads.get(String(id));
  });
  return () => loads;
}

test('two loads of one long thread are both applied, one after the other', async () => {
  const { controller, backend, environment, texts, open, slices } = setupLongThread();
  await open('many');
  const loads = countLoads(backend);
  backend.threads.set('many', createThread('many', COUNT, ' again'));
  const before = slices.length;
  (backend as Backend).onExternalChange?.('many');
  await open('many');
  await environment.settle();
  assert.equal(loads(), 2);
  assert.ok(slices.length - before > 10, 'the merge takes several slices');
  assert.deepEqual(texts(), textsOf(COUNT, ' again'));
  assert.equal(controller.thread?.messages.size, COUNT);
});

test('a long branch that is loaded again while it is merged contains each message once', async () => {
  let isSwitching = false;
  const { controller, backend, environment, texts, open } = setupLongThread(() => {
    if (isSwitching) (backend as Backend).onExternalChange?.('few');
    isSwitching = false;
  });
  await open('few');
  const loads = countLoads(backend);
  const branch = { ...createThread('many', COUNT), thread: { id: 'few', title: 'Title of few' } };
  backend.responses.set('switchBranch', () => {
    isSwitching = true;
    backend.threads.set('few', branch);
    return branch;
  });
  await controller.switchBranch('many0');
  await environment.settle();
  assert.ok(loads() <= 3, `${loads()} loads`);
  assert.deepEqual(texts(), textsOf(COUNT));
  assert.equal(controller.thread?.messages.size, COUNT + 4);
});
