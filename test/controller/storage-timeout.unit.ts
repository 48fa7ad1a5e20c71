import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyValueStorage } from '../../src/transport/environment.js';
import { Deferred } from '../helpers/deferred.js';
import { createTestEnvironment } from '../helpers/test-environment.js';
import { describeQueue, listSent } from './setup-queue.js';
import { contentOf, stored } from './scripted-backend.js';
import { draftOf, setupController } from './setup-controller.js';

/** An environment with a storage whose calls the test settles. */
function createSilentStorage() {
  const pendingCalls: Deferred<null>[] = [];
  const call = () => {
    const answer = new Deferred<null>();
    pendingCalls.push(answer);
    return answer.promise;
  };
  const storage: KeyValueStorage = {
    get: call,
    set: async () => void (await call()),
    remove: async () => void (await call()),
  };
  const base = createTestEnvironment();
  const environment = Object.create(base, { storage: { value: storage } }) as typeof base;
  return { environment, pendingCalls };
}

/** Advances the clock until a promise resolves. */
async function advanceUntil(
  environment: ReturnType<typeof createTestEnvironment>,
  promise: Promise<unknown>,
) {
  let isOver = false;
  void promise.then(() => (isOver = true));
  for (let turn = 0; turn < 100 && !isOver; turn += 1) await environment.advance(500);
  assert.ok(isOver, 'the promise resolves within 50 s');
}

test('a storage that never responds does not prevent opening a thread and is reported once', async () => {
  const { environment } = createSilentStorage();
  const { controller, backend, notices, texts } = setupController({ environment });
  backend.threads.set('a', contentOf('a', [stored('m1', 'user', 'Hello')]));
  const begun = environment.monotonic();
  await advanceUntil(environment, controller.openThread('a'));
  assert.deepEqual(texts(), ['Hello']);
  assert.ok(environment.monotonic() - begun < 5000, 'only the first call waits for its timeout');
  const reports = notices.filter((one) => one.type === 'diagnostic');
  assert.deepEqual(
    reports.map(({ error }) => error.code),
    ['storage'],
  );
});

test('a storage that never responds does not prevent sending a queued message', async () => {
  const { environment } = createSilentStorage();
  const fixture = setupController({ environment });
  const { controller, backend, start } = fixture;
  await start('First');
  await controller.enqueue(draftOf('Second'));
  backend.stream.finish('complete');
  await environment.advance(10_000);
  assert.deepEqual(listSent(fixture), ['First', 'Second']);
  backend.stream.begin('task-2');
  await environment.advance(10_000);
  assert.deepEqual(describeQueue(fixture), []);
});

test('the calls of a storage that responds again wait for its responses again', async () => {
  const { environment, pendingCalls } = createSilentStorage();
  const { controller, notices } = setupController({ environment });
  await environment.advance(10_000);
  for (const answer of pendingCalls) answer.resolve(null);
  await environment.settle();
  let isRead = false;
  void controller.storage.get('mark').then(() => (isRead = true));
  await environment.advance(2000);
  assert.equal(isRead, false);
  pendingCalls.at(-1)?.resolve(null);
  await environment.settle();
  assert.equal(isRead, true);
  assert.equal(notices.filter(({ type }) => type === 'diagnostic').length, 1);
});
