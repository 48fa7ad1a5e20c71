import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyValueStorage } from '../../src/transport/environment.js';
import { Deferred } from '../helpers/deferred.js';
import { createTestEnvironment } from '../helpers/test-environment.js';
import { queued, sent } from './queue-stage.js';
import { contentOf, stored } from './scripted-backend.js';
import { draftOf, setupConversation } from './setup-conversation.js';

/** A storage that a host has put in, and that answers when the test says so. */
function createSilent() {
  const asked: Deferred<null>[] = [];
  const ask = () => {
    const answer = new Deferred<null>();
    asked.push(answer);
    return answer.promise;
  };
  const storage: KeyValueStorage = {
    get: ask,
    set: async () => void (await ask()),
    remove: async () => void (await ask()),
  };
  const base = createTestEnvironment();
  const environment = Object.create(base, { storage: { value: storage } }) as typeof base;
  return { environment, asked };
}

/** Lets time pass until something has happened. */
async function wait(
  environment: ReturnType<typeof createTestEnvironment>,
  until: Promise<unknown>,
) {
  let isOver = false;
  void until.then(() => (isOver = true));
  for (let turn = 0; turn < 100 && !isOver; turn += 1) await environment.advance(500);
  assert.ok(isOver, 'it is not waited for without end');
}

test('a storage that never answers keeps no thread from being opened, and is reported once', async () => {
  const { environment } = createSilent();
  const { controller, backend, notices, texts } = setupConversation({ environment });
  backend.threads.set('a', contentOf('a', [stored('m1', 'user', 'Hello')]));
  const begun = environment.monotonic();
  await wait(environment, controller.openThread('a'));
  assert.deepEqual(texts(), ['Hello']);
  assert.ok(environment.monotonic() - begun < 5000, 'only the first answer is waited for');
  const reports = notices.filter((one) => one.type === 'diagnostic');
  assert.deepEqual(
    reports.map(({ error }) => error.code),
    ['storage'],
  );
});

test('a storage that never answers keeps no queued message from being sent', async () => {
  const { environment } = createSilent();
  const conversation = setupConversation({ environment });
  const { controller, backend, start } = conversation;
  await start('First');
  await controller.enqueue(draftOf('Second'));
  backend.stream.finish('complete');
  await environment.advance(10_000);
  assert.deepEqual(sent(conversation), ['First', 'Second']);
  backend.stream.begin('task-2');
  await environment.advance(10_000);
  assert.deepEqual(queued(conversation), []);
});

test('a storage that answers again is waited for again', async () => {
  const { environment, asked } = createSilent();
  const { controller, notices } = setupConversation({ environment });
  await environment.advance(10_000);
  for (const answer of asked) answer.resolve(null);
  await environment.settle();
  let isRead = false;
  void controller.storage.get('mark').then(() => (isRead = true));
  await environment.advance(2000);
  assert.equal(isRead, false);
  asked.at(-1)?.resolve(null);
  await environment.settle();
  assert.equal(isRead, true);
  assert.equal(notices.filter(({ type }) => type === 'diagnostic').length, 1);
});
