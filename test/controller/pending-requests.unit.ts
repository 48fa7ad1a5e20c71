import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Backend, InputRequest, StoredMessage } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import { listPendingRequests } from '../../src/model/pending-requests.js';
import { AGENT_REQUEST } from '../helpers/agent-request.js';
import { Deferred } from '../helpers/deferred.js';
import { contentOf, stored } from './scripted-backend.js';
import { codeOf, draftOf, setupController, type ControllerFixture } from './setup-controller.js';
import { listSent } from './setup-queue.js';

const SECOND = 1_000;
const MINUTE = 60_000;

const storeRequests = (requests: readonly InputRequest[]): StoredMessage => {
  const message = stored('m2', 'assistant', 'Hm', { runId: 't1' });
  const status = requests.length > 0 ? 'waiting' : 'complete';
  return { ...message, requests, fields: { ...message.fields, status } };
};
const QUESTION = stored('m1', 'user', 'Hello');
const STILL_OPEN = contentOf('a', [QUESTION, storeRequests([AGENT_REQUEST])]);
const YEAR = stored('m3', 'user', '2026', { runId: 't2' });
const ANSWERED = contentOf('a', [
  QUESTION,
  storeRequests([]),
  YEAR,
  stored('m4', 'assistant', 'Done'),
]);
const RUNNING = contentOf('a', [QUESTION, storeRequests([]), YEAR], 't2');

/** A thread whose last message has a pending request. */
async function openRequest(): Promise<ControllerFixture> {
  const fixture = setupController();
  fixture.backend.threads.set('a', STILL_OPEN);
  await fixture.controller.openThread('a');
  await fixture.environment.settle();
  return fixture;
}

/** A run that waits for an answer to a tool and whose stream has ended. */
async function setupToolRequest(): Promise<ControllerFixture> {
  const fixture = setupController();
  await fixture.start('Hello');
  const { backend, controller } = fixture;
  backend.stream.request('@request:tool:execution-1', 'tool');
  backend.stream.finish('waiting');
  await fixture.environment.settle();
  assert.equal(controller.thread?.run.state, 'waiting');
  const question = stored('m1', 'user', 'Hello', { runId: 'task-1' });
  const content = contentOf('thread-id-1', [question], 'task-1');
  backend.threads.set('thread-id-1', content);
  return fixture;
}

const request = (fixture: ControllerFixture) => {
  const part = fixture.last().parts.get(AGENT_REQUEST.key);
  return part?.kind === 'request-activity' ? part : undefined;
};

for (const reason of ['visible', 'online', 'pageshow', 'resume'] as const) {
  test(`a request that was answered elsewhere is closed, and the messages after it are shown, when the user returns to the page (${reason})`, async () => {
    const fixture = await openRequest();
    const { backend, environment, page, texts } = fixture;
    const reads = backend.count('loadThread');
    backend.threads.set('a', ANSWERED);
    page.wake(reason);
    await environment.settle();
    assert.deepEqual(texts(), ['Hello', 'Hm', '2026', 'Done']);
    const asking = [...(fixture.controller.thread?.messages.values() ?? [])][1];
    const part = asking?.parts.get(AGENT_REQUEST.key);
    assert.equal(part?.kind === 'request-activity' && part.state, 'closed');
    assert.equal(backend.count('loadThread'), reads + 1);
  });
}

test('the run that continues after a request was answered elsewhere is joined', async () => {
  const { backend, controller, environment, page } = await openRequest();
  backend.threads.set('a', RUNNING);
  page.wake('visible');
  await environment.settle();
  assert.equal(backend.count('rejoin'), 1);
  backend.stream.begin('t2');
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'streaming');
  assert.equal(controller.thread.run.id, 't2');
});

test('a pending request stays unchanged and is checked at most once a minute', async () => {
  const fixture = await openRequest();
  const { backend, controller, environment, page } = fixture;
  controller.setDraft(draftOf('20'));
  await environment.advance(SECOND);
  const before = request(fixture);
  let changes = 0;
  controller.onBatch(() => (changes += 1));
  const reads = backend.count('loadThread');
  for (const reason of ['visible', 'online', 'visible'] as const) {
    page.wake(reason);
    await environment.advance(10 * SECOND);
  }
  assert.equal(backend.count('loadThread'), reads + 1);
  await environment.advance(MINUTE);
  page.wake('visible');
  await environment.settle();
  assert.equal(backend.count('loadThread'), reads + 2);
  assert.equal(backend.count('rejoin'), 0);
  assert.equal(changes, 0);
  assert.equal(request(fixture), before);
  assert.equal(controller.getDraft().text, '20');
});

test('a check that fails after another thread was opened is not reported in that thread', async () => {
  const { backend, controller, environment, notices, page, texts } = await openRequest();
  const other = contentOf('b', [stored('x', 'user', 'Elsewhere')]);
  backend.threads.set('b', other);
  const loaded = new Deferred<Error>();
  backend.responses.set('loadThread', (id) => {
    if (id !== 'a') return other;
    return loaded.promise.then((error) => Promise.reject(error));
  });
  page.wake('visible');
  await controller.openThread('b');
  loaded.resolve(new UbikError('not-found'));
  await environment.settle();
  assert.deepEqual(texts(), ['Elsewhere']);
  assert.deepEqual(
    notices.filter(({ type }) => type === 'error'),
    [],
  );
});

test('a pending request is checked after the computer has slept', async () => {
  const { backend, environment, page } = await openRequest();
  page.wake('visible');
  await environment.settle();
  const reads = backend.count('loadThread');
  environment.jump(2 * MINUTE);
  page.wake('resume');
  await environment.settle();
  assert.equal(backend.count('loadThread'), reads + 1);
});

test('a pending request is not checked while the page is offline', async () => {
  const { backend, environment, page } = await openRequest();
  const reads = backend.count('loadThread');
  page.online = false;
  page.wake('visible');
  await environment.settle();
  assert.equal(backend.count('loadThread'), reads);
  page.online = true;
  page.wake('online');
  await environment.settle();
  assert.equal(backend.count('loadThread'), reads + 1);
});

test('a check of a pending request that fails changes nothing and is not repeated', async () => {
  const { backend, controller, environment, notices, page } = await openRequest();
  const reads = backend.count('loadThread');
  backend.responses.set('loadThread', () => {
    throw new UbikError('network');
  });
  page.wake('visible');
  await environment.advance(MINUTE);
  assert.equal(backend.count('loadThread'), reads + 1);
  assert.equal(controller.thread?.messages.size, 2);
  assert.equal(notices.filter(({ type }) => type === 'diagnostic').length, 1);
});

test('a thread that was deleted elsewhere shows the error and keeps messages and draft', async () => {
  const fixture = await openRequest();
  const { backend, controller, environment, notices, page, texts } = fixture;
  controller.setDraft(draftOf('My answer'));
  backend.threads.delete('a');
  page.wake('visible');
  await environment.settle();
  assert.deepEqual(texts(), ['Hello', 'Hm']);
  assert.equal(fixture.last().status, 'interrupted');
  assert.equal(fixture.last().failure?.code, 'not-found');
  assert.equal(request(fixture)?.state, 'pending');
  assert.equal(controller.getDraft().text, 'My answer');
  const errors = notices.flatMap((notice) => (notice.type === 'error' ? notice.error.code : []));
  assert.deepEqual(errors, ['not-found']);
});

test('a waiting run is interrupted when its thread was deleted elsewhere', async () => {
  const { backend, controller, environment, page } = await setupToolRequest();
  backend.threads.delete('thread-id-1');
  page.wake('visible');
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'interrupted');
  assert.equal(controller.thread.run.error?.code, 'not-found');
});

test('a run whose request of a tool is still pending keeps waiting without a notice', async () => {
  const { backend, controller, environment, page, states, runNotices } = await setupToolRequest();
  const before = [...states];
  const notices = runNotices();
  page.wake('visible');
  await environment.settle();
  assert.equal(backend.count('rejoin'), 1);
  assert.equal(controller.thread?.run.state, 'waiting');
  backend.stream.push({ type: 'thread', set: { run: { state: 'waiting' } } });
  await environment.settle();
  backend.stream.end();
  await environment.settle();
  const reads = backend.count('loadThread');
  for (const reason of ['visible', 'online', 'visible'] as const) page.wake(reason);
  await environment.advance(MINUTE - SECOND);
  assert.equal(backend.count('rejoin'), 1);
  assert.equal(backend.count('loadThread'), reads);
  await environment.advance(SECOND);
  page.wake('visible');
  await environment.settle();
  assert.equal(backend.count('rejoin'), 2);
  assert.deepEqual(states, before);
  assert.deepEqual(runNotices(), notices);
});

for (const [occasion, act] of [
  [
    'after a change by another client',
    ({ backend }) => (backend as Backend).onExternalChange?.('thread-id-1'),
  ],
  ['when its thread is opened again', ({ controller }) => controller.openThread('thread-id-1')],
] as const satisfies readonly (readonly [string, (fixture: ControllerFixture) => unknown])[]) {
  test(`a run whose request of a tool is pending keeps waiting without a notice ${occasion}`, async () => {
    const fixture = await setupToolRequest();
    const { backend, environment, states, runNotices } = fixture;
    const before = [...states];
    const notices = runNotices();
    await act(fixture);
    await environment.settle();
    assert.equal(backend.count('rejoin'), 1);
    backend.stream.push({ type: 'thread', set: { run: { state: 'waiting' } } });
    backend.stream.fail();
    await environment.settle();
    assert.deepEqual(states, before);
    assert.deepEqual(runNotices(), notices);
  });
}

test('the request of a tool that the stored answer contains stays pending, and no stream is opened', async () => {
  const { backend, controller, environment, page } = await setupToolRequest();
  const request = { ...AGENT_REQUEST, key: '@request:tool:execution-1', level: 'tool' } as const;
  backend.threads.set(
    'thread-id-1',
    contentOf('thread-id-1', [QUESTION, storeRequests([request])]),
  );
  let changes = 0;
  controller.onBatch(() => (changes += 1));
  page.wake('visible');
  await environment.settle();
  assert.deepEqual([backend.count('rejoin'), controller.thread?.run.state], [0, 'waiting']);
  assert.equal(changes, 0);
});

test('the rest of an answer whose tool was answered elsewhere stays while the stored thread lacks it', async () => {
  const { backend, controller, environment, page, texts, last } = await setupToolRequest();
  const key = '@request:tool:execution-1';
  const request = { ...AGENT_REQUEST, key, level: 'tool' } as const;
  const answer = { ...storeRequests([request]), parts: [] };
  backend.threads.set('thread-id-1', contentOf('thread-id-1', [QUESTION, answer]));
  await controller.openThread('thread-id-1');
  assert.deepEqual([last().id, last().status], ['m2', 'waiting']);
  // The tool was answered elsewhere, and its run goes on.
  const answered = { ...storeRequests([]), parts: [] };
  const running = contentOf('thread-id-1', [QUESTION, answered], 'task-1');
  backend.threads.set('thread-id-1', running);
  page.wake('visible');
  await environment.settle();
  backend.stream.push(
    { type: 'set', message: last().key, part: key, path: ['state'], value: 'answered' },
    { type: 'thread', set: { run: { state: 'streaming' } } },
    {
      type: 'part',
      message: last().key,
      part: '/0:text',
      parent: null,
      before: null,
      value: { kind: 'text' },
    },
  );
  backend.stream.append(0, 'Forty orders');
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(texts(), ['Hello', 'Forty orders']);
  backend.threads.set('thread-id-1', contentOf('thread-id-1', [QUESTION, answered]));
  await controller.openThread('thread-id-1');
  assert.deepEqual(texts(), ['Hello', 'Forty orders']);
});

test('a request is replaced by the one that has replaced it elsewhere', async () => {
  const fixture = await openRequest();
  const other = { ...AGENT_REQUEST, key: '@request:c2', prompt: 'Which month?' };
  fixture.backend.threads.set('a', contentOf('a', [QUESTION, storeRequests([other])]));
  fixture.page.wake('visible');
  await fixture.environment.settle();
  assert.deepEqual(
    listPendingRequests(fixture.last()).map(({ prompt }) => prompt),
    ['Which month?'],
  );
});

for (const [how, end] of [
  ['breaks', (fixture: ControllerFixture) => fixture.backend.stream.fail()],
  [
    'does not exist',
    ({ backend }: ControllerFixture) => backend.stream.fail(new UbikError('not-found')),
  ],
] as const) {
  test(`the request of a tool stays pending when the stream that is opened to check it ${how}`, async () => {
    const fixture = await setupToolRequest();
    const { backend, controller, environment, page } = fixture;
    page.wake('visible');
    await environment.settle();
    end(fixture);
    await environment.advance(2 * MINUTE);
    assert.equal(backend.count('rejoin'), 1);
    assert.equal(controller.thread?.run.state, 'waiting');
  });
}

test('a tool whose request was answered elsewhere continues in its message', async () => {
  const { backend, controller, environment, last, page, runNotices } = await setupToolRequest();
  const notices = runNotices();
  const answer = last().key;
  page.wake('visible');
  await environment.settle();
  backend.stream.push(
    {
      type: 'set',
      message: answer,
      part: '@request:tool:execution-1',
      path: ['state'],
      value: 'answered',
    },
    { type: 'thread', set: { run: { state: 'streaming' } } },
  );
  backend.stream.append(0, 'Done');
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'streaming');
  backend.stream.finish('complete');
  await environment.settle();
  assert.equal(controller.thread.run.state, 'complete');
  assert.deepEqual(runNotices(), [...notices, 'run-started', 'run-completed']);
  assert.equal(last().key, answer);
});

test('an answer can be sent while a stream is open to check the request', async () => {
  const { backend, controller, environment, last, page } = await setupToolRequest();
  page.wake('visible');
  await environment.settle();
  const { stream } = backend;
  const sending = controller.provideInput(last().key, '@request:tool:execution-1', {
    type: 'text',
    text: '2026',
  });
  await environment.settle();
  assert.equal(stream.signal.aborted, true);
  assert.equal(backend.stream.method, 'provideInput');
  backend.stream.begin();
  await sending;
});

test('a pending request is not checked after close', async () => {
  const { backend, controller, environment, page } = await openRequest();
  const reads = backend.count('loadThread');
  controller.close();
  page.wake('visible');
  await environment.advance(2 * MINUTE);
  assert.equal(backend.count('loadThread'), reads);
});

test('a waiting run ends when the service has stored its answer without a request', async () => {
  const fixture = await setupToolRequest();
  const { backend, controller, environment, page, runNotices } = fixture;
  const { answer: message } = backend.stream.keys;
  const content = contentOf('thread-id-1', [QUESTION, storeRequests([])]);
  backend.threads.set('thread-id-1', content);
  const before = runNotices();
  page.wake('visible');
  await environment.settle();
  assert.deepEqual([controller.thread?.run.state, fixture.last().key], ['complete', message]);
  assert.deepEqual(runNotices(), before);
});

test('input-required is emitted once for a pending request, and again when it becomes pending again', async () => {
  const { backend, environment, notices, start } = setupController();
  await start('Hello');
  const { stream } = backend;
  const emitted = (): number => notices.filter(({ type }) => type === 'input-required').length;
  const report = async (state: string): Promise<void> => {
    const message = stream.keys.answer;
    stream.push({ type: 'set', message, part: '@request:c', path: ['state'], value: state });
    await environment.settle();
  };
  stream.request('@request:c', 'tool');
  await environment.settle();
  await report('pending');
  assert.equal(emitted(), 1);
  await report('closed');
  await report('pending');
  assert.equal(emitted(), 2);
});

test('a thread whose reload ends while an answer is being sent is loaded again when the answer is rejected', async () => {
  const fixture = setupController();
  const { backend, controller, environment } = fixture;
  backend.responses.set('createThread', () => ({ id: 'a', title: '', createdAt: 1, updatedAt: 1 }));
  await fixture.start('Hello');
  const reload = new Deferred<unknown>();
  backend.responses.set('loadThread', () => reload.promise);
  backend.stream.request(AGENT_REQUEST.key);
  backend.stream.finish('waiting');
  await environment.settle();
  const message = fixture.last().key;
  const answer = controller.provideInput(message, AGENT_REQUEST.key, { type: 'text', text: '1' });
  await environment.settle();
  backend.threads.set('a', STILL_OPEN);
  backend.responses.delete('loadThread');
  reload.resolve(STILL_OPEN);
  await environment.settle();
  assert.equal(controller.thread?.title, '', 'nothing is applied during a run');
  backend.stream.fail(new UbikError('busy'));
  assert.equal(await codeOf(answer), 'busy');
  await environment.settle();
  assert.equal(controller.thread.title, 'Title of a');
  assert.equal(controller.thread.run.state, 'waiting');
  assert.equal(backend.count('loadThread'), 2);
});

test('a reload that the next run has superseded is repeated after that run', async () => {
  const fixture = setupController();
  const { backend, controller, environment } = fixture;
  await fixture.start('Hello');
  backend.stream.finish('complete');
  const first = contentOf('thread-id-1', [QUESTION, stored('m2', 'assistant', 'Hm')]);
  backend.threads.set('thread-id-1', first);
  await environment.advance(SECOND);
  const reload = new Deferred<unknown>();
  backend.responses.set('loadThread', () => reload.promise);
  const regenerating = controller.regenerate(fixture.last().key);
  await environment.settle();
  backend.stream.begin('t2');
  await regenerating;
  backend.stream.finish('complete');
  await environment.settle();
  backend.responses.delete('loadThread');
  await fixture.start('2026');
  const loads = backend.count('loadThread');
  const { answer } = backend.stream.keys;
  const id = 'm4';
  backend.stream.push({ type: 'set', message: answer, part: null, path: ['id'], value: id });
  backend.stream.finish('complete');
  await environment.settle();
  assert.equal(backend.count('loadThread'), loads + 1);
  reload.resolve(first);
});

test('a further request of an execution, which is stored under the key of the first one, stays unchanged', async () => {
  const fixture = setupController();
  await fixture.start('Hello');
  const { backend, environment, page } = fixture;
  const key = '@request:tool:execution-1';
  backend.stream.request(`${key}#2`, 'tool');
  backend.stream.finish('waiting');
  await environment.settle();
  const request: InputRequest = {
    ...AGENT_REQUEST,
    key,
    level: 'tool',
    executionId: 'execution-1',
  };
  const answer = { ...storeRequests([request]), id: 'm2' };
  const question = stored('m1', 'user', 'Hello', { runId: 'task-1' });
  backend.threads.set('thread-id-1', contentOf('thread-id-1', [question, answer]));
  const reads = backend.count('loadThread');
  page.wake('visible');
  await environment.settle();
  assert.equal(backend.count('loadThread'), reads + 1);
  assert.equal(backend.count('rejoin'), 0);
  assert.deepEqual(
    listPendingRequests(fixture.last()).map((each) => each.key),
    [`${key}#2`],
  );
});

/** Answers the request of a run that waits, and rejects the answer because the request was answered elsewhere. */
async function rejectAnswer(fixture: ControllerFixture, request: string): Promise<void> {
  const { backend, controller, environment } = fixture;
  const { key } = fixture.last();
  const answer = controller.provideInput(key, request, { type: 'text', text: '2026' });
  await environment.settle();
  backend.stream.fail(new UbikError('not-open'));
  assert.equal(await codeOf(answer), 'not-open');
  await environment.settle();
}

test('a request whose answer was rejected because another branch was active can be answered when its own is active again', async () => {
  const fixture = await openRequest();
  const { backend, controller, environment, page, texts } = fixture;
  const asking = fixture.last().key;
  backend.threads.set(
    'a',
    contentOf('a', [stored('n1', 'user', 'Hi'), stored('n2', 'assistant', '')]),
  );
  await rejectAnswer(fixture, AGENT_REQUEST.key);
  assert.deepEqual(texts(), ['Hi', '']);
  backend.threads.set('a', STILL_OPEN);
  await environment.advance(MINUTE);
  page.wake('visible');
  await environment.settle();
  await controller.openThread('a');
  assert.equal(fixture.last().key, asking);
  assert.equal(request(fixture)?.state, 'pending');
  const sent = backend.count('provideInput');
  void controller.provideInput(asking, AGENT_REQUEST.key, { type: 'text', text: '2026' });
  await environment.settle();
  assert.equal(backend.count('provideInput'), sent + 1);
});

/** A run that waits for an answer to the agent, with a queued message. */
async function setupAgentRequest(): Promise<ControllerFixture> {
  const fixture = setupController();
  await fixture.start('Hello');
  await fixture.controller.enqueue(draftOf('Afterwards'));
  fixture.backend.stream.request(AGENT_REQUEST.key);
  fixture.backend.stream.finish('waiting');
  await fixture.environment.settle();
  return fixture;
}

test('a run that waits for an answer to the agent ends, and the queue continues, when the answer is rejected because the request was answered elsewhere', async () => {
  const fixture = await setupAgentRequest();
  fixture.backend.threads.set('thread-id-1', {
    ...ANSWERED,
    thread: { id: 'thread-id-1', title: '' },
  });
  await rejectAnswer(fixture, AGENT_REQUEST.key);
  assert.deepEqual(fixture.texts().slice(0, 4), ['Hello', 'Hm', '2026', 'Done']);
  assert.deepEqual(listSent(fixture), ['Hello', 'Afterwards']);
});

test('the run that continues after a request of the agent is joined when the answer of this page is rejected', async () => {
  const fixture = await setupAgentRequest();
  const { backend, controller, environment } = fixture;
  backend.threads.set('thread-id-1', { ...RUNNING, thread: { id: 'thread-id-1', title: '' } });
  await rejectAnswer(fixture, AGENT_REQUEST.key);
  assert.equal(backend.stream.method, 'rejoin');
  backend.stream.begin('t2');
  await environment.settle();
  assert.equal(controller.thread?.run.id, 't2');
  assert.deepEqual(listSent(fixture), ['Hello']);
});

test('a run keeps waiting while the stored thread still lists the request that was answered elsewhere', async () => {
  const fixture = await setupAgentRequest();
  const thread = { id: 'thread-id-1', title: '' };
  fixture.backend.threads.set('thread-id-1', { ...STILL_OPEN, thread });
  await rejectAnswer(fixture, AGENT_REQUEST.key);
  assert.equal(fixture.controller.thread?.run.state, 'waiting');
  assert.deepEqual(listSent(fixture), ['Hello']);
});

test('a run that waits for an answer to a tool continues when the answer is rejected because the request was answered elsewhere', async () => {
  const fixture = await setupToolRequest();
  const { backend, controller, environment } = fixture;
  await rejectAnswer(fixture, '@request:tool:execution-1');
  assert.equal(backend.stream.method, 'rejoin');
  backend.stream.append(0, 'Done');
  backend.stream.finish('complete');
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'complete');
});

test('a run that waits without a pending request is rejoined when a message is rejected because the run is in progress', async () => {
  const fixture = await setupToolRequest();
  const { backend, controller, environment } = fixture;
  const { key } = fixture.last();
  const request = '@request:tool:execution-1';
  const answered = controller.provideInput(key, request, { type: 'text', text: '2026' });
  await environment.settle();
  backend.stream.push({
    type: 'set',
    message: key,
    part: request,
    path: ['state'],
    value: 'closed',
  });
  backend.stream.finish('waiting');
  await answered;
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'waiting');
  const sent = controller.send(draftOf('More'));
  await environment.settle();
  backend.stream.fail(new UbikError('busy'));
  assert.equal(await codeOf(sent), 'busy');
  await environment.settle();
  assert.equal(backend.stream.method, 'rejoin');
});

test('a request that came up in another thread is reported when that thread is opened, also when it cannot be reloaded', async () => {
  const { backend, controller, environment, notices, start } = setupController();
  await start('Hello');
  controller.switchToNewThread();
  backend.stream.request('@request:c');
  backend.stream.finish('waiting');
  await environment.settle();
  backend.responses.set('loadThread', () => Promise.reject(new UbikError('network')));
  assert.equal(await codeOf(controller.openThread('thread-id-1')), 'network');
  assert.equal(controller.thread?.id, 'thread-id-1');
  assert.equal(notices.filter(({ type }) => type === 'input-required').length, 1);
});
