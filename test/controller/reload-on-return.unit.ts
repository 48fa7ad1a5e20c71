import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Backend } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import { createFieldChange } from '../../src/model/change.js';
import { Deferred } from '../helpers/deferred.js';
import { contentOf, stored } from './scripted-backend.js';
import { describeQueue, keyOf, listSent, setupQueue } from './setup-queue.js';
import { setupController, type ControllerFixture } from './setup-controller.js';

const FIRST = [stored('m1', 'user', 'Hello'), stored('m2', 'assistant', 'Good day')];
const BOTH = [...FIRST, stored('m3', 'user', 'And then?'), stored('m4', 'assistant', 'Then so')];

/** An open thread to which another client has added two messages. */
async function setupChangedThread(userKey: string | null): Promise<ControllerFixture> {
  const fixture = setupController({ userKey });
  fixture.backend.threads.set('a', contentOf('a', FIRST));
  await fixture.controller.openThread('a');
  fixture.backend.threads.set('a', contentOf('a', BOTH));
  return fixture;
}

for (const userKey of [null, 'user-1']) {
  const name = userKey === null ? 'without' : 'with';
  test(`a page ${name} a userKey shows what was sent elsewhere when the user returns to it`, async () => {
    const { environment, page, texts } = await setupChangedThread(userKey);
    page.wake('visible');
    await environment.settle();
    assert.deepEqual(texts(), ['Hello', 'Good day', 'And then?', 'Then so']);
  });
}

test('a page to which the user returns often reloads the thread once in ten seconds', async () => {
  const { backend, environment, page } = await setupChangedThread(null);
  const reads = backend.count('loadThread');
  for (let turn = 0; turn < 21; turn += 1) {
    page.wake('visible');
    await environment.advance(1000);
  }
  assert.equal(backend.count('loadThread'), reads + 3);
});

test('a page to which the user returns within ten seconds of a reload reloads the thread after these ten seconds', async () => {
  const { backend, environment, page, texts } = await setupChangedThread('user-1');
  page.wake('visible');
  await environment.advance(4000);
  const third = [...BOTH, stored('m5', 'user', 'Thanks')];
  backend.threads.set('a', contentOf('a', third));
  page.wake('visible');
  page.wake('online');
  await environment.advance(5999);
  assert.equal(texts().length, 4);
  await environment.advance(1);
  assert.equal(texts().at(-1), 'Thanks');
  const reads = backend.count('loadThread');
  await environment.advance(60_000);
  assert.equal(backend.count('loadThread'), reads);
});

test('close cancels a scheduled reload', async () => {
  const { backend, controller, environment, page } = await setupChangedThread(null);
  page.wake('visible');
  await environment.settle();
  page.wake('visible');
  controller.close();
  const reads = backend.count('loadThread');
  await environment.advance(60_000);
  assert.equal(backend.count('loadThread'), reads);
  assert.equal(environment.timers, 0);
});

test('a page to which the user returns keeps what is shown when the thread cannot be loaded', async () => {
  const { backend, environment, notices, page, texts } = await setupChangedThread(null);
  backend.responses.set('loadThread', () => Promise.reject(new UbikError('not-found')));
  page.wake('visible');
  await environment.settle();
  assert.deepEqual(texts(), ['Hello', 'Good day']);
  assert.ok(notices.some((one) => one.type === 'diagnostic' && one.error.code === 'not-found'));
});

test('a page to which the user returns before the network is connected reloads the thread later, seven times at most', async () => {
  const { backend, environment, page, texts } = await setupChangedThread(null);
  const load = backend.loadThread.bind(backend);
  let reads = 0;
  backend.loadThread = () => {
    reads += 1;
    return Promise.reject(new UbikError('network'));
  };
  page.wake('visible');
  await environment.advance(600_000);
  assert.equal(reads, 7);
  page.wake('visible');
  await environment.settle();
  backend.loadThread = load;
  // The first retry is due after a second, but no reload follows another one within ten seconds.
  await environment.advance(9_999);
  assert.deepEqual(texts(), ['Hello', 'Good day']);
  await environment.advance(1);
  assert.deepEqual(texts(), ['Hello', 'Good day', 'And then?', 'Then so']);
});

for (const [what, retryAfter, retries] of [
  ['waits for the Retry-After of the service', 60_000, 1],
  ['is given up when the Retry-After of the service is longer than a minute', 60_001, 0],
] as const) {
  test(`the reload after a change by another tab ${what}`, async () => {
    const { backend, environment } = await setupChangedThread('user-1');
    backend.responses.set('loadThread', () => {
      throw new UbikError('rate-limited', 'slow', { retryAfter });
    });
    (backend as Backend).onExternalChange?.('a');
    await environment.settle();
    const reads = backend.count('loadThread');
    await environment.advance(retryAfter - 1);
    assert.equal(backend.count('loadThread'), reads);
    await environment.advance(1);
    assert.equal(backend.count('loadThread'), reads + retries);
  });
}

test('a page to which the user returns offline or during a run does not reload the thread', async () => {
  const { backend, environment, page, start } = await setupChangedThread(null);
  const reads = backend.count('loadThread');
  page.online = false;
  page.wake('visible');
  page.online = true;
  await start('Question');
  page.wake('visible');
  await environment.settle();
  assert.equal(backend.count('loadThread'), reads);
});

for (const [isAnswered, isLate] of [
  [true, false],
  [false, false],
  [false, true],
]) {
  test(`a page to which the user returns during a run shows the messages of another client after the run${isAnswered ? '' : ', and joins the run of that client'}${isLate ? ', when the service stores them late' : ''}`, async () => {
    const { backend, controller, environment, page, start, texts } = await setupChangedThread(null);
    backend.threads.set('a', contentOf('a', FIRST));
    await start('Question');
    backend.stream.fail();
    await environment.settle();
    const run = [
      stored('m3', 'user', 'Question', { runId: 'task-1' }),
      stored('m4', 'assistant', '', { runId: 'task-1' }),
    ];
    const next = stored('m5', 'user', 'And then?', { runId: 'task-2' });
    const more = isAnswered ? [next, stored('m6', 'assistant', 'Then so')] : [next];
    const unfinished = isAnswered ? null : 'task-2';
    const content = contentOf('a', [...FIRST, ...run, ...more], unfinished);
    if (!isLate) backend.threads.set('a', content);
    page.wake('visible');
    await environment.settle();
    const { keys } = backend.stream;
    backend.stream.push(
      createFieldChange(keys.user ?? '', null, 'id', 'm3'),
      createFieldChange(keys.answer, null, 'id', 'm4'),
    );
    backend.stream.finish('complete');
    await environment.settle();
    backend.threads.set('a', content);
    if (isLate) await environment.advance(1_000);
    if (!isAnswered) {
      backend.stream.begin('task-2');
      backend.stream.append(0, 'Then so');
      backend.stream.finish('complete');
      await environment.settle();
    }
    assert.equal(controller.thread?.run.state, 'complete');
    assert.deepEqual(texts().slice(2), ['Question', '', 'And then?', 'Then so']);
  });
}

/** Completes the run of a question. By then, another client has asked the next one, whose run is in progress. */
async function completeWithQuestionAfter(
  { backend, environment }: ControllerFixture,
  question: string,
): Promise<void> {
  const messages = [
    stored('m1', 'user', question, { runId: 'task-1' }),
    stored('m2', 'assistant', '', { runId: 'task-1' }),
    stored('m3', 'user', 'And then?', { runId: 'task-2' }),
  ];
  backend.threads.set('thread-id-1', contentOf('thread-id-1', messages, 'task-2'));
  backend.stream.finish('complete');
  await environment.settle();
}

test('the first reload after a run joins the run that another client has started since', async () => {
  const fixture = setupController();
  const { backend, environment, start, texts } = fixture;
  await start('Question');
  await completeWithQuestionAfter(fixture, 'Question');
  assert.equal(backend.count('loadThread'), 1);
  assert.equal(backend.stream.method, 'rejoin');
  backend.stream.begin('task-2');
  backend.stream.append(0, 'Then so');
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(texts(), ['Question', '', 'And then?', 'Then so']);
});

for (const isPaused of [true, false]) {
  test(`the first reload after a run joins the run of another client although a queued message ${isPaused ? 'is paused' : 'waits'}`, async () => {
    const fixture = await setupQueue(['Later']);
    const { backend, controller, environment } = fixture;
    if (isPaused) await controller.pauseQueued(keyOf(fixture, 'Later'));
    await completeWithQuestionAfter(fixture, 'First');
    assert.equal(backend.stream.method, 'rejoin');
    assert.deepEqual(describeQueue(fixture), [`Later ${isPaused ? 'paused' : 'waiting'}`]);
    backend.stream.begin('task-2');
    backend.stream.finish('complete');
    await environment.settle();
    assert.deepEqual(listSent(fixture), isPaused ? ['First'] : ['First', 'Later']);
  });
}

type ChangedThread = Awaited<ReturnType<typeof setupChangedThread>>;

/** Completes the run of a question, which the service has stored after the messages of another client. */
async function completeRun({
  backend,
  environment,
}: Pick<ChangedThread, 'backend' | 'environment'>) {
  const run = [stored('m5', 'user', 'Question'), stored('m6', 'assistant', '')];
  backend.threads.set('a', contentOf('a', [...BOTH, ...run]));
  const { keys } = backend.stream;
  backend.stream.push(
    createFieldChange(keys.user ?? '', null, 'id', 'm5'),
    createFieldChange(keys.answer, null, 'id', 'm6'),
  );
  backend.stream.finish('complete');
  await environment.settle();
}

test('what was sent elsewhere is shown after a run that was started before the opened thread was loaded', async () => {
  const { backend, controller, environment, start, texts } = await setupChangedThread('user-1');
  const loaded = new Deferred<unknown>();
  backend.responses.set('loadThread', () => loaded.promise);
  const opened = controller.openThread('a');
  await start('Question');
  loaded.resolve(contentOf('a', BOTH));
  await opened;
  backend.responses.delete('loadThread');
  await completeRun({ backend, environment });
  assert.deepEqual(texts(), ['Hello', 'Good day', 'And then?', 'Then so', 'Question', '']);
});

test('what was sent elsewhere is shown after a run during which the thread was opened again', async () => {
  const { backend, controller, environment, start, texts } = await setupChangedThread('user-1');
  await start('Question');
  await controller.openThread('a');
  await completeRun({ backend, environment });
  assert.deepEqual(texts(), ['Hello', 'Good day', 'And then?', 'Then so', 'Question', '']);
});

test('a page to which the user returns during a run keeps the request of the run while the stored thread lacks it', async () => {
  const { backend, controller, environment, page, start } = await setupChangedThread(null);
  await start('Question');
  page.wake('visible');
  backend.stream.request('ask');
  const reads = backend.count('loadThread');
  backend.stream.finish('waiting');
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'waiting');
  assert.equal(backend.count('loadThread'), reads);
});

test('a page to which the user returns does not reload a thread whose run is interrupted', async () => {
  const { backend, controller, environment, page, start } = setupController();
  await start();
  controller.detach();
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'interrupted');
  const reads = backend.count('loadThread');
  page.wake('visible');
  await environment.settle();
  assert.equal(backend.count('loadThread'), reads);
});

test('a page to which the user returns does not check a pending request while the stream is open', async () => {
  const { backend, environment, page, start } = setupController();
  await start();
  const reads = backend.count('loadThread');
  backend.stream.request('ask');
  await environment.settle();
  page.wake('visible');
  await environment.settle();
  assert.equal(backend.count('loadThread'), reads);
});

for (const [code, isLoaded] of [
  ['server', true],
  ['network', true],
  ['forbidden', false],
] as const) {
  test(`a change by another client that cannot be loaded at first is ${isLoaded ? 'loaded later' : 'ignored'}: ${code}`, async () => {
    const { backend, environment, texts } = await setupChangedThread('user-1');
    const load = backend.loadThread.bind(backend);
    let failures = 3;
    backend.loadThread = (id) => {
      failures -= 1;
      return failures >= 0 ? Promise.reject(new UbikError(code, 'no')) : load(id);
    };
    const reads = backend.count('loadThread');
    (backend as Backend).onExternalChange?.('a');
    await environment.advance(120_000);
    assert.equal(backend.count('loadThread'), reads + (isLoaded ? 1 : 0));
    assert.equal(texts().includes('And then?'), isLoaded);
    assert.equal(failures, isLoaded ? -1 : 2);
  });
}

test('a change by another client is loaded seven times at most while loading fails', async () => {
  const { backend, environment } = await setupChangedThread('user-1');
  let reads = 0;
  backend.loadThread = () => {
    reads += 1;
    return Promise.reject(new UbikError('server', 'no'));
  };
  (backend as Backend).onExternalChange?.('a');
  await environment.advance(600_000);
  assert.equal(reads, 7);
});
