import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InputRequest } from '../../../../src/backends/backend.js';
import { isUbikError } from '../../../../src/errors.js';
import { AGENT_REQUEST as STORED_REQUEST } from '../../../helpers/agent-request.js';
import { jsonResponse } from '../../../helpers/http-client.js';
import {
  eventsResponse,
  streamResponse,
  HELLO,
  KEYS,
  printEvents,
  SESSION,
  setupSession,
  signal,
} from '../support/ubik-session.js';

const NEXT = { thread: 't', user: 'u2', answer: 'next' };
const ANSWER = { type: 'text', text: '2025' } as const;

const createToolRequest = (id: string) => ({
  type: 'tool_input_required',
  tool_execution_id: id,
  tool_name: 'ask',
  tool_input: { question: `Question ${id}?` },
});

const AGENT_REQUEST: InputRequest = {
  ...STORED_REQUEST,
  key: '@request:year',
  message: 'a',
  checkpointName: 'year',
};
const TOOL_REQUEST: InputRequest = {
  ...AGENT_REQUEST,
  key: '@request:tool:x1',
  level: 'tool',
  checkpointName: null,
  executionId: 'x1',
};

/** A session with these executions by id and status and these messages. Every stream has `events`. Answers of tools are rejected with the status `refusal`. */
function setup(
  events: readonly object[],
  executions: Readonly<Record<string, string>>,
  messages: readonly object[] = [],
  refusal = 409,
) {
  const posts: string[] = [];
  const lookups: string[] = [];
  const session = setupSession(({ method, url }) => {
    const path = new URL(url).pathname.replace('/v1', '');
    const [, kind = '', id = '', action] = path.split('/');
    if (method === 'POST') posts.push(path);
    if (action === 'provide-input') return jsonResponse({ detail: 'not waiting' }, refusal);
    if (kind === 'tool-executions') {
      lookups.push(id);
      const status = executions[id];
      return status ? jsonResponse({ id, status, inputs: {} }) : jsonResponse({}, 404);
    }
    if (method === 'POST' || action === 'stream') return eventsResponse(events);
    if (action === undefined) return jsonResponse({ id: SESSION, title: 'A thread' });
    return jsonResponse({ items: messages });
  });
  return { ...session, session, posts, lookups };
}

const send = (fixture: ReturnType<typeof setup>) =>
  fixture.session.read(
    fixture.session.backend.send(SESSION, { text: 'Go', attachments: [] }, KEYS, signal),
  );
const stateOf = (fixture: ReturnType<typeof setup>, key: string) => {
  const part = fixture.session.answer.parts.get(key);
  return part?.kind === 'request-activity' ? part.state : undefined;
};
const codeOf = (error: unknown) => (isUbikError(error) ? error.code : error);

test('provideInput rejects with not-open when the request of the agent was answered elsewhere', async () => {
  const ask = { type: 'input_required', checkpoint_name: 'year', prompt: 'Which year?' };
  const items = [
    { id: 'm1', role: 'user', content: 'Go', parent_id: null, task_id: 't1' },
    { id: 'm2', role: 'assistant', content: '…', parent_id: 'm1', task_id: 't1' },
    { id: 'm3', role: 'user', content: '2024', parent_id: 'm2' },
  ];
  const messages = items.slice(0, 2);
  const fixture = setup([HELLO, ask], {}, messages);
  assert.equal(await send(fixture), null);
  fixture.posts.length = 0;
  messages.push(items[2] as never);
  const { backend } = fixture.session;
  const error = await fixture.session.read(
    backend.provideInput(SESSION, AGENT_REQUEST, ANSWER, NEXT, signal),
  );
  assert.equal(codeOf(error), 'not-open');
  assert.deepEqual(fixture.posts, []);
  messages.pop();
  await fixture.session.read(backend.provideInput(SESSION, AGENT_REQUEST, ANSWER, NEXT, signal));
  assert.deepEqual(fixture.posts, ['/agent-sessions/s1/messages']);
});

for (const [isLoaded, code] of [
  [true, 'not-open'],
  [false, null],
] as const) {
  test(`provideInput ${isLoaded ? 'rejects with not-open when another branch is active since the message that asks was loaded' : 'answers a request whose message is not stored yet'}`, async () => {
    const ask = { type: 'input_required', checkpoint_name: 'year', prompt: 'Which year?' };
    const asked = { id: 'm1', role: 'user', content: 'Go', parent_id: null };
    const asking = { id: 'm2', role: 'assistant', content: '…', parent_id: 'm1', task_id: 't1' };
    const other = { ...asking, id: 'm3', task_id: 't9' };
    const messages: object[] = [asked, ...(isLoaded ? [asking] : [])];
    const fixture = setup([HELLO, ask], {}, messages);
    const { backend, read } = fixture.session;
    await send(fixture);
    if (isLoaded) {
      await backend.loadThread(SESSION);
      messages.splice(1, 1, other);
    }
    fixture.posts.length = 0;
    const error = await read(backend.provideInput(SESSION, AGENT_REQUEST, ANSWER, NEXT, signal));
    assert.equal(error && codeOf(error), code);
    assert.equal(fixture.posts.length, isLoaded ? 0 : 1);
  });
}

test('a run whose tool was answered elsewhere is unfinished in a page that has only loaded it', async () => {
  const asked = { id: 'm1', role: 'user', content: 'Go', parent_id: null };
  const asking = { id: 'm2', role: 'assistant', content: 'Hm', parent_id: 'm1', task_id: 't1' };
  const events = [HELLO, { type: 'response_chunk', content: 'Hm, yes.' }];
  const end = { type: 'agent_processing_complete', content: '' };
  const fixture = setup([...events, end], { x1: 'running' }, [asked, asking]);
  const { backend, read } = fixture.session;
  assert.equal((await backend.loadThread(SESSION)).unfinishedRun, null);
  const error = await read(backend.provideInput(SESSION, TOOL_REQUEST, ANSWER, KEYS, signal));
  assert.equal(codeOf(error), 'not-open');
  const { unfinishedRun } = await backend.loadThread(SESSION);
  assert.equal(unfinishedRun?.id, 't1');
  const run = { id: 't1', keys: KEYS, otherRunIds: [] };
  assert.equal(await read(backend.rejoin(SESSION, run, signal)), null);
  assert.equal(fixture.session.answer.parts.get('/0:text')?.text?.read(), 'Hm, yes.');
  assert.equal(fixture.session.answer.status, 'complete');
  assert.equal((await backend.loadThread(SESSION)).unfinishedRun, null);
});

for (const [status, refusal, code] of [
  ['completed', 409, 'not-open'],
  ['completed', 404, 'not-open'],
  ['completed', 403, 'forbidden'],
  ['running', 409, 'not-open'],
  ['waiting_for_input', 409, 'busy'],
  ['', 409, 'busy'],
] as const) {
  test(`provideInput rejects with ${code} when a tool rejects the answer with ${String(refusal)} and its status is "${status}"`, async () => {
    const fixture = setup([HELLO, createToolRequest('x1')], { x1: status }, [], refusal);
    await send(fixture);
    const error = await fixture.session.read(
      fixture.session.backend.provideInput(SESSION, TOOL_REQUEST, ANSWER, KEYS, signal),
    );
    assert.equal(codeOf(error), code);
  });
}

test('rejoin marks requests of tools that no longer wait for input as answered, and keeps the others pending', async () => {
  const fixture = setup(
    [HELLO, createToolRequest('x1'), createToolRequest('x2'), createToolRequest('x3')],
    {
      x1: 'running',
      x2: 'waiting_for_input',
    },
  );
  const { backend } = fixture.session;
  const run = { id: 't1', keys: KEYS, otherRunIds: [] };
  await fixture.session.read(backend.rejoin(SESSION, run, signal));
  assert.equal(stateOf(fixture, '@request:tool:x1'), 'answered');
  assert.equal(stateOf(fixture, '@request:tool:x2'), 'pending');
  // A failed lookup changes nothing.
  assert.equal(stateOf(fixture, '@request:tool:x3'), 'pending');
  assert.deepEqual(fixture.lookups, ['x1', 'x2', 'x3']);
  assert.equal(fixture.session.answer.status, 'waiting');
});

test('rejoin continues the stream while the lookup of a request is pending', async () => {
  const stream = new TransformStream<Uint8Array, Uint8Array>();
  const writer = stream.writable.getWriter();
  const write = (events: readonly object[]) =>
    writer.write(new TextEncoder().encode(printEvents(events)));
  let resolveLookup: (response: Response) => void = () => undefined;
  const session = setupSession(({ url }) => {
    const { pathname } = new URL(url);
    if (pathname.endsWith('/stream')) return streamResponse(stream.readable);
    if (pathname.endsWith('/messages')) return jsonResponse({ items: [] });
    return new Promise<Response>((resolve) => (resolveLookup = resolve));
  });
  const { backend, environment } = session;
  const textOf = () => session.answer.parts.get('/0:text')?.text?.read();
  const stateOfRequest = () => {
    const part = session.answer.parts.get('@request:tool:x1');
    return part?.kind === 'request-activity' ? part.state : undefined;
  };
  const run = { id: 't1', keys: KEYS, otherRunIds: [] };
  const reading = session.read(backend.rejoin(SESSION, run, signal));
  await write([HELLO, { type: 'response_chunk', content: 'Before.' }, createToolRequest('x1')]);
  await environment.advance(1000);
  assert.equal(textOf(), 'Before.');
  assert.equal(stateOfRequest(), 'pending');

  await write([{ type: 'response_chunk', content: ' After.' }]);
  await environment.settle();
  assert.equal(textOf(), 'Before. After.');

  resolveLookup(jsonResponse({ id: 'x1', status: 'completed', inputs: {} }));
  await environment.settle();
  assert.equal(stateOfRequest(), 'answered');

  await write([{ type: 'agent_processing_complete', content: '' }]);
  assert.equal(await reading, null);
  assert.equal(session.answer.status, 'complete');
  assert.equal(environment.timers, 0);
});

test('rejoin ends the run without waiting for the lookup of a request', async () => {
  const stream = new TransformStream<Uint8Array, Uint8Array>();
  const writer = stream.writable.getWriter();
  const write = (events: readonly object[]) =>
    writer.write(new TextEncoder().encode(printEvents(events)));
  const session = setupSession(({ url }) => {
    const { pathname } = new URL(url);
    if (pathname.endsWith('/stream')) return streamResponse(stream.readable);
    if (pathname.endsWith('/messages')) return jsonResponse({ items: [] });
    return new Promise<Response>(() => undefined);
  });
  const run = { id: 't1', keys: KEYS, otherRunIds: [] };
  const reading = session.read(session.backend.rejoin(SESSION, run, signal));
  await write([HELLO, createToolRequest('x1')]);
  await session.environment.advance(1000);
  await write([{ type: 'agent_processing_error', error: 'No.' }]);
  assert.equal(await reading, null);
  assert.equal(session.answer.status, 'failed');
});

test('send does not look up a new request', async () => {
  const fixture = setup([HELLO, createToolRequest('x1')], { x1: 'running' });
  await send(fixture);
  assert.equal(stateOf(fixture, '@request:tool:x1'), 'pending');
  assert.deepEqual(fixture.lookups, []);
});

test('provideInput answers a request of the agent when the task of the message that asks is unknown', async () => {
  const messages = [
    { id: 'm1', role: 'user', content: 'Go', parent_id: null },
    { id: 'm2', role: 'assistant', content: '…', parent_id: 'm1' },
  ];
  const fixture = setup([HELLO], {}, messages);
  const { backend } = fixture.session;
  await backend.loadThread(SESSION);
  messages.push({
    id: 'm3',
    role: 'user',
    content: '2024',
    parent_id: 'm2',
    task_id: 't2',
  } as never);
  await fixture.session.read(backend.provideInput(SESSION, AGENT_REQUEST, ANSWER, NEXT, signal));
  assert.deepEqual(fixture.posts, ['/agent-sessions/s1/messages']);
});
