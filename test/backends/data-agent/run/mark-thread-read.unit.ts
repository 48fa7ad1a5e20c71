import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Backend, RunRef } from '../../../../src/backends/backend.js';
import { createDataAgentBackend } from '../../../../src/backends/data-agent/index.js';
import { jsonResponse, errorOf } from '../../../helpers/http-client.js';
import { createTestEnvironment } from '../../../helpers/test-environment.js';
import { method as methodOf, readFixture, send, setupRun } from '../support/connect.js';
import { refuse } from '../support/scripted-service.js';
import { ANSWER, QUESTION } from '../support/stored-messages.js';

/** Calls both methods as the controller does at the end of a run: `releaseRun` while `markThreadRead` is pending. */
async function endRun(backend: Backend, thread: string, run: RunRef): Promise<void> {
  const marked = methodOf(backend, 'markThreadRead')(thread);
  methodOf(backend, 'releaseRun')(thread, run);
  await marked;
}

test('markThreadRead, not loadThread, marks the thread as read up to its newest message once, and again if the request failed', async () => {
  let isRefused = true;
  const environment = createTestEnvironment({
    respond: ({ method }) => {
      if (method === 'PUT' && isRefused) return refuse(500, 'x');
      if (method === 'PUT') return new Response(null, { status: 204 });
      return jsonResponse({
        id: 'C',
        title: '',
        read_message_index: 1,
        Messages: [QUESTION, ANSWER],
      });
    },
  });
  const backend = createDataAgentBackend({ agentId: 'a', environment });
  const marks = () => environment.requests.filter(({ method }) => method === 'PUT');
  await backend.loadThread('C');
  assert.deepEqual(marks(), [], 'loading marks nothing: the user may not see the thread');
  assert.equal((await errorOf(methodOf(backend, 'markThreadRead')('C'))).code, 'server');
  isRefused = false;
  for (let call = 0; call < 2; call += 1) await backend.markThreadRead?.('C');
  const request = [
    '/api/agent-factory/v1/app/a/conversation/C/mark_read',
    '{"latest_read_index":2}',
  ];
  assert.deepEqual(
    marks().map(({ url, init }) => [url.pathname, init.body]),
    [request, request],
  );
});

test('markThreadRead marks the answer of a run whose stream another tab has received', async () => {
  let messages: readonly object[] = [QUESTION];
  const environment = createTestEnvironment({
    respond: ({ method }) =>
      method === 'PUT'
        ? new Response(null, { status: 204 })
        : jsonResponse({ id: 'C', title: '', read_message_index: 1, Messages: messages }),
  });
  const backend = createDataAgentBackend({ agentId: 'a', environment });
  await backend.loadThread('C');
  messages = [QUESTION, ANSWER];
  const keys = { thread: 'C', user: null, answer: 'followed' };
  await endRun(backend, 'C', { id: 'r', keys, otherRunIds: [] });
  await backend.markThreadRead?.('C');
  const marks = environment.requests.filter(({ method }) => method === 'PUT');
  assert.deepEqual(
    marks.map(({ init }) => init.body),
    ['{"latest_read_index":2}'],
  );
});

test('markThreadRead does not mark a thread that is read already or was never loaded', async () => {
  const environment = createTestEnvironment({
    respond: () =>
      jsonResponse({ id: 'C', title: '', read_message_index: 2, Messages: [QUESTION, ANSWER] }),
  });
  const backend = createDataAgentBackend({ agentId: 'a', environment });
  await backend.markThreadRead?.('other');
  await backend.loadThread('C');
  await backend.markThreadRead?.('C');
  assert.deepEqual(
    environment.requests.map((request) => request.method),
    ['GET'],
  );
});

test('data agent thread counts as read when the service does not return a read index', async () => {
  const environment = createTestEnvironment({
    respond: () => jsonResponse({ id: 'C', title: '', Messages: [QUESTION, ANSWER] }),
  });
  const backend = createDataAgentBackend({ agentId: 'a', environment });
  await backend.loadThread('C');
  await backend.markThreadRead?.('C');
  assert.equal(environment.requests.length, 1);
});

test('data agent thread that was deleted is not marked as read', async () => {
  const environment = createTestEnvironment({
    respond: ({ method }) =>
      method === 'GET'
        ? jsonResponse({ id: 'C', title: '', read_message_index: 1, Messages: [QUESTION, ANSWER] })
        : new Response(null, { status: 204 }),
  });
  const backend = createDataAgentBackend({ agentId: 'a', environment });
  await backend.loadThread('C');
  await backend.deleteThread?.('C');
  await backend.markThreadRead?.('C');
  assert.deepEqual(
    environment.requests.map(({ method }) => method),
    ['GET', 'DELETE'],
  );
});

test('markThreadRead marks the answer of a run whose stream this page has received, without loading the thread', async () => {
  const { service, reader, backend } = await setupRun();
  const [ids, ...events] = readFixture('e01-plain-answer');
  const index = { key: ['message', 'index'], content: 2, action: 'upsert' } as const;
  service.scripts.push({
    events: ids ? [ids, ...events.slice(0, -1), index, ...events.slice(-1)] : [],
  });
  const { stream, keys } = send(reader);
  await reader.read(stream);
  service.received.length = 0;
  await endRun(backend, reader.session, { id: null, keys, otherRunIds: [] });
  await methodOf(backend, 'markThreadRead')(reader.session);
  assert.deepEqual(
    service.received.map(({ method, path, body }) => [method, path.split('/').at(-1), body]),
    [['PUT', 'mark_read', { latest_read_index: 2 }]],
  );
});
