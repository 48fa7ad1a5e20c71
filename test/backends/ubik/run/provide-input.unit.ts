import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InputAnswer, InputRequest } from '../../../../src/backends/backend.js';
import type { UbikBackendOptions } from '../../../../src/backends/ubik/index.js';
import { AGENT_REQUEST as STORED_REQUEST } from '../../../helpers/agent-request.js';
import { jsonResponse } from '../../../helpers/http-client.js';
import {
  eventsResponse,
  HELLO,
  KEYS,
  SESSION,
  setupSession,
  signal,
  type UbikSession,
} from '../support/ubik-session.js';

const DRAFT = { text: 'Go', attachments: [] };
const AGENT_EVENT = {
  type: 'input_required',
  checkpoint_name: 'mail',
  prompt: 'Email?',
  input_types: ['text'],
};
const TOOL_EVENT = {
  type: 'tool_input_required',
  tool_execution_id: 'x1',
  tool_name: 'confirm',
  tool_input: { question: 'Proceed?', options: ['yes', 'no'], schema: { type: 'string' } },
  timeout: 60,
  timestamp: '2026-01-01T00:00:10Z',
};
const END = { type: 'agent_processing_complete', content: '' };

const AGENT_REQUEST: InputRequest = {
  ...STORED_REQUEST,
  key: '@request:mail',
  message: 'a',
  checkpointName: 'mail',
  prompt: 'Email?',
};
const TOOL_REQUEST: InputRequest = {
  ...AGENT_REQUEST,
  key: '@request:tool:x1',
  level: 'tool',
  checkpointName: null,
  executionId: 'x1',
};

interface RequestSession extends UbikSession {
  readonly posts: {
    readonly path: string;
    readonly body: string;
    readonly form: FormData | null;
  }[];
  /** Statuses with which the next messages and removals are refused; 0 for no response to a removal. */
  readonly refusals: number[];
}

async function setupRequest(
  requestEvents: readonly object[],
  continuation: readonly object[],
  options: Partial<UbikBackendOptions> = {},
  upload: () => Response = () => jsonResponse({ id: 'd1', name: 'a.txt', status: 'pending' }),
): Promise<RequestSession> {
  const posts: { path: string; body: string; form: FormData | null }[] = [];
  const refusals: number[] = [];
  let isRequested = false;
  const session = setupSession(async (request) => {
    const path = new URL(request.url).pathname.replace('/v1', '');
    if (path.endsWith('/stream')) return eventsResponse(continuation);
    const isRefused = request.method === 'DELETE' && refusals.length > 0;
    if (isRefused && refusals.at(-1) === 0) throw new TypeError(`Failed: ${refusals.pop()}`);
    if (isRefused) return jsonResponse({}, refusals.pop());
    if (request.method !== 'POST') return jsonResponse({ items: [] });
    const isForm = request.headers.get('content-type')?.startsWith('multipart') ?? false;
    const form = isForm ? await request.formData() : null;
    posts.push({ path, body: isForm ? '' : await request.text(), form });
    if (path.endsWith('/upload')) return upload();
    const refusal = refusals.pop();
    if (refusal) return jsonResponse({}, refusal);
    if (path.endsWith('/provide-input')) return new Response(null, { status: 202 });
    if (isRequested) return eventsResponse(continuation);
    isRequested = true;
    return eventsResponse(requestEvents);
  }, options);
  assert.equal(await session.read(session.backend.send(SESSION, DRAFT, KEYS, signal)), null);
  assert.equal(session.answer.status, 'waiting');
  posts.length = 0;
  return Object.assign(Object.create(session) as UbikSession, { posts, refusals });
}

function stateOf(session: UbikSession, key: string): string | undefined {
  const part = session.answer.parts.get(key);
  return part?.kind === 'request-activity' ? part.state : undefined;
}

const NEXT = { thread: 't', user: null, answer: 'next' };

test('provideInput answers a request of the agent by a message, which starts a new run', async () => {
  const session = await setupRequest([HELLO, AGENT_EVENT], [{ ...HELLO, task_id: 't2' }, END]);
  const answer: InputAnswer = { type: 'text', text: 'ada@example.com' };
  const error = await session.read(
    session.backend.provideInput(SESSION, AGENT_REQUEST, answer, NEXT, signal),
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

test('provideInput uploads a file for a request of the agent and attaches it to the message', async () => {
  const session = await setupRequest([HELLO, AGENT_EVENT], [{ ...HELLO, task_id: 't2' }, END]);
  const answer: InputAnswer = { type: 'file', file: new File(['x'], 'a.txt') };
  const keys = { ...NEXT, user: 'given' };
  const run = session.backend.provideInput(SESSION, AGENT_REQUEST, answer, keys, signal);
  assert.equal(await session.read(run), null);
  assert.deepEqual(
    session.posts.map(({ path, body }) => [path, body]),
    [
      ['/agent-sessions/s1/upload', ''],
      [
        '/agent-sessions/s1/messages',
        '{"content":"a.txt","attachment_document_ids":["d1"],"stream":true}',
      ],
    ],
  );
  const sent = session.posts[0]?.form?.get('file');
  assert.equal(sent instanceof File ? await sent.text() : null, 'x');
  const [attachment] = session.thread.messages.get('given')?.attachments ?? [];
  assert.deepEqual([attachment?.id, attachment?.name], ['d1', 'a.txt']);
  assert.deepEqual([...session.thread.list('documents').keys()], ['d1']);
});

test('provideInput does not upload a file again when its message, which the service has refused, is sent again', async () => {
  const session = await setupRequest([HELLO, AGENT_EVENT], [{ ...HELLO, task_id: 't2' }, END]);
  const answer: InputAnswer = { type: 'file', file: new File(['x'], 'a.txt') };
  const provide = () =>
    session.read(session.backend.provideInput(SESSION, AGENT_REQUEST, answer, NEXT, signal));
  session.refusals.push(429);
  assert.equal((await provide())?.code, 'rate-limited');
  assert.equal(await provide(), null);
  const paths = session.posts.map(({ path }) => path.replace('/agent-sessions/s1/', ''));
  assert.deepEqual(paths, ['upload', 'messages', 'messages']);
  assert.match(session.posts[2]?.body ?? '', /"attachment_document_ids":\["d1"\]/);
});

for (const [what, refusal, isAgain] of [
  ['was removed', null, true],
  ['was removed elsewhere', 404, true],
  ['may have been removed', 0, true],
  ['could not be removed', 500, false],
] as const) {
  test(`provideInput uploads a file ${isAgain ? 'again' : 'once'} when its document ${what} before the answer is sent again`, async () => {
    const session = await setupRequest([HELLO, AGENT_EVENT], [{ ...HELLO, task_id: 't2' }, END]);
    const answer: InputAnswer = { type: 'file', file: new File(['x'], 'a.txt') };
    const provide = () =>
      session.read(session.backend.provideInput(SESSION, AGENT_REQUEST, answer, NEXT, signal));
    session.refusals.push(429);
    await provide();
    if (refusal !== null) session.refusals.push(refusal);
    await session.backend.unlinkDocument(SESSION, 'd1').catch(() => undefined);
    assert.deepEqual(session.refusals, []);
    assert.equal(await provide(), null);
    const paths = session.posts.map(({ path }) => path.replace('/agent-sessions/s1/', ''));
    assert.deepEqual(paths, ['upload', 'messages', ...(isAgain ? ['upload'] : []), 'messages']);
  });
}

test('provideInput sends no message when the upload of its file is aborted', async () => {
  const aborting = new AbortController();
  const session = await setupRequest([HELLO, AGENT_EVENT], [END], {}, () => {
    aborting.abort();
    return jsonResponse({ id: 'd1', name: 'a.txt', status: 'pending' });
  });
  const answer: InputAnswer = { type: 'file', file: new File(['x'], 'a.txt') };
  const { backend, read, posts } = session;
  const error = await read(
    backend.provideInput(SESSION, AGENT_REQUEST, answer, NEXT, aborting.signal),
  );
  assert.deepEqual([error?.code, error?.unsent], ['aborted', true]);
  assert.equal(posts.length, 1);
});

test('provideInput reports that the upload has failed when the service accepts no files', async () => {
  const session = await setupRequest([HELLO, AGENT_EVENT], [END], {}, () => jsonResponse({}, 404));
  const answer: InputAnswer = { type: 'file', file: new File(['x'], 'a.txt') };
  const run = session.backend.provideInput(SESSION, AGENT_REQUEST, answer, NEXT, signal);
  const error = await session.read(run);
  assert.deepEqual([error?.code, error?.unsent], ['upload-failed', true]);
});

test('provideInput uploads a file also when the answer restores a checkpoint', async () => {
  const session = await setupRequest([HELLO, AGENT_EVENT], [{ ...HELLO, task_id: 't2' }, END], {
    chooseAnswerRoute: () => ({ by: 'checkpoint', hint: 'Read the file.' }),
  });
  const answer: InputAnswer = { type: 'file', file: new File(['x'], 'a.txt') };
  await session.read(session.backend.provideInput(SESSION, AGENT_REQUEST, answer, NEXT, signal));
  const paths = session.posts.map(({ path }) => path.replace('/agent-sessions/s1/', ''));
  assert.deepEqual(paths, ['upload', 'navigate-to-checkpoint']);
});

test('provideInput sends no message when the file cannot be uploaded', async () => {
  const upload = (): Response => jsonResponse({}, 500);
  const session = await setupRequest([HELLO, AGENT_EVENT], [END], {}, upload);
  const answer: InputAnswer = { type: 'file', file: new File(['x'], 'a.txt') };
  const run = session.backend.provideInput(SESSION, AGENT_REQUEST, answer, NEXT, signal);
  const error = await session.read(run);
  assert.deepEqual([error?.code, error?.unsent], ['server', true]);
  assert.deepEqual(
    session.posts.map(({ path }) => path),
    ['/agent-sessions/s1/upload'],
  );
  assert.equal(stateOf(session, '@request:mail'), 'pending');
});

test('provideInput restores the checkpoint when chooseAnswerRoute returns that route', async () => {
  const session = await setupRequest([HELLO, AGENT_EVENT], [{ ...HELLO, task_id: 't2' }, END], {
    chooseAnswerRoute: () => ({ by: 'checkpoint', hint: 'It is Ada.' }),
  });
  const answer: InputAnswer = { type: 'text', text: 'x' };
  await session.read(session.backend.provideInput(SESSION, AGENT_REQUEST, answer, NEXT, signal));
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

test('provideInput emits nothing when the answer is rejected', async () => {
  const session = setupSession((request) =>
    request.method === 'POST' ? jsonResponse({ detail: 'Busy' }, 409) : jsonResponse({ items: [] }),
  );
  const answer: InputAnswer = { type: 'text', text: 'x' };
  const run = session.backend.provideInput(SESSION, AGENT_REQUEST, answer, NEXT, signal);
  assert.equal((await session.read(run))?.code, 'busy');
  assert.deepEqual(session.batches, []);
});

test('provideInput marks a request of the agent as answered when this page has not read its run', async () => {
  const events = [{ ...HELLO, task_id: 't2' }, END];
  const session = setupSession((request) =>
    request.method === 'POST' ? eventsResponse(events) : jsonResponse({ items: [] }),
  );
  const request = { ...AGENT_REQUEST, message: 'stored' };
  const answer: InputAnswer = { type: 'text', text: 'x' };
  const run = session.backend.provideInput(SESSION, request, answer, NEXT, signal);
  assert.equal(await session.read(run), null);
  assert.deepEqual(
    session.batches.flatMap(({ changes }) =>
      changes.filter((change) => 'message' in change && change.message === 'stored'),
    ),
    [{ type: 'set', message: 'stored', part: request.key, path: ['state'], value: 'answered' }],
  );
});

/** Reads a replay with other chunks that breaks before it has caught up, as when the page becomes visible again. */
async function readBrokenReplay(session: RequestSession): Promise<void> {
  const run = session.backend.rejoin(SESSION, { id: 't1', keys: KEYS, otherRunIds: [] }, signal);
  assert.equal((await session.read(run))?.code, 'interrupted');
}

const TEXT = { type: 'response_chunk', content: 'One moment.' };
const PIECE = { type: 'response_chunk', content: 'One ' };

test('provideInput marks a request of the agent as answered although a replay has not caught up', async () => {
  const streamed: object[] = [HELLO, PIECE];
  const session = await setupRequest([HELLO, TEXT, AGENT_EVENT], streamed);
  await readBrokenReplay(session);
  assert.equal(stateOf(session, '@request:mail'), 'pending');
  streamed.splice(0, 2, { ...HELLO, task_id: 't2' }, END);
  const answer: InputAnswer = { type: 'text', text: 'ada@example.com' };
  const run = session.backend.provideInput(SESSION, AGENT_REQUEST, answer, NEXT, signal);
  assert.equal(await session.read(run), null);
  assert.equal(stateOf(session, '@request:mail'), 'answered');
});

test('provideInput records the answer to a tool in the shown message although a replay has not caught up', async () => {
  const streamed: object[] = [HELLO, PIECE];
  const session = await setupRequest([HELLO, TEXT, TOOL_EVENT], streamed);
  await readBrokenReplay(session);
  streamed.splice(1, 1, TEXT, TOOL_EVENT, END);
  const answer: InputAnswer = { type: 'text', text: 'yes' };
  const run = session.backend.provideInput(SESSION, TOOL_REQUEST, answer, KEYS, signal);
  assert.equal(await session.read(run), null);
  assert.equal(stateOf(session, '@request:tool:x1'), 'answered');
  assert.equal(session.answer.status, 'complete');
});

/** Answers, each with the JSON and the name of the file in the form that is sent. */
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
  test(`provideInput answers a request of a tool by a form: ${answer.type} ${json ?? 'without text'}`, async () => {
    const continuation = [HELLO, TOOL_EVENT, { type: 'response_chunk', content: 'Thanks.' }, END];
    const session = await setupRequest([HELLO, TOOL_EVENT], continuation);
    const run = session.backend.provideInput(SESSION, TOOL_REQUEST, answer, KEYS, signal);
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

test('request of a tool has options, schema and a deadline from its own timestamp', async () => {
  const session = await setupRequest([HELLO, TOOL_EVENT], []);
  const part = session.answer.parts.get('@request:tool:x1');
  assert.ok(part?.kind === 'request-activity');
  assert.deepEqual(part.options, ['yes', 'no']);
  assert.deepEqual(part.schema, { type: 'string' });
  assert.equal(part.prompt, 'Proceed?');
  assert.equal(part.deadline, Date.UTC(2026, 0, 1, 0, 1, 10));
});

test('answered request stays answered when late events are sorted', async () => {
  const late = { type: 'response_chunk', content: 'Before. ', timestamp: '2026-01-01T00:00:05Z' };
  const after = { type: 'response_chunk', content: 'After.', timestamp: '2026-01-01T00:00:11Z' };
  const session = await setupRequest([HELLO, TOOL_EVENT], [HELLO, TOOL_EVENT, after, late, END]);
  const answer: InputAnswer = { type: 'text', text: 'yes' };
  await session.read(session.backend.provideInput(SESSION, TOOL_REQUEST, answer, KEYS, signal));
  assert.equal(stateOf(session, '@request:tool:x1'), 'answered');
  assert.equal(session.answer.parts.get('/0:text')?.text?.read(), 'Before. After.');
  assert.equal(session.answer.status, 'complete');
});
