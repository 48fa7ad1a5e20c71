import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InputRequest, StoredMessage } from '../../src/backends/backend.js';
import { UbikError } from '../../src/errors.js';
import { AGENT_REQUEST } from '../helpers/agent-request.js';
import { contentOf, stored } from './scripted-backend.js';
import { draftOf, setupConversation, type Conversation } from './setup-conversation.js';

const SECOND = 1_000;
const MINUTE = 60_000;

const asked = (requests: readonly InputRequest[]): StoredMessage => {
  const message = stored('m2', 'assistant', 'Hm', { taskId: 't1' });
  const status = requests.length > 0 ? 'waiting' : 'complete';
  return { ...message, requests, fields: { ...message.fields, status } };
};
const QUESTION = stored('m1', 'user', 'Hello');
const STILL_OPEN = contentOf('a', [QUESTION, asked([AGENT_REQUEST])]);
const YEAR = stored('m3', 'user', '2026', { taskId: 't2' });
const ANSWERED = contentOf('a', [QUESTION, asked([]), YEAR, stored('m4', 'assistant', 'Done')]);
const RUNNING = contentOf('a', [QUESTION, asked([]), YEAR], 't2');

/** A thread whose newest message asks. */
async function openAsking(): Promise<Conversation> {
  const conversation = setupConversation();
  conversation.backend.threads.set('a', STILL_OPEN);
  await conversation.controller.openThread('a');
  await conversation.environment.settle();
  return conversation;
}

/** A run in which a tool has asked and whose stream has ended. */
async function askByTool(): Promise<Conversation> {
  const conversation = setupConversation();
  await conversation.start('Hello');
  const { backend, controller } = conversation;
  backend.stream.ask('@request:tool:execution-1', 'tool');
  backend.stream.finish('waiting');
  await conversation.environment.settle();
  assert.equal(controller.thread?.run.state, 'waiting');
  const question = stored('m1', 'user', 'Hello', { taskId: 'task-1' });
  const content = contentOf('thread-id-1', [question], 'task-1');
  backend.threads.set('thread-id-1', content);
  return conversation;
}

const request = (conversation: Conversation) => {
  const part = conversation.last().parts.get(AGENT_REQUEST.key);
  return part?.kind === 'request-activity' ? part : undefined;
};

for (const reason of ['visible', 'online', 'pageshow', 'resume'] as const) {
  test(`a question that was answered elsewhere shows its answer when the page returns (${reason})`, async () => {
    const conversation = await openAsking();
    const { backend, environment, page, texts } = conversation;
    const reads = backend.count('loadThread');
    backend.threads.set('a', ANSWERED);
    page.wake(reason);
    await environment.settle();
    assert.deepEqual(texts(), ['Hello', 'Hm', '2026', 'Done']);
    const asking = [...(conversation.controller.thread?.messages.values() ?? [])][1];
    const part = asking?.parts.get(AGENT_REQUEST.key);
    assert.equal(part?.kind === 'request-activity' && part.state, 'closed');
    assert.equal(backend.count('loadThread'), reads + 1);
  });
}

test('a question that was answered elsewhere joins the run of its answer', async () => {
  const { backend, controller, environment, page } = await openAsking();
  backend.threads.set('a', RUNNING);
  page.wake('visible');
  await environment.settle();
  assert.equal(backend.count('rejoin'), 1);
  backend.stream.begin('t2');
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'streaming');
  assert.equal(controller.thread.run.id, 't2');
});

test('a question that is still open changes nothing, and is checked once a minute', async () => {
  const conversation = await openAsking();
  const { backend, controller, environment, page } = conversation;
  controller.setDraft(draftOf('20'));
  await environment.advance(SECOND);
  const before = request(conversation);
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
  assert.equal(request(conversation), before);
  assert.equal(controller.getDraft().text, '20');
});

test('a question is checked after the computer has slept, whose timers stood still', async () => {
  const { backend, environment, page } = await openAsking();
  page.wake('visible');
  await environment.settle();
  const reads = backend.count('loadThread');
  environment.jump(2 * MINUTE);
  page.wake('resume');
  await environment.settle();
  assert.equal(backend.count('loadThread'), reads + 1);
});

test('a question is not checked while the page is offline', async () => {
  const { backend, environment, page } = await openAsking();
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

test('a check that fails changes nothing and is not repeated', async () => {
  const { backend, controller, environment, notices, page } = await openAsking();
  const reads = backend.count('loadThread');
  backend.answers.set('loadThread', () => {
    throw new UbikError('network');
  });
  page.wake('visible');
  await environment.advance(MINUTE);
  assert.equal(backend.count('loadThread'), reads + 1);
  assert.equal(controller.thread?.messages.size, 2);
  assert.equal(notices.filter(({ type }) => type === 'diagnostic').length, 1);
});

test('a thread that was deleted meanwhile says so and keeps what is shown and typed', async () => {
  const conversation = await openAsking();
  const { backend, controller, environment, notices, page, texts } = conversation;
  controller.setDraft(draftOf('My answer'));
  backend.threads.delete('a');
  page.wake('visible');
  await environment.settle();
  assert.deepEqual(texts(), ['Hello', 'Hm']);
  assert.equal(conversation.last().status, 'interrupted');
  assert.equal(conversation.last().failure?.code, 'not-found');
  assert.equal(request(conversation)?.state, 'pending');
  assert.equal(controller.getDraft().text, 'My answer');
  const errors = notices.flatMap((notice) => (notice.type === 'error' ? notice.error.code : []));
  assert.deepEqual(errors, ['not-found']);
});

test('a deleted thread whose run waits is interrupted', async () => {
  const { backend, controller, environment, page } = await askByTool();
  backend.threads.delete('thread-id-1');
  page.wake('visible');
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'interrupted');
  assert.equal(controller.thread.run.error?.code, 'not-found');
});

test('a tool whose question is still open keeps its run waiting without a word', async () => {
  const { backend, controller, environment, page, states, told } = await askByTool();
  const before = [...states];
  const notices = told();
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
  assert.deepEqual(told(), notices);
});

for (const [how, end] of [
  ['breaks', (conversation: Conversation) => conversation.backend.stream.fail()],
  ['is gone', ({ backend }: Conversation) => backend.stream.fail(new UbikError('not-found'))],
] as const) {
  test(`a tool's question stays open when the stream that is looked at ${how}`, async () => {
    const conversation = await askByTool();
    const { backend, controller, environment, page } = conversation;
    page.wake('visible');
    await environment.settle();
    end(conversation);
    await environment.advance(2 * MINUTE);
    assert.equal(backend.count('rejoin'), 1);
    assert.equal(controller.thread?.run.state, 'waiting');
  });
}

test('a tool whose question was answered elsewhere goes on in its message', async () => {
  const { backend, controller, environment, last, page, told } = await askByTool();
  const notices = told();
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
  backend.stream.say(0, 'Done');
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'streaming');
  backend.stream.finish('complete');
  await environment.settle();
  assert.equal(controller.thread.run.state, 'complete');
  assert.deepEqual(told(), [...notices, 'run-started', 'run-ended']);
  assert.equal(last().key, answer);
});

test('an answer of the person is sent while the stream is looked at', async () => {
  const { backend, controller, environment, last, page } = await askByTool();
  page.wake('visible');
  await environment.settle();
  const look = backend.stream;
  const sending = controller.provideInput(last().key, '@request:tool:execution-1', {
    type: 'text',
    text: '2026',
  });
  await environment.settle();
  assert.equal(look.signal.aborted, true);
  assert.equal(backend.stream.method, 'provideInput');
  backend.stream.begin();
  await sending;
});

test('a question is not checked after close', async () => {
  const { backend, controller, environment, page } = await openAsking();
  const reads = backend.count('loadThread');
  controller.close();
  page.wake('visible');
  await environment.advance(2 * MINUTE);
  assert.equal(backend.count('loadThread'), reads);
});
