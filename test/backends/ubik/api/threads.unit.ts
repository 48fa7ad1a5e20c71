import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UbikError } from '../../../../src/errors.js';
import { setupRecorded } from '../support/recorded-session.js';
import { jsonResponse, SESSION } from '../support/ubik-session.js';

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

test('a session names its active tools, bounded, without what is no tool', async () => {
  const tool = { id: 't', name: 'web_search', description: 'Looks' };
  const odd = [null, 7, 'text', { name: 3 }, { name: '' }, { name: 'bare' }];
  const many = Array.from({ length: 200 }, (_, index) => ({ name: `n${index}` }));
  const lists = [[tool, ...odd], many, 'odd', []];
  const items = lists.map((active_tools, index) => ({ id: `s${index}`, active_tools }));
  const { session } = setupRecorded(() => jsonResponse({ items }));
  const page = await session.backend.listThreads({ page: 1, limit: 10 });
  const [first, second, ...rest] = page.items.map(({ tools }) => tools);
  assert.deepEqual(first, [
    { name: 'web_search', description: 'Looks' },
    { name: 'bare', description: null },
  ]);
  assert.equal(second?.length, 100);
  assert.deepEqual(rest, [undefined, undefined]);
});

test('takes at most 1,000 entries of one page, whatever the service sends', async () => {
  const items = Array.from({ length: 1500 }, (_, index) => ({ id: `s${index}` }));
  const { session } = setupRecorded(() => jsonResponse({ items, total: 1500, has_more: true }));
  const page = await session.backend.listThreads({ page: 1, limit: 100 });
  assert.equal(page.items.length, 1000);
});

test('asks for a page from 1, of 1 to 100 items, whatever a host wants', async () => {
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
  await session.backend.switchBranch(SESSION, 'm3');
  assert.equal(sent[1], 'POST /agent-sessions/s1/navigate {"target_message_id":"m3"}');
  assert.ok(sent.includes('GET /agent-sessions/s1/messages'));
});

for (const status of [404, 405, 410, 501]) {
  test(`a service that knows no list of sessions and makes none (${String(status)}) has a wrong address, and no conversation is missing`, async () => {
    const { session } = setupRecorded(() => jsonResponse({ detail: 'Not Found' }, status));
    const { backend } = session;
    for (const act of [backend.listThreads({ page: 1, limit: 1 }), backend.createThread()]) {
      await assert.rejects(act, (error: UbikError) => {
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

test('a new session that is answered with 404 may also have a wrong assistant', async () => {
  const { session } = setupRecorded(() => jsonResponse({ detail: 'Not Found' }, 404), {
    assistantId: 'as1',
  });
  await assert.rejects(
    session.backend.createThread(),
    /Check the base URL and the id of the assist/,
  );
});

test('other refusals of a list and of a new session keep their codes', async () => {
  const { session } = setupRecorded(() => jsonResponse({ detail: 'No.' }, 403));
  await assert.rejects(session.backend.listThreads({ page: 1, limit: 1 }), { code: 'forbidden' });
  await assert.rejects(session.backend.createThread(), { code: 'forbidden' });
});
