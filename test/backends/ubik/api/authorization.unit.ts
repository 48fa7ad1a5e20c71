import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUbikBackend } from '../../../../src/backends/ubik/index.js';
import { polluteObjectPrototype } from '../../../helpers/pollute-object-prototype.js';
import { createTestEnvironment } from '../../../helpers/test-environment.js';
import { setupRecorded } from '../support/recorded-session.js';
import { jsonResponse } from '../../../helpers/http-client.js';
import {
  BASE,
  eventsResponse,
  KEYS,
  SESSION,
  setupSession,
  signal,
} from '../support/ubik-session.js';

test('createUbikBackend rejects an API key except for localhost with allowInsecureKey', async () => {
  const environment = createTestEnvironment({ respond: () => jsonResponse({ items: [] }) });
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

test('token is sent in the header, and in the URL of a stream only with streamAuth query', async () => {
  for (const streamAuth of ['header', 'query'] as const) {
    const { session } = setupRecorded(
      (path, method) =>
        method === 'POST'
          ? jsonResponse({ id: 'm1', role: 'user', content: '', task_id: 't1' })
          : path.endsWith('/stream')
            ? eventsResponse([{ type: 'agent_processing_complete', content: 'x' }])
            : jsonResponse({ items: [] }),
      { streamAuth, getToken: () => 'jwt' },
    );
    const draft = { text: 'Hi', attachments: [] };
    await session.read(session.backend.send(SESSION, draft, KEYS, signal));
    const [post, stream] = session.environment.requests;
    assert.equal(post?.headers.get('authorization'), 'Bearer jwt');
    assert.equal(stream?.url.searchParams.get('token'), streamAuth === 'query' ? 'jwt' : null);
    assert.equal(
      stream?.headers.get('authorization'),
      streamAuth === 'query' ? null : 'Bearer jwt',
    );
  }
});

test('token stays out of the URL when Object.prototype is polluted with streamAuth', async () => {
  const restore = polluteObjectPrototype({ streamAuth: 'query' });
  const { session } = setupRecorded(
    (path, method) =>
      method === 'POST'
        ? jsonResponse({ id: 'm1', role: 'user', content: '', task_id: 't1' })
        : path.endsWith('/stream')
          ? eventsResponse([{ type: 'agent_processing_complete', content: 'x' }])
          : jsonResponse({ items: [] }),
    { getToken: () => 'jwt' },
  );
  restore();
  const draft = { text: 'Hi', attachments: [] };
  await session.read(session.backend.send(SESSION, draft, KEYS, signal));
  const [, stream] = session.environment.requests;
  assert.equal(stream?.url.searchParams.get('token'), null);
  assert.equal(stream?.headers.get('authorization'), 'Bearer jwt');
});

test('token that the service rejects is renewed once and the run continues', async () => {
  const reasons: string[] = [];
  let token = 'old';
  const session = setupSession(
    (request) => {
      if (request.headers.get('authorization') === 'Bearer old') return jsonResponse({}, 401);
      return request.method === 'POST'
        ? eventsResponse([{ type: 'agent_processing_complete', content: 'x' }])
        : jsonResponse({ items: [] });
    },
    {
      getToken: ({ reason }) => {
        reasons.push(reason);
        if (reason === 'rejected') token = 'new';
        return token;
      },
    },
  );
  const draft = { text: 'Hi', attachments: [] };
  assert.equal(await session.read(session.backend.send(SESSION, draft, KEYS, signal)), null);
  assert.equal(reasons.filter((reason) => reason === 'rejected').length, 1);
});
