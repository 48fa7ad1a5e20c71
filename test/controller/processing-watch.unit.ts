import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentInfo } from '../../src/backends/backend.js';
import { uploadQueueOf } from '../../src/controller/documents/upload-queue.js';
import { outcomeOf } from '../../src/controller/documents/processing-watch.js';
import { UbikError, type UbikErrorCode } from '../../src/errors.js';
import { Deferred } from '../helpers/deferred.js';
import { contentOf, documentOf, stored } from './scripted-backend.js';
import { setupController } from './setup-controller.js';

/** A thread with one document that is being processed, or (`isPending` false) without documents. */
async function setupWatch(isPending = true) {
  const fixture = setupController();
  const { backend, controller } = fixture;
  let status = 'pending';
  let failure: UbikError | null = null;
  backend.responses.set('loadDocument', (id) => {
    if (failure) throw failure;
    return documentOf(id as string, { status });
  });
  for (const id of ['thread-a', 'thread-b']) {
    backend.threads.set(id, contentOf(id, [stored(`m of ${id}`, 'user', 'Question')]));
  }
  await controller.openThread('thread-a');
  const setDocument = (more: Partial<DocumentInfo> = {}): void => {
    controller.setListItem('documents', 'd', {
      ...documentOf('d', { status: 'pending', ...more }),
    });
  };
  if (isPending) setDocument();
  const outcomes: string[] = [];
  const observe = () =>
    uploadQueueOf(controller).watch.observe(({ id }, outcome) => outcomes.push(`${id} ${outcome}`));
  return {
    ...fixture,
    outcomes,
    observe,
    setDocument,
    countRequests: () => backend.count('loadDocument'),
    setStatus: (word: string) => (status = word),
    fail: (code: UbikErrorCode | null, details: { retryAfter?: number; status?: number } = {}) => {
      failure = code && new UbikError(code, details);
    },
  };
}

test('ProcessingWatch polls with a growing delay until the document is processed', async () => {
  const { environment, observe, countRequests, setStatus, outcomes } = await setupWatch();
  observe();
  const times: number[] = [];
  for (let second = 0; second < 200; second += 1) {
    const before = countRequests();
    await environment.advance(1_000);
    if (countRequests() > before) times.push(second + 1);
  }
  assert.deepEqual(times, [1, 3, 7, 15, 31, 61, 91, 121, 151, 181]);
  setStatus('completed');
  await environment.advance(30_000);
  assert.deepEqual(outcomes, ['d ready']);
  await environment.advance(300_000);
  assert.equal(countRequests(), 11);
  assert.equal(environment.timers, 0);
});

test('ProcessingWatch does not poll without listeners', async () => {
  const { environment, observe, countRequests } = await setupWatch();
  await environment.advance(60_000);
  assert.equal(countRequests(), 0);
  const first = observe();
  const second = observe();
  first();
  await environment.advance(1_000);
  assert.equal(countRequests(), 1);
  second();
  await environment.advance(60_000);
  assert.equal(countRequests(), 1);
  assert.equal(environment.timers, 0);
});

test('ProcessingWatch requests no more documents of a round after the last listener was removed', async () => {
  const { environment, controller, backend, observe, countRequests } = await setupWatch();
  controller.setListItem('documents', 'e', { ...documentOf('e', { status: 'pending' }) });
  const response = new Deferred<DocumentInfo>();
  backend.responses.set('loadDocument', () => response.promise);
  const stopObserving = observe();
  await environment.advance(1_000);
  assert.equal(countRequests(), 1);
  stopObserving();
  response.resolve(documentOf('d', { status: 'pending' }));
  await environment.advance(60_000);
  assert.equal(countRequests(), 1);
  observe();
  await environment.advance(1_000);
  assert.equal(countRequests(), 3);
});

test('ProcessingWatch polls a document that is added while there is a listener', async () => {
  const { environment, observe, countRequests, setDocument } = await setupWatch(false);
  observe();
  assert.equal(environment.timers, 0);
  setDocument();
  await environment.advance(1_000);
  assert.equal(countRequests(), 1);
});

test('ProcessingWatch reports once, to the listener that was added first, a failure that another call has loaded', async () => {
  const { observe, outcomes, setDocument } = await setupWatch();
  observe();
  observe();
  setDocument({ status: 'failed', error: 'No text.' });
  assert.deepEqual(outcomes, ['d failed']);
});

for (const [code, status] of [
  ['unauthorized', 401],
  ['forbidden', 403],
  ['not-found', 404],
  ['not-an-api', 404],
] as const) {
  test(`ProcessingWatch stops polling after ${code} with the status ${status} until a listener is added`, async () => {
    const { environment, observe, countRequests, fail } = await setupWatch();
    fail(code, { status });
    const stopObserving = observe();
    await environment.advance(120_000);
    assert.equal(countRequests(), 1);
    stopObserving();
    fail(null);
    observe();
    await environment.advance(1_000);
    assert.equal(countRequests(), 2);
  });
}

for (const [code, status] of [
  ['network', 0],
  ['server', 503],
  ['busy', 409],
  ['invalid', 422],
  ['not-an-api', 200],
] as const) {
  test(`ProcessingWatch continues polling after ${code} ${status > 0 ? `with the status ${status}` : 'without a response'}`, async () => {
    const { environment, observe, countRequests, fail, setStatus, outcomes } = await setupWatch();
    fail(code, status > 0 ? { status } : {});
    observe();
    await environment.advance(1_000);
    fail(null);
    setStatus('completed');
    await environment.advance(2_000);
    assert.equal(countRequests(), 2);
    assert.deepEqual(outcomes, ['d ready']);
  });
}

test('ProcessingWatch waits for the Retry-After of the service, with any jitter and for new listeners, too', async () => {
  const { environment, observe, countRequests, fail } = await setupWatch();
  environment.random = () => 0;
  fail('rate-limited', { retryAfter: 50_000 });
  observe();
  await environment.advance(750);
  assert.equal(countRequests(), 1);
  observe();
  await environment.advance(49_999);
  assert.equal(countRequests(), 1);
  await environment.advance(1);
  assert.equal(countRequests(), 2);
});

test('ProcessingWatch waits for at most 60 s, and then polls the other documents first', async () => {
  const { backend, controller, environment, observe, fail } = await setupWatch();
  controller.setListItem('documents', 'e', { ...documentOf('e', { status: 'pending' }) });
  fail('rate-limited', { retryAfter: 3_600_000 });
  observe();
  const polled = (): unknown[] =>
    backend.calls.filter(({ method }) => method === 'loadDocument').map(({ args }) => args[0]);
  await environment.advance(1_000);
  assert.deepEqual(polled(), ['d']);
  await environment.advance(58_999);
  assert.deepEqual(polled(), ['d']);
  await environment.advance(1_001);
  assert.deepEqual(polled(), ['d', 'e']);
});

test('ProcessingWatch polls the documents of the current thread only', async () => {
  const { environment, controller, observe, countRequests } = await setupWatch();
  observe();
  await controller.openThread('thread-b');
  await environment.advance(60_000);
  assert.equal(countRequests(), 0);
  await controller.openThread('thread-a');
  await environment.advance(1_000);
  assert.equal(countRequests(), 1);
});

test('outcomeOf recognizes the statuses of services', () => {
  const cases = [
    ['completed', 'ready'],
    ['Completed', 'ready'],
    ['complete', 'ready'],
    ['ready', 'ready'],
    ['failed', 'failed'],
    ['error', 'failed'],
    ['cancelled', 'failed'],
    ['canceled', 'failed'],
    ['', 'ready'],
    ['pending', null],
    ['processing', null],
    ['embedding', null],
  ] as const;
  for (const [status, outcome] of cases) assert.equal(outcomeOf({ status }), outcome);
});

test('ProcessingWatch reports an outcome that was received without listeners to the next one', async () => {
  const { observe, outcomes, setDocument, controller } = await setupWatch();
  observe()();
  setDocument({ status: 'completed' });
  assert.deepEqual(outcomes, []);
  observe()();
  assert.deepEqual(outcomes, ['d ready']);
  observe();
  assert.deepEqual(outcomes, ['d ready']);
  // The outcome in a thread that was left meanwhile is reported as well.
  setDocument({ status: 'pending' });
  await controller.openThread('thread-b');
  await controller.openThread('thread-a');
  setDocument({ status: 'failed' });
  assert.deepEqual(outcomes, ['d ready', 'd failed']);
});

test('ProcessingWatch reports a document that was processed at once to the next listener', async () => {
  const { observe, outcomes, backend, controller } = await setupWatch(false);
  backend.capabilities.add('upload');
  backend.responses.set('uploadDocument', () => documentOf('n', { status: 'completed' }));
  await uploadQueueOf(controller).add(new File(['text'], 'n.txt'));
  assert.deepEqual(outcomes, []);
  observe();
  assert.deepEqual(outcomes, ['n ready']);
});

test('ProcessingWatch reports the outcome of a document that was added while there was a listener', async () => {
  const { environment, observe, outcomes, setDocument, setStatus } = await setupWatch(false);
  observe();
  setDocument();
  setStatus('completed');
  await environment.advance(1_000);
  assert.deepEqual(outcomes, ['d ready']);
});

test('ProcessingWatch reports nothing for a document that was ready from the start', async () => {
  const { observe, outcomes, setDocument } = await setupWatch(false);
  observe();
  setDocument({ status: 'completed' });
  assert.deepEqual(outcomes, []);
});

test('ProcessingWatch requests nothing after it was cleared', async () => {
  const { controller, environment, observe, countRequests } = await setupWatch();
  observe();
  uploadQueueOf(controller).watch.clear();
  assert.equal(environment.timers, 0);
  await environment.advance(60_000);
  assert.equal(countRequests(), 0);
});
