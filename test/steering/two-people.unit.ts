import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { InputRequest } from '../../src/backends/backend.js';
import { createUbikBackend, type UbikBackend } from '../../src/backends/ubik/index.js';
import { isUbikError } from '../../src/errors.js';
import { ACTIVITY } from '../../src/model/part.js';
import { createEnvironment } from '../../src/stream/environment.js';
import { startService, type Service } from './service.js';
import { Tab } from './tab.js';
import { shownIn, World } from './world.js';

const SECRET = 'plover';
const PAGE = { page: 1, limit: 100 };

/** What the first person has, by the ids that another one may guess. */
interface Belongings {
  readonly threadId: string;
  readonly waitingId: string;
  readonly documentId: string;
  readonly messageId: string;
  readonly question: string;
  readonly runId: string;
  readonly checkpoint: string;
  readonly executionId: string;
}

/** A person with a secret: a document, an answer with checkpoints, a run in which a tool asks. */
async function setupOwner(service: Service): Promise<{ world: World; belongings: Belongings }> {
  const world = new World(service, 'owner', 'F1');
  const tab = await world.tab('A');
  const { controller } = tab;
  const file = new File([`The ${SECRET} is mine.`], `${SECRET}.txt`);
  const document = await controller.upload(file);
  await service.documentsRead();
  await controller.send({ text: `Where is my ${SECRET}?`, attachments: [] });
  await world.settle();
  const [question, answer] = shownIn(tab);
  const [checkpoint] = await controller.listCheckpoints();
  const threadId = controller.thread?.id ?? '';
  const runId = controller.thread?.run.id ?? '';
  controller.newThread();
  await controller.send({ text: `Ask me for text, ${SECRET}`, attachments: [] });
  await world.settle();
  const asking = shownIn(tab).at(-1);
  const request = asking?.parts
    .children(ACTIVITY)
    .map((key) => asking.parts.get(key))
    .find((part) => part?.kind === 'request-activity');
  assert.ok(question?.id && answer?.id && checkpoint && runId);
  assert.ok(request?.kind === 'request-activity' && request.executionId !== null);
  return {
    world,
    belongings: {
      threadId,
      waitingId: controller.thread?.id ?? '',
      documentId: document.id,
      messageId: answer.id,
      question: question.id,
      runId,
      checkpoint: checkpoint.name,
      executionId: request.executionId,
    },
  };
}

/** The backend of somebody else. `heard`: everything that the service has said to them. */
function connectStranger(service: Service): { backend: UbikBackend; heard: string[] } {
  const heard: string[] = [];
  const token = service.mint('stranger');
  const environment = createEnvironment({
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      heard.push(await response.clone().text());
      return response;
    },
  });
  const backend = createUbikBackend({
    baseUrl: service.baseUrl,
    environment,
    getToken: () => token,
  });
  return { backend, heard };
}

/** Every method that takes an id, with ids of somebody else. `own`: a thread of the caller. */
function listAttempts(
  backend: UbikBackend,
  ids: Belongings,
  own: string,
): readonly (readonly [string, () => unknown])[] {
  const { signal } = new AbortController();
  const keys = { thread: 't', user: 'u', answer: 'a' };
  const draft = { text: 'Tell me', attachments: [] };
  const { threadId: id, waitingId, documentId, messageId, question } = ids;
  const run = { id: ids.runId, keys, finishedRuns: [] };
  const checkpoint = {
    name: ids.checkpoint,
    taskId: null,
    createdAt: null,
    id: null,
    metadata: null,
    restorable: true,
  };
  const request: InputRequest = {
    key: '@request:x',
    message: 'a',
    level: 'tool',
    checkpointName: null,
    executionId: ids.executionId,
    prompt: '',
    inputTypes: [],
    options: null,
    schema: null,
    deadline: null,
  };
  const answer = { type: 'text', text: 'Tell me' } as const;
  const attached = { text: 'Tell me', attachments: [{ id: documentId, name: 'x' }] };
  const file = new File(['x'], 'x.txt');
  return [
    ['loadThread', () => backend.loadThread(id)],
    ['loadMessage', () => backend.loadMessage(id, messageId)],
    ['loadMessage by an own thread', () => backend.loadMessage(own, messageId)],
    ['send', () => backend.send(id, draft, keys, signal)],
    ['send with a document', () => backend.send(own, attached, keys, signal)],
    ['rejoin', () => backend.rejoin(id, run, signal)],
    ['rejoin by an own thread', () => backend.rejoin(own, run, signal)],
    ['provideInput', () => backend.provideInput(waitingId, request, answer, keys, signal)],
    [
      'provideInput by an own thread',
      () => backend.provideInput(own, request, answer, keys, signal),
    ],
    ['stop', () => backend.stop(waitingId, run)],
    ['edit', () => backend.edit(id, question, draft, keys, signal)],
    ['edit by an own thread', () => backend.edit(own, question, draft, keys, signal)],
    ['regenerate', () => backend.regenerate(id, messageId, keys, signal)],
    ['regenerate by an own thread', () => backend.regenerate(own, messageId, keys, signal)],
    ['navigate', () => backend.navigate(id, messageId)],
    ['navigate by an own thread', () => backend.navigate(own, messageId)],
    ['listCheckpoints', () => backend.listCheckpoints(id)],
    ['restoreCheckpoint', () => backend.restoreCheckpoint(id, checkpoint, 'x', keys, signal)],
    [
      'restoreCheckpoint by an own thread',
      () => backend.restoreCheckpoint(own, checkpoint, 'x', keys, signal),
    ],
    ['listDocuments', () => backend.listDocuments(id, PAGE)],
    ['upload', () => backend.upload(id, file, () => undefined, signal)],
    ['link', () => backend.link(own, [documentId])],
    ['link to their thread', () => backend.link(id, [documentId])],
    ['unlink', () => backend.unlink(id, documentId)],
    ['unlink by an own thread', () => backend.unlink(own, documentId)],
    ['star', () => backend.star(id, documentId, true)],
    ['star by an own thread', () => backend.star(own, documentId, true)],
    ['documentStatus', () => backend.documentStatus(documentId)],
    ['execution', () => backend.execution(ids.executionId)],
    ['followExecution', () => backend.followExecution(ids.executionId, signal)],
    ['passage', () => backend.passage(documentId, signal)],
    ['media', () => backend.media(`/assets/tools/x/${ids.executionId}/chart.png`, signal)],
    ['renameThread', () => backend.renameThread(id, 'Mine')],
    ['deleteThread', () => backend.deleteThread(id)],
  ];
}

async function codeOf(attempt: () => unknown): Promise<string> {
  try {
    const result = attempt();
    if (Symbol.asyncIterator in Object(result)) {
      for await (const _told of result as AsyncIterable<unknown>);
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

test('no method gives what belongs to somebody else, whatever id is guessed', async (context) => {
  const { service, world, belongings } = await setupBoth(context);
  const { backend, heard } = connectStranger(service);
  const own = (await backend.createThread()).id;
  const attempts = listAttempts(backend, belongings, own);
  const tried = new Set(attempts.map(([name]) => name.split(' ', 1)[0]));
  const free = ['createThread', 'listThreads', 'forget'];
  for (const [name, method] of Object.entries(backend)) {
    if (typeof method === 'function' && !free.includes(name)) assert.ok(tried.has(name), name);
  }
  heard.length = 0;
  for (const [name, attempt] of attempts) {
    const code = await codeOf(attempt);
    // An own thread without a run has no stream to join.
    assert.match(code, /^(?:not-found|forbidden|not-sent)$/u, name);
  }
  assert.deepEqual(
    (await backend.listThreads?.(PAGE))?.items.map(({ id }) => id),
    [own],
  );
  assert.doesNotMatch(heard.join('\n'), new RegExp(SECRET, 'u'));
  const [tab] = world.tabs;
  assert.ok(tab);
  await tab.controller.openThread(belongings.threadId);
  await world.settle();
  const shown = shownIn(tab).map(({ id }) => id);
  assert.deepEqual(shown, [belongings.question, belongings.messageId], 'nothing was done to it');
  assert.match(tab.controller.thread?.title ?? '', new RegExp(SECRET, 'u'));
  world.tabs.forEach((each) => each.close());
});

test('the same browser shows another person nothing of the one before', async (context) => {
  const { service, world, belongings } = await setupBoth(context);
  const [before] = world.tabs;
  before?.controller.setDraft({ text: `About my ${SECRET}`, attachments: [] });
  before?.close();
  await world.rest();
  const tabStorage = new Map<string, string>();
  const tab = new Tab({
    service,
    name: 'stranger',
    token: service.mint('stranger'),
    userKey: 'somebody else',
    dialect: 'F1',
    seed: 1,
    storage: new Map(world.storage),
    tabStorage,
  });
  const { controller } = tab;
  assert.equal(await controller.openLatest(), false);
  assert.equal(controller.draft().text, '');
  const code = await codeOf(() => controller.openThread(belongings.threadId));
  assert.equal(code, 'not-found');
  assert.equal(controller.thread, null);
  assert.deepEqual((await controller.listThreads(PAGE)).items, []);
  tab.close();
});

test('a second tab of another person hears nothing of a run', async (context) => {
  const { service, world, belongings } = await setupBoth(context);
  const stranger = new World(service, 'stranger', 'F1');
  const tab = await stranger.tab('A');
  await tab.controller.send({ text: 'Hello', attachments: [] });
  await stranger.settle();
  const heard: string[] = [];
  tab.controller.observe((batch) => heard.push(JSON.stringify(batch)));
  const [owner] = world.tabs;
  await owner?.controller.openThread(belongings.threadId);
  await owner?.controller.send({ text: `More about the ${SECRET}`, attachments: [] });
  await world.settle();
  await stranger.settle();
  assert.deepEqual(heard, []);
  assert.equal(await codeOf(() => tab.controller.openThread(belongings.waitingId)), 'not-found');
  assert.equal(shownIn(tab).length, 2, 'the own thread stays');
  [...world.tabs, ...stranger.tabs].forEach((each) => each.close());
});
