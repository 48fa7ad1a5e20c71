import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InputRequest } from '../../../../src/backends/backend.js';
import { isUbikError } from '../../../../src/errors.js';
import { AGENT_REQUEST } from '../../../helpers/agent-request.js';
import {
  eventsAnswer,
  eventsResponse,
  HELLO,
  jsonResponse,
  KEYS,
  printEvents,
  SESSION,
  setupSession,
  signal,
} from '../support/ubik-session.js';

const NEXT = { thread: 't', user: 'u2', answer: 'next' };
const ANSWER = { type: 'text', text: '2025' } as const;

const askOfTool = (id: string) => ({
  type: 'tool_input_required',
  tool_execution_id: id,
  tool_name: 'ask',
  tool_input: { question: `Question ${id}?` },
});

const QUESTION: InputRequest = {
  ...AGENT_REQUEST,
  key: '@request:year',
  message: 'a',
  checkpointName: 'year',
};
const OF_TOOL: InputRequest = {
  ...QUESTION,
  key: '@request:tool:x1',
  level: 'tool',
  checkpointName: null,
  executionId: 'x1',
};

/** A session whose executions stand as said, with these messages; `events` come on every stream. */
function setup(
  events: readonly object[],
  executions: Readonly<Record<string, string>>,
  messages: readonly object[] = [],
) {
  const posts: string[] = [];
  const looked: string[] = [];
  const session = setupSession(({ method, url }) => {
    const path = new URL(url).pathname.replace('/v1', '');
    const [, kind = '', id = '', act] = path.split('/');
    if (method === 'POST') posts.push(path);
    if (act === 'provide-input') return jsonResponse({ detail: 'not waiting' }, 409);
    if (kind === 'tool-executions') {
      looked.push(id);
      const status = executions[id];
      return status ? jsonResponse({ id, status, inputs: {} }) : jsonResponse({}, 404);
    }
    if (method === 'POST' || act === 'stream') return eventsAnswer(events);
    if (act === undefined) return jsonResponse({ id: SESSION, title: 'A talk' });
    return jsonResponse({ items: messages });
  });
  return { ...session, session, posts, looked };
}

const send = (stage: ReturnType<typeof setup>) =>
  stage.session.read(
    stage.session.backend.send(SESSION, { text: 'Go', attachments: [] }, KEYS, signal),
  );
const stateOf = (stage: ReturnType<typeof setup>, key: string) => {
  const part = stage.session.answer.parts.get(key);
  return part?.kind === 'request-activity' ? part.state : undefined;
};
const codeOf = (error: unknown) => (isUbikError(error) ? error.code : error);

test('no second answer goes to an agent whose question was answered elsewhere', async () => {
  const ask = { type: 'input_required', checkpoint_name: 'year', prompt: 'Which year?' };
  const items = [
    { id: 'm1', role: 'user', content: 'Go', parent_id: null, task_id: 't1' },
    { id: 'm2', role: 'assistant', content: '…', parent_id: 'm1', task_id: 't1' },
    { id: 'm3', role: 'user', content: '2024', parent_id: 'm2' },
  ];
  const messages = items.slice(0, 2);
  const stage = setup([HELLO, ask], {}, messages);
  assert.equal(await send(stage), null);
  stage.posts.length = 0;
  messages.push(items[2] as never);
  const { backend } = stage.session;
  const refused = await stage.session.read(
    backend.provideInput(SESSION, QUESTION, ANSWER, NEXT, signal),
  );
  assert.equal(codeOf(refused), 'not-open');
  assert.deepEqual(stage.posts, []);
  messages.pop();
  await stage.session.read(backend.provideInput(SESSION, QUESTION, ANSWER, NEXT, signal));
  assert.deepEqual(stage.posts, ['/agent-sessions/s1/messages']);
});

for (const [status, code] of [
  ['completed', 'not-open'],
  ['running', 'not-open'],
  ['waiting_for_input', 'busy'],
  ['', 'busy'],
] as const) {
  test(`a tool that refuses an answer and is "${status}" means "${code}"`, async () => {
    const stage = setup([HELLO, askOfTool('x1')], { x1: 'waiting_for_input' });
    await send(stage);
    const later = setup([HELLO, askOfTool('x1')], { x1: status });
    await send(later);
    const refused = await later.session.read(
      later.session.backend.provideInput(SESSION, OF_TOOL, ANSWER, KEYS, signal),
    );
    assert.equal(codeOf(refused), code);
  });
}

test('of the questions that a replay tells, those are open whose tools still wait', async () => {
  const stage = setup([HELLO, askOfTool('x1'), askOfTool('x2'), askOfTool('x3')], {
    x1: 'running',
    x2: 'waiting_for_input',
  });
  const { backend } = stage.session;
  const run = { id: 't1', keys: KEYS, finishedRuns: [] };
  await stage.session.read(backend.rejoin(SESSION, run, signal));
  assert.equal(stateOf(stage, '@request:tool:x1'), 'answered');
  assert.equal(stateOf(stage, '@request:tool:x2'), 'pending');
  // What cannot be read tells nothing.
  assert.equal(stateOf(stage, '@request:tool:x3'), 'pending');
  assert.deepEqual(stage.looked, ['x1', 'x2', 'x3']);
  assert.equal(stage.session.answer.status, 'waiting');
});

test('a joined stream goes on while the look-up of its question has no answer', async () => {
  const stream = new TransformStream<Uint8Array, Uint8Array>();
  const writer = stream.writable.getWriter();
  const write = (events: readonly object[]) =>
    writer.write(new TextEncoder().encode(printEvents(events)));
  let answerLookUp: (response: Response) => void = () => undefined;
  const session = setupSession(({ url }) => {
    const { pathname } = new URL(url);
    if (pathname.endsWith('/stream')) return eventsResponse(stream.readable);
    if (pathname.endsWith('/messages')) return jsonResponse({ items: [] });
    return new Promise<Response>((resolve) => (answerLookUp = resolve));
  });
  const { backend, environment } = session;
  const textOf = () => session.answer.parts.get('/0:text')?.text?.read();
  const stateOfRequest = () => {
    const part = session.answer.parts.get('@request:tool:x1');
    return part?.kind === 'request-activity' ? part.state : undefined;
  };
  const run = { id: 't1', keys: KEYS, finishedRuns: [] };
  const taken = session.read(backend.rejoin(SESSION, run, signal));
  await write([HELLO, { type: 'response_chunk', content: 'Before.' }, askOfTool('x1')]);
  await environment.advance(1000);
  assert.equal(textOf(), 'Before.');
  assert.equal(stateOfRequest(), 'pending');

  await write([{ type: 'response_chunk', content: ' After.' }]);
  await environment.settle();
  assert.equal(textOf(), 'Before. After.');

  answerLookUp(jsonResponse({ id: 'x1', status: 'completed', inputs: {} }));
  await environment.settle();
  assert.equal(stateOfRequest(), 'answered');

  await write([{ type: 'agent_processing_complete', content: '' }]);
  assert.equal(await taken, null);
  assert.equal(session.answer.status, 'complete');
  assert.equal(environment.timers, 0);
});

test('the end of a joined run does not wait for the look-up of its question', async () => {
  const stream = new TransformStream<Uint8Array, Uint8Array>();
  const writer = stream.writable.getWriter();
  const write = (events: readonly object[]) =>
    writer.write(new TextEncoder().encode(printEvents(events)));
  const session = setupSession(({ url }) => {
    const { pathname } = new URL(url);
    if (pathname.endsWith('/stream')) return eventsResponse(stream.readable);
    if (pathname.endsWith('/messages')) return jsonResponse({ items: [] });
    return new Promise<Response>(() => undefined);
  });
  const run = { id: 't1', keys: KEYS, finishedRuns: [] };
  const taken = session.read(session.backend.rejoin(SESSION, run, signal));
  await write([HELLO, askOfTool('x1')]);
  await session.environment.advance(1000);
  await write([{ type: 'agent_processing_error', error: 'No.' }]);
  assert.equal(await taken, null);
  assert.equal(session.answer.status, 'failed');
});

test('a question that is asked now needs no look', async () => {
  const stage = setup([HELLO, askOfTool('x1')], { x1: 'running' });
  await send(stage);
  assert.equal(stateOf(stage, '@request:tool:x1'), 'pending');
  assert.deepEqual(stage.looked, []);
});

test('provideInput does not take a message for answered whose task is not known', async () => {
  const messages = [
    { id: 'm1', role: 'user', content: 'Go', parent_id: null },
    { id: 'm2', role: 'assistant', content: '…', parent_id: 'm1' },
  ];
  const stage = setup([HELLO], {}, messages);
  const { backend } = stage.session;
  await backend.loadThread(SESSION);
  messages.push({
    id: 'm3',
    role: 'user',
    content: '2024',
    parent_id: 'm2',
    task_id: 't2',
  } as never);
  await stage.session.read(backend.provideInput(SESSION, QUESTION, ANSWER, NEXT, signal));
  assert.deepEqual(stage.posts, ['/agent-sessions/s1/messages']);
});
