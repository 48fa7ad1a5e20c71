import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InputAnswer, InputRequest } from '../../../../src/backends/backend.js';
import type { UbikBackendOptions } from '../../../../src/backends/ubik/index.js';
import { AGENT_REQUEST } from '../../../helpers/agent-request.js';
import {
  eventsAnswer,
  HELLO,
  jsonResponse,
  KEYS,
  SESSION,
  setupSession,
  signal,
  type UbikSession,
} from '../support/ubik-session.js';

const DRAFT = { text: 'Go', attachments: [] };
const ASK = {
  type: 'input_required',
  checkpoint_name: 'mail',
  prompt: 'Email?',
  input_types: ['text'],
};
const TOOL_ASK = {
  type: 'tool_input_required',
  tool_execution_id: 'x1',
  tool_name: 'confirm',
  tool_input: { question: 'Proceed?', options: ['yes', 'no'], schema: { type: 'string' } },
  timeout: 60,
  timestamp: '2026-01-01T00:00:10Z',
};
const DONE = { type: 'agent_processing_complete', content: '' };

const AGENT: InputRequest = {
  ...AGENT_REQUEST,
  key: '@request:mail',
  message: 'a',
  checkpointName: 'mail',
  prompt: 'Email?',
};
const TOOL: InputRequest = {
  ...AGENT,
  key: '@request:tool:x1',
  level: 'tool',
  checkpointName: null,
  executionId: 'x1',
};

interface Asked extends UbikSession {
  readonly posts: {
    readonly path: string;
    readonly body: string;
    readonly form: FormData | null;
  }[];
}

async function setupAsked(
  asking: readonly object[],
  going: readonly object[],
  options: Partial<UbikBackendOptions> = {},
): Promise<Asked> {
  const posts: { path: string; body: string; form: FormData | null }[] = [];
  let asked = false;
  const session = setupSession(async (request) => {
    const path = new URL(request.url).pathname.replace('/v1', '');
    if (path.endsWith('/stream')) return eventsAnswer(going);
    if (request.method !== 'POST') return jsonResponse({ items: [] });
    const isForm = request.headers.get('content-type')?.startsWith('multipart') ?? false;
    const form = isForm ? await request.formData() : null;
    posts.push({ path, body: isForm ? '' : await request.text(), form });
    if (path.endsWith('/provide-input')) return new Response(null, { status: 202 });
    if (asked) return eventsAnswer(going);
    asked = true;
    return eventsAnswer(asking);
  }, options);
  assert.equal(await session.read(session.backend.send(SESSION, DRAFT, KEYS, signal)), null);
  assert.equal(session.answer.status, 'waiting');
  posts.length = 0;
  return Object.assign(Object.create(session) as UbikSession, { posts });
}

function stateOf(session: UbikSession, key: string): string | undefined {
  const part = session.answer.parts.get(key);
  return part?.kind === 'request-activity' ? part.state : undefined;
}

const NEXT = { thread: 't', user: null, answer: 'next' };

test('an agent is answered by the next message, and goes on in a new run', async () => {
  const session = await setupAsked([HELLO, ASK], [{ ...HELLO, task_id: 't2' }, DONE]);
  const answer: InputAnswer = { type: 'text', text: 'ada@example.com' };
  const error = await session.read(
    session.backend.provideInput(SESSION, AGENT, answer, NEXT, signal),
  );
  assert.equal(error, null);
  assert.deepEqual(
    session.posts.map(({ path, body }) => [path, body]),
    [['/agent-sessions/s1/messages', '{"content":"ada@example.com","stream":true}']],
  );
  assert.equal(stateOf(session, '@request:mail'), 'answered');
  const part = session.answer.parts.get('request:mail');
  assert.equal(
    part?.kind === 'input-request' ? part.answer : null,
    '{"input":"ada@example.com","type":"text"}',
  );
  assert.equal(session.thread.run.id, 't2');
});

test('a strategy can answer by the checkpoint', async () => {
  const session = await setupAsked([HELLO, ASK], [{ ...HELLO, task_id: 't2' }, DONE], {
    answerInput: () => ({ by: 'checkpoint', hint: 'It is Ada.' }),
  });
  const answer: InputAnswer = { type: 'text', text: 'x' };
  await session.read(session.backend.provideInput(SESSION, AGENT, answer, NEXT, signal));
  assert.deepEqual(
    session.posts.map(({ path, body }) => [path, body]),
    [
      [
        '/agent-sessions/s1/navigate-to-checkpoint',
        '{"checkpoint_name":"mail","checkpoint_hint":"It is Ada.","stream":true}',
      ],
    ],
  );
});

test('a refused answer leaves the question open', async () => {
  const session = setupSession((request) =>
    request.method === 'POST' ? jsonResponse({ detail: 'Busy' }, 409) : jsonResponse({ items: [] }),
  );
  const answer: InputAnswer = { type: 'text', text: 'x' };
  const run = session.backend.provideInput(SESSION, AGENT, answer, NEXT, signal);
  assert.equal((await session.read(run))?.code, 'busy');
  assert.deepEqual(session.batches, []);
});

const FORMS: readonly [InputAnswer, string | null, string | null][] = [
  [{ type: 'text', text: 'yes' }, '{"input":"yes","type":"text"}', null],
  [{ type: 'json', value: { a: [1] } }, '{"input":{"a":[1]},"type":"json"}', null],
  [{ type: 'declined', text: 'No.' }, '{"input":null,"type":"declined"}', null],
  [{ type: 'file', file: new File(['x'], 'a.txt') }, null, 'a.txt'],
  [
    { type: 'file', file: new File(['x'], 'a.txt'), text: 'Here' },
    '{"input":"Here","type":"file"}',
    'a.txt',
  ],
];

for (const [answer, json, file] of FORMS) {
  test(`a tool is answered by a form: ${answer.type} ${json ?? 'alone'}`, async () => {
    const going = [HELLO, TOOL_ASK, { type: 'response_chunk', content: 'Thanks.' }, DONE];
    const session = await setupAsked([HELLO, TOOL_ASK], going);
    const run = session.backend.provideInput(SESSION, TOOL, answer, KEYS, signal);
    assert.equal(await session.read(run), null);
    const [post] = session.posts;
    assert.equal(session.posts.length, 1);
    assert.equal(post?.path, '/tool-executions/x1/provide-input');
    assert.equal(post?.form?.get('input_data_json') ?? null, json);
    const sent = post?.form?.get('file');
    assert.equal(sent instanceof File ? sent.name : null, file);
    assert.equal(stateOf(session, '@request:tool:x1'), 'answered');
    assert.equal(session.answer.status, 'complete');
  });
}

test('the question of a tool brings its choices, its schema and a limit counted from its own time', async () => {
  const session = await setupAsked([HELLO, TOOL_ASK], []);
  const part = session.answer.parts.get('@request:tool:x1');
  assert.ok(part?.kind === 'request-activity');
  assert.deepEqual(part.options, ['yes', 'no']);
  assert.deepEqual(part.schema, { type: 'string' });
  assert.equal(part.prompt, 'Proceed?');
  assert.equal(part.deadline, Date.UTC(2026, 0, 1, 0, 1, 10));
});

test('an answered question stays answered when the run is put in order again', async () => {
  const late = { type: 'response_chunk', content: 'Before. ', timestamp: '2026-01-01T00:00:05Z' };
  const after = { type: 'response_chunk', content: 'After.', timestamp: '2026-01-01T00:00:11Z' };
  const session = await setupAsked([HELLO, TOOL_ASK], [HELLO, TOOL_ASK, after, late, DONE]);
  const answer: InputAnswer = { type: 'text', text: 'yes' };
  await session.read(session.backend.provideInput(SESSION, TOOL, answer, KEYS, signal));
  assert.equal(stateOf(session, '@request:tool:x1'), 'answered');
  assert.equal(session.answer.parts.get('/0:text')?.text?.read(), 'Before. After.');
  assert.equal(session.answer.status, 'complete');
});
