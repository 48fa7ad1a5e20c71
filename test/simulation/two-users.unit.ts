import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { isUbikError } from '../../src/errors.js';
import { listForeignCalls, PAGE, type OwnedIds } from './foreign-ids.js';
import { connect, SECRET, setupOwner } from './owner.js';
import { startService, type Service } from './world/service.js';
import { createUbik, Tab } from './world/tab.js';
import { listShown, World } from './world/world.js';

/** The code of the error of an attempt, whose stream is read to the end; `nothing` without an error. */
async function codeOf(attempt: () => unknown): Promise<string> {
  try {
    const result = attempt();
    if (Symbol.asyncIterator in Object(result)) {
      for await (const _batch of result as AsyncIterable<unknown>);
    } else await result;
    return 'nothing';
  } catch (error) {
    return isUbikError(error) ? error.code : String(error);
  }
}

async function setupBoth(context: TestContext) {
  const service = await startService(context);
  return { service, ...(await setupOwner(service)) };
}

/** Checks that the owner can read what the other user must not. */
async function checkOwner(
  service: Service,
  token: string,
  { passageId, documentId, picture }: OwnedIds,
): Promise<void> {
  const { backend, received } = connect(service, token);
  const { signal } = new AbortController();
  assert.ok((await backend.loadToolFile(picture, signal)).size > 100);
  assert.match(received.join('\n'), /PNG/u);
  for (const id of [passageId, documentId]) {
    assert.match((await backend.loadPassage(id, signal)).text, new RegExp(SECRET, 'u'));
  }
}

test('no method of the backend returns or changes data of another user whose ids are known', async (context) => {
  const { service, world, ids } = await setupBoth(context);
  await checkOwner(service, world.token, ids);
  const { backend, received } = connect(service, service.mint('stranger'));
  const own = (await backend.createThread()).id;
  const attempts = listForeignCalls(backend, ids, own);
  const tried = new Set(attempts.map(([name]) => name.split(' ', 1)[0]));
  // These methods take no id or send no request.
  const exempt = [
    'prepare',
    'forgetToken',
    'createThread',
    'listThreads',
    'getIncompleteText',
    'releaseRun',
    'findToolFiles',
    'isInternalField',
  ];
  for (const [name, method] of Object.entries(backend)) {
    if (typeof method === 'function' && !exempt.includes(name)) assert.ok(tried.has(name), name);
  }
  received.length = 0;
  for (const [name, attempt] of attempts) {
    const code = await codeOf(attempt);
    // A thread without a run has no stream to join (`not-sent`).
    assert.match(code, /^(?:not-found|forbidden|not-sent)$/u, name);
  }
  assert.deepEqual(
    (await backend.listThreads?.(PAGE))?.items.map(({ id }) => id),
    [own],
  );
  assert.doesNotMatch(received.join('\n'), new RegExp(`${SECRET}|PNG`, 'u'));
  const [tab] = world.tabs;
  assert.ok(tab);
  await tab.controller.openThread(ids.threadId);
  await world.settle();
  const shown = listShown(tab).map(({ id }) => id);
  assert.deepEqual(shown, [ids.questionId, ids.messageId], 'the thread of the owner is unchanged');
  assert.match(tab.controller.thread?.title ?? '', new RegExp(SECRET, 'u'));
  world.tabs.forEach((each) => each.close());
});

test('a browser shows the next user no data of the previous one', async (context) => {
  const { service, world, ids } = await setupBoth(context);
  const [before] = world.tabs;
  before?.controller.setDraft({ text: `About my ${SECRET}`, attachments: [] });
  before?.close();
  await world.settleClosedTabs();
  const tabStorage = new Map<string, string>();
  const tab = new Tab({
    service,
    name: 'stranger',
    token: service.mint('stranger'),
    userKey: 'another user',
    createBackend: createUbik('F1'),
    seed: 1,
    storage: new Map(world.storage),
    tabStorage,
  });
  const { controller } = tab;
  assert.equal(await controller.openLastThread(), false);
  assert.equal(controller.getDraft().text, '');
  const code = await codeOf(() => controller.openThread(ids.threadId));
  assert.equal(code, 'not-found');
  assert.equal(controller.thread, null);
  assert.deepEqual((await controller.listThreads(PAGE)).items, []);
  tab.close();
});

test('a tab receives nothing of the run of another user', async (context) => {
  const { service, world, ids } = await setupBoth(context);
  const stranger = new World(service, 'stranger', createUbik('F1'));
  const tab = await stranger.tab('A');
  await tab.controller.send({ text: 'Hello', attachments: [] });
  await stranger.settle();
  const received: string[] = [];
  tab.controller.onBatch((batch) => received.push(JSON.stringify(batch)));
  const [owner] = world.tabs;
  await owner?.controller.openThread(ids.threadId);
  await owner?.controller.send({ text: `More about the ${SECRET}`, attachments: [] });
  await world.settle();
  await stranger.settle();
  assert.deepEqual(received, []);
  assert.equal(await codeOf(() => tab.controller.openThread(ids.waitingThreadId)), 'not-found');
  assert.equal(listShown(tab).length, 2, 'its own thread stays open');
  await tab.controller.send({ text: 'Hello again', attachments: [] });
  await stranger.settle();
  assert.ok(received.length > 0, 'its own run is received');
  [...world.tabs, ...stranger.tabs].forEach((each) => each.close());
});
