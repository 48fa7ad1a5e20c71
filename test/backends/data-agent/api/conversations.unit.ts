import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDataAgentBackend } from '../../../../src/backends/data-agent/index.js';
import { jsonResponse, errorOf } from '../../../helpers/http-client.js';
import { createTestEnvironment, type Respond } from '../../../helpers/test-environment.js';
import { method } from '../support/connect.js';

function setup(respond: Respond) {
  const environment = createTestEnvironment({ respond });
  const backend = createDataAgentBackend({ agentId: 'a', environment });
  return { environment, backend };
}

const NOON = Date.UTC(2026, 0, 2, 12);

test('listThreads returns conversations with their times and states', async () => {
  const entry = { id: 'C1', title: 'Pumps', create_time: NOON, update_time: NOON / 1000 };
  const state = { status: 'processing', message_index: 4, read_message_index: 2 };
  const { environment, backend } = setup(() =>
    jsonResponse({
      entries: [
        { ...entry, ...state },
        { title: 'no id' },
        { id: 'C2' },
        { id: 'C3', status: 'failed', message_index: '4', read_message_index: 4 },
      ],
      total: 12,
    }),
  );
  const { items, total, hasMore } = await method(backend, 'listThreads')({ page: 1, limit: 10 });
  const unnamed = {
    title: '',
    createdAt: null,
    updatedAt: null,
    isRunning: false,
    isUnread: false,
  };
  assert.deepEqual(items, [
    {
      id: 'C1',
      title: 'Pumps',
      createdAt: NOON,
      updatedAt: NOON,
      isRunning: true,
      isUnread: true,
      hasFailed: false,
    },
    { ...unnamed, id: 'C2', hasFailed: false },
    { ...unnamed, id: 'C3', hasFailed: true },
  ]);
  assert.deepEqual([total, hasMore], [12, true]);
  assert.equal(environment.requests[0]?.url.search, '?page=1&size=10');
});

test('listThreads reads the total from either of its two fields, and returns null without both', async () => {
  const cases = [
    [{ entries: [{ id: 'C' }], total_count: 10 }, 10, false],
    [{ data: { entries: [{ id: 'C' }], total: 1 } }, 1, false],
    [{ entries: Array.from({ length: 10 }, (_, at) => ({ id: String(at) })) }, null, true],
  ] as const;
  for (const [body, total, hasMore] of cases) {
    const { backend } = setup(() => jsonResponse(body));
    const page = await method(backend, 'listThreads')({ page: 1, limit: 10 });
    assert.deepEqual([page.total, page.hasMore], [total, hasMore]);
  }
});

test('listThreads and createThread prefer the fields of the response itself to those under `data`', async () => {
  const body = { entries: [{ id: 'C' }], total: 1, data: { entries: [] } };
  const { backend } = setup(() => jsonResponse(body));
  const page = await method(backend, 'listThreads')({ page: 1, limit: 10 });
  assert.deepEqual([page.items.length, page.total], [1, 1]);
  const created = setup(() => jsonResponse({ id: 'C', data: { id: 'D' } }));
  assert.equal((await created.backend.createThread()).id, 'C');
});

test('listThreads returns no further page after one that is not full, and no unread state without a read index', async () => {
  const entries = Array.from({ length: 9 }, (_, at) => ({ id: String(at), message_index: 3 }));
  const { backend } = setup(() => jsonResponse({ entries }));
  const page = await method(backend, 'listThreads')({ page: 1, limit: 10 });
  assert.equal(page.hasMore, false);
  assert.ok(page.items.every(({ isUnread }) => isUnread === false));
});

test('listThreads returns no further page when the pages so far contain the total', async () => {
  const { backend } = setup(() => jsonResponse({ entries: [{ id: 'C' }], total: 20 }));
  const page = await method(backend, 'listThreads')({ page: 2, limit: 10 });
  assert.equal(page.hasMore, false);
});

test('listThreads requests pages of at most 100 conversations, and counts them from 1', async () => {
  const { environment, backend } = setup(() => jsonResponse({ entries: [], total: 0 }));
  await method(backend, 'listThreads')({ page: 0, limit: 1000 });
  assert.deepEqual(
    environment.requests.map(({ url }) => Object.fromEntries(url.searchParams)),
    [{ page: '1', size: '100' }],
  );
});

test('createThread sends the agent, and accepts each form of the response', async () => {
  for (const body of [
    { id: 'C', sandbox_session_id: '' },
    { id: 'C', ttl: 600 },
    { data: { id: 'C' } },
  ]) {
    const { environment, backend } = setup(() => jsonResponse(body));
    const thread = await backend.createThread({ title: 'Pumps', options: { temparea_id: 't' } });
    assert.deepEqual([thread.id, thread.title], ['C', 'Pumps']);
    assert.deepEqual(JSON.parse(environment.requests[0]?.init.body as string), {
      title: 'Pumps',
      agent_id: 'a',
      agent_version: 'latest',
      executor_version: 'v2',
      temparea_id: 't',
    });
  }
  const { backend } = setup(() => jsonResponse({}));
  assert.equal((await errorOf(backend.createThread())).code, 'not-an-api');
});

test('renameThread and deleteThread send the requests of a conversation', async () => {
  const { environment, backend } = setup(() => new Response(null, { status: 204 }));
  await method(backend, 'renameThread')('C/1', 'Pumps');
  await method(backend, 'deleteThread')('C/1', true);
  const sent = environment.requests.map(({ method: verb, url, init }) => [
    verb,
    url.pathname.split('/app/a')[1],
    init.body ?? null,
    init.keepalive,
  ]);
  assert.deepEqual(sent, [
    ['PUT', '/conversation/C%2F1', '{"title":"Pumps"}', false],
    ['DELETE', '/conversation/C%2F1', null, true],
  ]);
});

test('renameThread rejects an empty title', async () => {
  const { environment, backend } = setup(() => new Response(null, { status: 204 }));
  assert.equal((await errorOf(method(backend, 'renameThread')('C', ' '))).code, 'invalid');
  assert.equal(environment.requests.length, 0);
});
