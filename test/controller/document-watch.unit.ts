import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentInfo } from '../../src/backends/backend.js';
import { uploadQueueOf } from '../../src/controller/documents/upload-queue.js';
import { outcomeOf } from '../../src/controller/documents/processing-watch.js';
import { UbikError, type UbikErrorCode } from '../../src/errors.js';
import { contentOf, documentOf, stored } from './scripted-backend.js';
import { setupConversation } from './setup-conversation.js';

/** A thread with one document at which the service is at work. */
async function setupWatch(isOpen = true) {
  const conversation = setupConversation();
  const { backend, controller } = conversation;
  let status = 'pending';
  let failure: UbikError | null = null;
  backend.answers.set('loadDocument', (id) => {
    if (failure) throw failure;
    return documentOf(id as string, { status });
  });
  for (const id of ['thread-a', 'thread-b']) {
    backend.threads.set(id, contentOf(id, [stored(`m of ${id}`, 'user', 'Question')]));
  }
  await controller.openThread('thread-a');
  const put = (more: Partial<DocumentInfo> = {}): void => {
    controller.setListItem('documents', 'd', {
      ...documentOf('d', { status: 'pending', ...more }),
    });
  };
  if (isOpen) put();
  const told: string[] = [];
  const look = () =>
    uploadQueueOf(controller).watch.observe(({ id }, outcome) => told.push(`${id} ${outcome}`));
  return {
    ...conversation,
    told,
    look,
    put,
    asked: () => backend.count('loadDocument'),
    say: (word: string) => (status = word),
    fail: (code: UbikErrorCode | null, retryAfter?: number) => {
      failure = code && new UbikError(code, { retryAfter });
    },
  };
}

test('asks ever less often, until the service is done', async () => {
  const { environment, look, asked, say, told } = await setupWatch();
  look();
  const times: number[] = [];
  for (let second = 0; second < 200; second += 1) {
    const before = asked();
    await environment.advance(1_000);
    if (asked() > before) times.push(second + 1);
  }
  assert.deepEqual(times, [1, 3, 7, 15, 31, 61, 91, 121, 151, 181]);
  say('completed');
  await environment.advance(30_000);
  assert.deepEqual(told, ['d ready']);
  await environment.advance(300_000);
  assert.equal(asked(), 11);
  assert.equal(environment.timers, 0);
});

test('asks nothing while nobody looks', async () => {
  const { environment, look, asked } = await setupWatch();
  await environment.advance(60_000);
  assert.equal(asked(), 0);
  const first = look();
  const second = look();
  first();
  await environment.advance(1_000);
  assert.equal(asked(), 1);
  second();
  await environment.advance(60_000);
  assert.equal(asked(), 1);
  assert.equal(environment.timers, 0);
});

test('asks about a document that comes while somebody looks', async () => {
  const { environment, look, asked, put } = await setupWatch(false);
  look();
  assert.equal(environment.timers, 0);
  put();
  await environment.advance(1_000);
  assert.equal(asked(), 1);
});

test('tells a failure, and what is heard from elsewhere', async () => {
  const { look, told, put } = await setupWatch();
  look();
  look();
  put({ status: 'failed', error: 'No text.' });
  assert.deepEqual(told, ['d failed']);
});

for (const code of ['unauthorized', 'forbidden', 'not-found', 'not-an-api'] as const) {
  test(`asks no more after ${code}, until somebody looks anew`, async () => {
    const { environment, look, asked, fail } = await setupWatch();
    fail(code);
    const away = look();
    await environment.advance(120_000);
    assert.equal(asked(), 1);
    away();
    fail(null);
    look();
    await environment.advance(1_000);
    assert.equal(asked(), 2);
  });
}

for (const code of ['network', 'server', 'busy', 'invalid'] as const) {
  test(`asks again after ${code}`, async () => {
    const { environment, look, asked, fail, say, told } = await setupWatch();
    fail(code);
    look();
    await environment.advance(1_000);
    fail(null);
    say('completed');
    await environment.advance(2_000);
    assert.equal(asked(), 2);
    assert.deepEqual(told, ['d ready']);
  });
}

test('waits as long as the service asks', async () => {
  const { environment, look, asked, fail } = await setupWatch();
  fail('rate-limited', 50_000);
  look();
  await environment.advance(1_000);
  await environment.advance(49_000);
  assert.equal(asked(), 1);
  await environment.advance(1_001);
  assert.equal(asked(), 2);
});

test('asks about the documents of the shown thread alone', async () => {
  const { environment, controller, look, asked } = await setupWatch();
  look();
  await controller.openThread('thread-b');
  await environment.advance(60_000);
  assert.equal(asked(), 0);
  await controller.openThread('thread-a');
  await environment.advance(1_000);
  assert.equal(asked(), 1);
});

test('takes the words of a service as they are meant', () => {
  const cases = [
    ['completed', 'ready'],
    ['Completed', 'ready'],
    ['failed', 'failed'],
    ['', 'ready'],
    ['pending', null],
    ['processing', null],
    ['embedding', null],
  ] as const;
  for (const [status, outcome] of cases) assert.equal(outcomeOf({ status }), outcome);
});

test('tells the next who looks what became of a document while nobody did', async () => {
  const { look, told, put, controller } = await setupWatch();
  look()();
  put({ status: 'completed' });
  assert.deepEqual(told, []);
  look()();
  assert.deepEqual(told, ['d ready']);
  look();
  assert.deepEqual(told, ['d ready']);
  // Also of one in a thread that was left meanwhile.
  put({ status: 'pending' });
  await controller.openThread('thread-b');
  await controller.openThread('thread-a');
  put({ status: 'failed' });
  assert.deepEqual(told, ['d ready', 'd failed']);
});

test('tells of a document that was read at once when somebody looks again', async () => {
  const { look, told, backend, controller } = await setupWatch(false);
  backend.capabilities.add('upload' as never);
  backend.answers.set('uploadDocument', () => documentOf('n', { status: 'completed' }));
  await uploadQueueOf(controller).add(new File(['text'], 'n.txt'));
  assert.deepEqual(told, []);
  look();
  assert.deepEqual(told, ['n ready']);
});

test('DocumentWatch reports the outcome of a document that came while somebody looked', async () => {
  const { environment, look, told, put, say } = await setupWatch(false);
  look();
  put();
  say('completed');
  await environment.advance(1_000);
  assert.deepEqual(told, ['d ready']);
});

test('DocumentWatch reports nothing of a document that was ready from the start', async () => {
  const { look, told, put } = await setupWatch(false);
  look();
  put({ status: 'completed' });
  assert.deepEqual(told, []);
});
