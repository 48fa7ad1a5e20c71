import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UbikError } from '../../../../src/errors.js';
import { setupRecorded } from '../support/recorded-session.js';
import { jsonResponse } from '../../../helpers/http-client.js';
import { SESSION } from '../support/ubik-session.js';

test('listThreads requests one page and skips invalid entries', async () => {
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

test('listThreads reads microseconds as the whole milliseconds before them', async () => {
  const item = { id: 's1', created_at: '2026-01-01T00:00:00.000999Z' };
  const { session } = setupRecorded(() => jsonResponse({ items: [item] }));
  const page = await session.backend.listThreads({ page: 1, limit: 10 });
  assert.equal(page.items[0]?.createdAt, 1767225600000);
});

test('listThreads reads up to 100 active tools of a thread and skips invalid ones', async () => {
  const tool = { id: 't', name: 'web_search', description: 'Searches' };
  const invalid = [null, 7, 'text', { name: 3 }, { name: '' }, { name: 'bare' }];
  const many = Array.from({ length: 200 }, (_, index) => ({ name: `n${index}` }));
  const lists = [[tool, ...invalid], many, 'invalid', []];
  const items = lists.map((active_tools, index) => ({ id: `s${index}`, active_tools }));
  const { session } = setupRecorded(() => jsonResponse({ items }));
  const page = await session.backend.listThreads({ page: 1, limit: 10 });
  const [first, second, ...rest] = page.items.map(({ tools }) => tools);
  assert.deepEqual(first, [
    { name: 'web_search', description: 'Searches' },
    { name: 'bare', description: null },
  ]);
  assert.equal(second?.length, 100);
  assert.deepEqual(rest, [undefined, undefined]);
});

test('listThreads returns at most 1,000 entries of a page', async () => {
  const items = Array.from({ length: 1500 }, (_, index) => ({ id: `s${index}` }));
  const { session } = setupRecorded(() => jsonResponse({ items, total: 1500, has_more: true }));
  const page = await session.backend.listThreads({ page: 1, limit: 100 });
  assert.equal(page.items.length, 1000);
});

test('listThreads clamps the page to at least 1 and the limit to 1 to 100', async () => {
  const { session, sent } = setupRecorded(() => jsonResponse({ items: [] }));
  for (const [page, limit] of [
    [0, 0],
    [-3, -3],
    [1, 1],
    [2, 100],
    [2, 101],
  ] as const)
    await session.backend.listThreads({ page, limit });
  assert.deepEqual(
    sent.map((request) => request.split('?')[1]),
    ['page=1&limit=1', 'page=1&limit=1', 'page=1&limit=1', 'page=2&limit=100', 'page=2&limit=100'],
  );
});

test('createThread sends the assistant and the options of the host', async () => {
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

test('createThread sends a title, and no assistant when the backend has none', async () => {
  const { session, sent } = setupRecorded(() => jsonResponse({ id: 's2', status: 'active' }));
  await session.backend.createThread({ title: 'Pumps' });
  await session.backend.createThread();
  assert.deepEqual(sent, ['POST /agent-sessions {"title":"Pumps"}', 'POST /agent-sessions {}']);
});

test('renameThread and deleteThread send their requests', async () => {
  const { session, sent } = setupRecorded((_path, method) =>
    method === 'DELETE' ? new Response(null, { status: 204 }) : jsonResponse({ id: 's1' }),
  );
  await session.backend.renameThread(SESSION, 'New');
  await session.backend.deleteThread(SESSION);
  assert.deepEqual(sent, ['PATCH /agent-sessions/s1 {"title":"New"}', 'DELETE /agent-sessions/s1']);
});

test('switchBranch reloads the messages; loadMessage does not switch the branch', async () => {
  const stored = { id: 'm3', role: 'assistant', content: 'Hi', created_at: '2026-01-01T00:00:00Z' };
  const { session, sent } = setupRecorded((path) => {
    if (path.endsWith('/m3')) return jsonResponse({ ...stored, sibling_ids: ['m2'] });
    if (path.endsWith('/messages')) return jsonResponse({ items: [stored] });
    return jsonResponse(path.endsWith('/s1') ? { id: 's1' } : {});
  });
  const version = await session.backend.loadMessage(SESSION, 'm3');
  assert.deepEqual(sent, ['GET /agent-sessions/s1/messages/m3']);
  assert.deepEqual(version.fields.siblingIds, ['m2', 'm3']);
  await session.backend.switchBranch(SESSION, 'm3');
  assert.equal(sent[1], 'POST /agent-sessions/s1/navigate {"target_message_id":"m3"}');
  assert.ok(sent.includes('GET /agent-sessions/s1/messages'));
});

for (const status of [404, 405, 410, 501]) {
  test(`listThreads and createThread reject with not-an-api and name the base URL for the status ${String(status)}`, async () => {
    const { session } = setupRecorded(() => jsonResponse({ detail: 'Not Found' }, status));
    const { backend } = session;
    for (const call of [backend.listThreads({ page: 1, limit: 1 }), backend.createThread()]) {
      await assert.rejects(call, (error: UbikError) => {
        assert.deepEqual([error.code, error.status], ['not-an-api', status]);
        assert.match(
          error.message,
          /https?:\/\/.+ answers with the status .+ Check the base URL\./,
        );
        assert.ok(error.message.includes(error.offender ?? '?'));
        return true;
      });
    }
  });
}

test('createThread also names the assistant as a possible cause of a 404', async () => {
  const { session } = setupRecorded(() => jsonResponse({ detail: 'Not Found' }, 404), {
    assistantId: 'as1',
  });
  await assert.rejects(
    session.backend.createThread(),
    /Check the base URL and the id of the assist/,
  );
});

test('listThreads and createThread keep the code of other errors', async () => {
  const { session } = setupRecorded(() => jsonResponse({ detail: 'No.' }, 403));
  await assert.rejects(session.backend.listThreads({ page: 1, limit: 1 }), { code: 'forbidden' });
  await assert.rejects(session.backend.createThread(), { code: 'forbidden' });
});

test('renameThread does not wait for the body of a response that the host page has cloned', async () => {
  const { session } = setupRecorded(() => {
    const response = jsonResponse({});
    response.clone();
    return response;
  });
  assert.equal(await session.backend.renameThread(SESSION, 'New'), undefined);
});
