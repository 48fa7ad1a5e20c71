import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InputRequest } from '../../src/backends/backend.js';
import { AGENT_REQUEST } from '../helpers/agent-request.js';
import { contentOf, stored } from './scripted-backend.js';
import { queued, sent } from './queue-stage.js';
import { setupConversation, type Conversation } from './setup-conversation.js';

/** Opens a thread in whose history the agent asks. */
async function openHistory(
  conversation: Conversation,
  request = AGENT_REQUEST,
): Promise<Conversation> {
  const asking = { ...stored('m2', 'assistant', 'Hm'), requests: [request] };
  const content = contentOf('a', [stored('m1', 'user', 'Hello'), asking]);
  conversation.backend.threads.set('a', content);
  await conversation.controller.openThread('a');
  return conversation;
}

/** A conversation in which the agent waits for an answer until `deadline`. */
function openAsked(deadlineOf: (now: number) => number): Promise<Conversation> {
  const conversation = setupConversation();
  const deadline = deadlineOf(conversation.environment.now());
  return openHistory(conversation, { ...AGENT_REQUEST, deadline });
}

/** A conversation in which an event has asked, with everything that only it says. */
async function askLive(isOpen = false): Promise<Conversation> {
  const conversation = setupConversation();
  const { backend, controller } = conversation;
  backend.threads.set('a', contentOf('a', []));
  await controller.openThread('a');
  await conversation.start('Hello');
  await pushQuestion(conversation, { options: [1, 2], schema: { type: 'integer' } }, isOpen);
  return conversation;
}

/** The agent asks, with a minute's time, and its stream ends unless it stays open. */
async function pushQuestion(
  { backend, environment }: Conversation,
  told: Pick<Partial<InputRequest>, 'options' | 'schema'> = {},
  isOpen = false,
): Promise<void> {
  const { key: part, message: _, ...question } = AGENT_REQUEST;
  const { stream } = backend;
  stream.push({
    type: 'part',
    part,
    message: stream.keys.answer,
    parent: '@activity',
    before: null,
    value: {
      ...question,
      ...told,
      deadline: environment.now() + 60_000,
      toolName: null,
      part: null,
      kind: 'request-activity',
      state: 'pending',
    },
  });
  if (!isOpen) stream.finish('waiting');
  await environment.settle();
}

function requestOf({ last }: Conversation) {
  const part = last().parts.get('@request:c1');
  return part?.kind === 'request-activity' ? part : undefined;
}

const stateOf = (conversation: Conversation) => requestOf(conversation)?.state;

test('a question expires at its time, and is no longer answered by a message', async () => {
  const conversation = await openAsked((now) => now + 60_000);
  const { environment, controller } = conversation;
  await environment.advance(59_000);
  assert.equal(stateOf(conversation), 'pending');
  await environment.advance(1_000);
  assert.equal(stateOf(conversation), 'expired');
  const { key } = conversation.last();
  await assert.rejects(
    controller.provideInput(key, '@request:c1', { type: 'text', text: '2025' }),
    { code: 'misuse' },
  );
});

test('a question whose time was over before it was read has expired', async () => {
  const conversation = await openAsked((now) => now - 1);
  await conversation.environment.advance(0);
  assert.equal(stateOf(conversation), 'expired');
  const told = conversation.notices.map(({ type }) => type);
  assert.ok(!told.includes('input-required'), 'nobody is asked what can not be answered');
});

test('choices, schema and deadline of a question outlive the page', async () => {
  const { environment } = await askLive();
  const deadline = environment.now() + 60_000;
  const after = await openHistory(setupConversation({ environment }));
  const { options, schema, deadline: kept } = requestOf(after) ?? {};
  assert.deepEqual([options, schema, kept], [[1, 2], { type: 'integer' }, deadline]);
  await environment.advance(60_000);
  assert.equal(stateOf(after), 'expired');
});

test('another question at the same place has none of them', async () => {
  const { environment } = await askLive();
  const other = { ...AGENT_REQUEST, prompt: 'Which month?' };
  const after = await openHistory(setupConversation({ environment }), other);
  assert.deepEqual(requestOf(after)?.options, null);
});

test('what was kept of a question is not shown to somebody else', async () => {
  const { environment } = await askLive();
  const after = await openHistory(setupConversation({ environment, userKey: 'user-2' }));
  assert.deepEqual(requestOf(after)?.options, null);
});

test('nothing is kept of the questions of a thread that was deleted', async () => {
  const { environment, controller } = await askLive();
  await controller.deleteThread('a');
  await environment.settle();
  const after = await openHistory(setupConversation({ environment }));
  assert.deepEqual(requestOf(after)?.options, null);
});

test('what the service says of a question counts for more than what was kept', async () => {
  const { environment } = await askLive();
  const told = { ...AGENT_REQUEST, options: [3] };
  const after = await openHistory(setupConversation({ environment }), told);
  assert.deepEqual(requestOf(after)?.options, [3]);
});

test('a conversation that is closed waits for no deadline', async () => {
  const { controller, environment } = await openAsked((now) => now + 60_000);
  controller.close();
  assert.equal(environment.timers, 0);
});

/** A run that waits with a question, and a message behind it. `stored`: what the service says once the time is over. */
async function setupExpiry(stored: Parameters<typeof contentOf>) {
  const conversation = setupConversation();
  const { backend, controller } = conversation;
  await conversation.start('Hello');
  await controller.enqueue({ text: 'Afterwards', attachments: [] });
  await pushQuestion(conversation);
  assert.equal(controller.thread?.run.state, 'waiting');
  backend.threads.set('thread-id-1', contentOf(...stored));
  return conversation;
}

const ASKED = stored('m1', 'user', 'Hello');
const ASKING = stored('m2', 'assistant', 'Hm', { taskId: 'task-1' });

test('a run whose question has expired is over, and what waits behind it is sent', async () => {
  const conversation = await setupExpiry(['thread-id-1', [ASKED, ASKING]]);
  const { backend, environment, controller } = conversation;
  const reads = backend.count('loadThread');
  await environment.advance(60_000);
  assert.equal(backend.count('loadThread'), reads + 1);
  assert.deepEqual(sent(conversation), ['Hello', 'Afterwards']);
  backend.stream.begin('task-2');
  await environment.settle();
  assert.equal(controller.thread?.run.id, 'task-2');
  assert.deepEqual(queued(conversation), []);
});

test('a run that goes on when its question has expired is joined', async () => {
  const conversation = await setupExpiry(['thread-id-1', [ASKED, ASKING], 'task-1']);
  const { backend, environment, controller } = conversation;
  await environment.advance(60_000);
  assert.equal(backend.stream.method, 'rejoin');
  backend.stream.begin('task-1');
  await environment.settle();
  assert.equal(controller.thread?.run.state, 'streaming');
  assert.deepEqual(sent(conversation), ['Hello']);
  backend.stream.finish('complete');
  await environment.settle();
  assert.deepEqual(sent(conversation), ['Hello', 'Afterwards']);
});

test('a service whose clock is behind is asked again, and not for ever', async () => {
  const waiting = { ...ASKING, requests: [AGENT_REQUEST] };
  const conversation = await setupExpiry(['thread-id-1', [ASKED, waiting]]);
  const { backend, environment, controller } = conversation;
  await environment.advance(60_000);
  assert.equal(controller.thread?.run.state, 'waiting', 'the service has the last word');
  backend.threads.set('thread-id-1', contentOf('thread-id-1', [ASKED, ASKING]));
  await environment.advance(1_000);
  assert.deepEqual(sent(conversation), ['Hello', 'Afterwards']);
  const other = await setupExpiry(['thread-id-1', [ASKED, waiting]]);
  await other.environment.advance(3_600_000);
  assert.equal(other.environment.timers, 0);
  assert.deepEqual(sent(other), ['Hello']);
});

test('a question that expires while its stream is open is looked up when the stream ends', async () => {
  const conversation = await askLive(true);
  const { backend, controller, environment } = conversation;
  for (const _ of [1, 2]) {
    await environment.advance(30_000);
    backend.stream.beat();
  }
  assert.equal(stateOf(conversation), 'expired');
  const messages = [stored('m1', 'user', 'Hello'), stored('m2', 'assistant', 'Never mind.')];
  backend.threads.set('a', contentOf('a', messages));
  const before = backend.count('loadThread');
  backend.stream.finish('waiting');
  await environment.settle();
  assert.ok(backend.count('loadThread') > before);
  assert.equal(controller.thread?.run.state, 'complete');
});

test('an answered question is no longer waited for', async () => {
  const { controller, environment, last } = await openAsked((now) => now + 86_400_000);
  const { timers } = environment;
  const { key } = last();
  const request = AGENT_REQUEST.key;
  const sent = controller.provideInput(key, request, { type: 'text', text: '2020' });
  await environment.settle();
  controller.detach();
  await sent.catch(() => undefined);
  assert.ok(timers >= 1);
  controller.close();
  assert.equal(environment.timers, 0);
});

test('questions leave no listener and no timer behind', async () => {
  const conversation = setupConversation();
  const { backend, environment, start } = conversation;
  await start();
  const { key: _, message: __, ...question } = AGENT_REQUEST;
  const { answer } = backend.stream.keys;
  const before = environment.timers;
  for (let count = 0; count < 50; count += 1) {
    const part = `@request-${count}`;
    const deadline = environment.now() + 86_400_000;
    backend.stream.push({
      type: 'part',
      message: answer,
      part,
      parent: '@activity',
      before: null,
      value: {
        ...question,
        kind: 'request-activity',
        toolName: null,
        part: null,
        state: 'pending',
        deadline,
      },
    });
    backend.stream.push({ type: 'set', message: answer, part, path: ['state'], value: 'answered' });
  }
  await environment.settle();
  assert.equal(environment.timers, before);
});
