import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Backend } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import { contentOf, stored } from './scripted-backend.js';
import { setupConversation, type Conversation } from './setup-conversation.js';

const FIRST = [stored('m1', 'user', 'Hello'), stored('m2', 'assistant', 'Good day')];
const BOTH = [...FIRST, stored('m3', 'user', 'And then?'), stored('m4', 'assistant', 'Then so')];

/** An open thread, to which another tab or device has added an exchange. */
async function setupTab(userKey: string | null): Promise<Conversation> {
  const conversation = setupConversation({ userKey });
  conversation.backend.threads.set('a', contentOf('a', FIRST));
  await conversation.controller.openThread('a');
  conversation.backend.threads.set('a', contentOf('a', BOTH));
  return conversation;
}

for (const userKey of [null, 'user-1']) {
  const name = userKey === null ? 'without' : 'with';
  test(`a page ${name} a userKey shows what was asked elsewhere when it returns`, async () => {
    const { environment, page, texts } = await setupTab(userKey);
    page.wake('visible');
    await environment.settle();
    assert.deepEqual(texts(), ['Hello', 'Good day', 'And then?', 'Then so']);
  });
}

test('a page that returns often reads once in ten seconds', async () => {
  const { backend, environment, page } = await setupTab(null);
  const reads = backend.count('loadThread');
  for (let turn = 0; turn < 21; turn += 1) {
    page.wake('visible');
    await environment.advance(1000);
  }
  assert.equal(backend.count('loadThread'), reads + 3);
});

test('a page that returns again within ten seconds is brought up to date at their end', async () => {
  const { backend, environment, page, texts } = await setupTab('user-1');
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

test('a page that is closed before it may read again reads nothing more', async () => {
  const { backend, controller, environment, page } = await setupTab(null);
  page.wake('visible');
  await environment.settle();
  page.wake('visible');
  controller.close();
  const reads = backend.count('loadThread');
  await environment.advance(60_000);
  assert.equal(backend.count('loadThread'), reads);
  assert.equal(environment.timers, 0);
});

test('a page that returns keeps what is shown when the thread cannot be read', async () => {
  const { backend, environment, notices, page, texts } = await setupTab(null);
  backend.answers.set('loadThread', () => Promise.reject(new UbikError('not-found')));
  page.wake('visible');
  await environment.settle();
  assert.deepEqual(texts(), ['Hello', 'Good day']);
  assert.ok(notices.some((one) => one.type === 'diagnostic' && one.error.code === 'not-found'));
});

test('a page that returns offline or during a run reads nothing', async () => {
  const { backend, environment, page, start } = await setupTab(null);
  const reads = backend.count('loadThread');
  page.online = false;
  page.wake('visible');
  page.online = true;
  await start('Question');
  page.wake('visible');
  await environment.settle();
  assert.equal(backend.count('loadThread'), reads);
});

for (const [code, isRead] of [
  ['server', true],
  ['network', true],
  ['forbidden', false],
] as const) {
  test(`a change made elsewhere that cannot be read at first is ${isRead ? 'read later' : 'left'}: ${code}`, async () => {
    const { backend, environment, texts } = await setupTab('user-1');
    const load = backend.loadThread.bind(backend);
    let failures = 3;
    backend.loadThread = (id) => {
      failures -= 1;
      return failures >= 0 ? Promise.reject(new UbikError(code, 'no')) : load(id);
    };
    const reads = backend.count('loadThread');
    (backend as Backend).onForeignChange?.('a');
    await environment.advance(120_000);
    assert.equal(backend.count('loadThread'), reads + (isRead ? 1 : 0));
    assert.equal(texts().includes('And then?'), isRead);
    assert.equal(failures, isRead ? -1 : 2);
  });
}

test('a change made elsewhere is read seven times at most while that fails', async () => {
  const { backend, environment } = await setupTab('user-1');
  let reads = 0;
  backend.loadThread = () => {
    reads += 1;
    return Promise.reject(new UbikError('server', 'no'));
  };
  (backend as Backend).onForeignChange?.('a');
  await environment.advance(600_000);
  assert.equal(reads, 7);
});
