import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUbikBackend } from '../../../../src/backends/ubik/index.js';
import type { UbikBackendOptions } from '../../../../src/backends/ubik/index.js';
import { createTestEnvironment } from '../../../helpers/test-environment.js';
import {
  BASE,
  eventsResponse,
  jsonResponse,
  KEYS,
  printEvents,
  SESSION,
  setupSession,
  type UbikSession,
} from '../support/ubik-session.js';

const { signal } = new AbortController();
const DOCUMENT = {
  id: 'd1',
  name: 'Rivers.pdf',
  status: 'completed',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  file_type: 'pdf',
};

interface Seen {
  readonly session: UbikSession;
  /** Method, path with query and JSON body of each request. */
  readonly sent: string[];
}

function setupRecorded(
  answer: (path: string, method: string) => Response,
  options: Partial<UbikBackendOptions> = {},
): Seen {
  const sent: string[] = [];
  const session = setupSession(async (request) => {
    const { pathname, search } = new URL(request.url);
    const type = request.headers.get('content-type') ?? '';
    const body = type.includes('json') ? ` ${await request.text()}` : '';
    sent.push(`${request.method} ${pathname.replace('/v1', '')}${search}${body}`);
    return answer(pathname, request.method);
  }, options);
  return { session, sent };
}

test('lists sessions page by page', async () => {
  const item = { id: 's1', status: 'active', title: null, created_at: '2026-01-01T00:00:00Z' };
  const { session, sent } = setupRecorded(() =>
    jsonResponse({
      items: [item, { broken: true }],
      total: 9,
      page: 2,
      limit: 100,
      has_more: true,
    }),
  );
  const page = await session.backend.listThreads({ page: 2, limit: 1000 });
  assert.deepEqual(sent, ['GET /agent-sessions?page=2&limit=100']);
  assert.deepEqual(page, {
    items: [{ id: 's1', title: '', createdAt: 1767225600000, updatedAt: null }],
    total: 9,
    hasMore: true,
  });
});

test('makes a session with the assistant and the options of the host', async () => {
  const { session, sent } = setupRecorded(() => jsonResponse({ id: 's2', status: 'active' }), {
    assistantId: 'as1',
  });
  await session.backend.createThread({
    options: { promptVariables: { name: 'Ada' }, tool_ids: ['k'] },
  });
  assert.deepEqual(sent, [
    'POST /agent-sessions {"assistant_id":"as1","prompt_variables":{"name":"Ada"},"tool_ids":["k"]}',
  ]);
});

test('renames and deletes a session', async () => {
  const { session, sent } = setupRecorded((_path, method) =>
    method === 'DELETE' ? new Response(null, { status: 204 }) : jsonResponse({ id: 's1' }),
  );
  await session.backend.renameThread(SESSION, 'New');
  await session.backend.deleteThread(SESSION);
  assert.deepEqual(sent, ['PATCH /agent-sessions/s1 {"title":"New"}', 'DELETE /agent-sessions/s1']);
});

test('sends documents with a message, and edits and regenerates without them', async () => {
  const { session, sent } = setupRecorded((_path, method) =>
    method === 'POST'
      ? eventsResponse(printEvents([{ type: 'agent_processing_complete', content: 'x' }]))
      : jsonResponse({ items: [] }),
  );
  const draft = { text: 'Read', attachments: [{ id: 'd1', name: 'Rivers.pdf' }] };
  await session.take(session.backend.send(SESSION, draft, KEYS, signal));
  await session.take(session.backend.edit(SESSION, 'm1', draft, KEYS, signal));
  await session.take(session.backend.regenerate(SESSION, 'm2', KEYS, signal));
  assert.deepEqual(
    sent.filter((line) => line.startsWith('POST')),
    [
      'POST /agent-sessions/s1/messages {"content":"Read","attachment_document_ids":["d1"],"stream":true}',
      'POST /agent-sessions/s1/messages/m1/edit {"content":"Read","stream":true}',
      'POST /agent-sessions/s1/messages/m2/regenerate {"stream":true}',
    ],
  );
});

test('navigating reads the messages again; looking at a version does not navigate', async () => {
  const stored = { id: 'm3', role: 'assistant', content: 'Hi', created_at: '2026-01-01T00:00:00Z' };
  const { session, sent } = setupRecorded((path) => {
    if (path.endsWith('/m3')) return jsonResponse({ ...stored, sibling_ids: ['m2'] });
    if (path.endsWith('/messages')) return jsonResponse({ items: [stored] });
    return jsonResponse(path.endsWith('/s1') ? { id: 's1' } : {});
  });
  const version = await session.backend.loadMessage(SESSION, 'm3');
  assert.deepEqual(sent, ['GET /agent-sessions/s1/messages/m3']);
  assert.deepEqual(version.fields.siblingIds, ['m2', 'm3']);
  await session.backend.navigate(SESSION, 'm3');
  assert.equal(sent[1], 'POST /agent-sessions/s1/navigate {"target_message_id":"m3"}');
  assert.ok(sent.includes('GET /agent-sessions/s1/messages'));
});

test('of checkpoints with equal names only the newest can be restored', async () => {
  const at = (name: string, second: number): object => ({
    checkpoint_name: name,
    task_id: `t${second}`,
    created_at: `2026-01-01T00:00:0${second}Z`,
    metadata: { checkpoint_id: `ckpt_${second}` },
  });
  const { session } = setupRecorded(() =>
    jsonResponse({ checkpoints: [at('a', 3), at('a', 1), at('b', 2)] }),
  );
  const list = await session.backend.listCheckpoints(SESSION);
  assert.deepEqual(
    list.map(({ name, taskId, id, restorable }) => [name, taskId, id, restorable]),
    [
      ['a', 't1', 'ckpt_1', false],
      ['b', 't2', 'ckpt_2', true],
      ['a', 't3', 'ckpt_3', true],
    ],
  );
});

const CHECKPOINT = {
  name: 'step1',
  id: 'ckpt_1',
  taskId: null,
  createdAt: null,
  metadata: null,
  restorable: true,
};

function refuseField(name: string): Response {
  return jsonResponse(
    { detail: [{ loc: ['body', name], msg: 'Field required', type: 'missing' }] },
    422,
  );
}

test('restores by name, and by id once when that is asked for', async () => {
  let asked = 0;
  const { session, sent } = setupRecorded((path) => {
    if (!path.endsWith('navigate-to-checkpoint')) return jsonResponse({ items: [] });
    asked += 1;
    return asked === 1
      ? refuseField('checkpoint_id')
      : eventsResponse(printEvents([{ type: 'agent_processing_complete', content: 'x' }]));
  });
  const error = await session.take(
    session.backend.restoreCheckpoint(SESSION, CHECKPOINT, 'Be brief.', KEYS, signal),
  );
  assert.equal(error, null);
  assert.deepEqual(sent.slice(0, 2), [
    'POST /agent-sessions/s1/navigate-to-checkpoint {"checkpoint_name":"step1","checkpoint_hint":"Be brief.","stream":true}',
    'POST /agent-sessions/s1/navigate-to-checkpoint {"checkpoint_id":"ckpt_1","checkpoint_hint":"Be brief.","stream":true}',
  ]);
});

test('a restore that is refused twice, or for another field, is not tried further', async () => {
  for (const [field, posts] of [
    ['checkpoint_id', 2],
    ['checkpoint_hint', 1],
  ] as const) {
    const { session, sent } = setupRecorded(() => refuseField(field));
    const run = session.backend.restoreCheckpoint(SESSION, CHECKPOINT, null, KEYS, signal);
    assert.equal((await session.take(run))?.code, 'invalid');
    assert.equal(sent.length, posts);
  }
});

test('works with documents', async () => {
  const { session, sent } = setupRecorded((path, method) => {
    if (method === 'DELETE') return new Response(null, { status: 204 });
    if (method === 'GET' && path.endsWith('/documents')) {
      return jsonResponse({
        items: [{ ...DOCUMENT, is_starred: true }],
        total: 1,
        has_more: false,
      });
    }
    return jsonResponse(DOCUMENT);
  });
  const { backend } = session;
  const { items } = await backend.listDocuments(SESSION, { page: 1, limit: 20 });
  assert.deepEqual(items[0], {
    id: 'd1',
    name: 'Rivers.pdf',
    status: 'completed',
    fileType: 'pdf',
    error: null,
    starred: true,
    createdAt: 1767225600000,
  });
  await backend.link(SESSION, ['d1', 'd2']);
  await backend.unlink(SESSION, 'd1');
  await backend.star(SESSION, 'd1', true);
  assert.equal((await backend.documentStatus('d1')).status, 'completed');
  const file = new File(['x'], 'Rivers.pdf');
  const uploaded = await backend.upload(SESSION, file, () => undefined, signal);
  assert.equal(uploaded.id, 'd1');
  assert.deepEqual(sent.slice(1), [
    'POST /agent-sessions/s1/documents {"document_ids":["d1","d2"]}',
    'DELETE /agent-sessions/s1/documents/d1',
    'PUT /agent-sessions/s1/documents/d1/star {"is_starred":true}',
    'GET /documents/d1',
    'POST /agent-sessions/s1/upload',
  ]);
});

test('a citation leads to its passage, else to the document of that id', async () => {
  const { session, sent } = setupRecorded((path) => {
    if (path.endsWith('/chunks/c1')) {
      return jsonResponse({ id: 'c1', document_id: 'd1', text: 'It flows.', page_number: 3 });
    }
    if (path.endsWith('/chunks/c1/document')) return jsonResponse(DOCUMENT);
    if (path.endsWith('/documents/d1'))
      return jsonResponse({ ...DOCUMENT, markdown_content: 'All.' });
    return jsonResponse({ detail: 'none' }, 404);
  });
  assert.deepEqual(await session.backend.passage('c1', signal), {
    id: 'c1',
    documentId: 'd1',
    documentName: 'Rivers.pdf',
    text: 'It flows.',
    page: 3,
  });
  const whole = await session.backend.passage('d1', signal);
  assert.deepEqual([whole.documentName, whole.text, whole.page], ['Rivers.pdf', 'All.', null]);
  assert.ok(sent.includes('GET /chunks/d1'));
  await assert.rejects(session.backend.passage('nope', signal), { code: 'not-found' });
});

test('fetches files of tools below our own address, and nothing from another origin', async () => {
  const { session, sent } = setupRecorded(() => new Response('bytes'));
  const url = 'https://api.ubik-agent.com/v1/assets/tools/k/x1/a%20b.png?size=2';
  const blob = await session.backend.media(url, signal);
  assert.equal(await blob.text(), 'bytes');
  assert.deepEqual(sent, ['GET /assets/tools/k/x1/a%20b.png']);
  await assert.rejects(session.backend.media('https://evil.test/x.png', signal), {
    code: 'foreign-origin',
  });
  assert.equal(sent.length, 1);
});

test('an id that would leave its place in an address is refused', async () => {
  const { session, sent } = setupRecorded(() => jsonResponse({}));
  await assert.rejects(session.backend.documentStatus('..'), { code: 'misuse' });
  await session.backend.documentStatus('a/../../b').catch(() => undefined);
  assert.deepEqual(sent, ['GET /documents/a%2F..%2F..%2Fb']);
});

test('an API key is refused, but on this machine when that is allowed', async () => {
  const environment = createTestEnvironment({ answer: () => jsonResponse({ items: [] }) });
  const headers = { 'X-Api-Key': 'secret' };
  assert.throws(() => createUbikBackend({ baseUrl: BASE, environment, headers }), {
    code: 'misuse',
  });
  assert.throws(
    () => createUbikBackend({ baseUrl: BASE, environment, headers, allowInsecureKey: true }),
    { code: 'misuse' },
  );
  const late = createUbikBackend({ baseUrl: BASE, environment, headers: () => headers });
  await assert.rejects(late.listThreads({ page: 1, limit: 1 }), { code: 'misuse' });
  assert.equal(environment.requests.length, 0);
  const local = createUbikBackend({
    baseUrl: 'http://localhost:8080/api/v1',
    environment,
    headers,
    allowInsecureKey: true,
  });
  await local.listThreads({ page: 1, limit: 1 });
  assert.equal(environment.requests[0]?.headers.get('x-api-key'), 'secret');
});

test('the token stands in the header, and in a stream address only when the host insists', async () => {
  for (const streamAuth of ['header', 'query'] as const) {
    const { session } = setupRecorded(
      (path, method) =>
        method === 'POST'
          ? jsonResponse({ id: 'm1', role: 'user', content: '', task_id: 't1' })
          : path.endsWith('/stream')
            ? eventsResponse(printEvents([{ type: 'agent_processing_complete', content: 'x' }]))
            : jsonResponse({ items: [] }),
      { streamAuth, getToken: () => 'jwt' },
    );
    const draft = { text: 'Hi', attachments: [] };
    await session.take(session.backend.send(SESSION, draft, KEYS, signal));
    const [post, stream] = session.environment.requests;
    assert.equal(post?.headers.get('authorization'), 'Bearer jwt');
    assert.equal(stream?.url.searchParams.get('token'), streamAuth === 'query' ? 'jwt' : null);
    assert.equal(
      stream?.headers.get('authorization'),
      streamAuth === 'query' ? null : 'Bearer jwt',
    );
  }
});

test('a token that was refused in mid-session is renewed once and the run goes on', async () => {
  const asks: string[] = [];
  let token = 'old';
  const session = setupSession(
    (request) => {
      if (request.headers.get('authorization') === 'Bearer old') return jsonResponse({}, 401);
      return request.method === 'POST'
        ? eventsResponse(printEvents([{ type: 'agent_processing_complete', content: 'x' }]))
        : jsonResponse({ items: [] });
    },
    {
      getToken: ({ reason }) => {
        asks.push(reason);
        if (reason === 'rejected') token = 'new';
        return token;
      },
    },
  );
  const draft = { text: 'Hi', attachments: [] };
  assert.equal(await session.take(session.backend.send(SESSION, draft, KEYS, signal)), null);
  assert.equal(asks.filter((reason) => reason === 'rejected').length, 1);
});

test('stopping asks the service once, and a plain end is then the end', async () => {
  let end: (() => void) | null = null;
  const { session, sent } = setupRecorded((path, method) => {
    if (path.endsWith('/stop')) return jsonResponse({});
    if (method !== 'POST') return jsonResponse({ items: [] });
    const encoder = new TextEncoder();
    return eventsResponse(
      new ReadableStream<Uint8Array>({
        start: (controller) => {
          const hello = { type: 'connection_established', task_id: 't1' };
          controller.enqueue(encoder.encode(printEvents([hello])));
          end = () => controller.close();
        },
      }),
    );
  });
  const draft = { text: 'Hi', attachments: [] };
  const taking = session.take(session.backend.send(SESSION, draft, KEYS, signal));
  await session.environment.settle();
  await session.backend.stop(SESSION, { id: 't1', keys: KEYS, finishedRuns: [] });
  (end as (() => void) | null)?.();
  assert.equal(await taking, null);
  assert.equal(session.answer.status, 'stopped');
  assert.equal(sent.filter((line) => line.endsWith('/stop')).length, 1);
});

test('follows one execution in its own dialect', async () => {
  const { session } = setupRecorded(() =>
    eventsResponse(
      'event: tool_update\ndata: {"phase":"A","data":{"x":1}}\n\n' +
        'data: {"event_type":"tool_partial_update","data":{"content":"out"}}\n\n' +
        'event: tool_end\ndata: {"execution_id":"x1","status":"completed","outputs":{"response":"R"}}\n\n',
    ),
  );
  const events = [];
  for await (const event of session.backend.followExecution('x1', signal)) events.push(event);
  assert.deepEqual(events, [
    { type: 'update', data: { phase: 'A', data: { x: 1 } } },
    { type: 'partial', data: { content: 'out' } },
    { type: 'end', data: { response: 'R' } },
  ]);
});
