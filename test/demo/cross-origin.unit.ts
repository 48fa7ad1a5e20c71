import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from './test-server.js';

const ORIGIN = 'https://www.example.com';

test('demo server allows pages of the configured origins to use the API', async (context) => {
  const { url } = await startTestServer(context, { allowedOrigins: [ORIGIN] });
  const preflight = await fetch(`${url}/api/v1/agent-sessions`, {
    method: 'OPTIONS',
    headers: { origin: ORIGIN, 'access-control-request-method': 'POST' },
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('access-control-allow-origin'), ORIGIN);
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /authorization/);
  const response = await fetch(`${url}/api/v1/agent-sessions`, { headers: { origin: ORIGIN } });
  assert.equal(response.status, 401);
  assert.equal(response.headers.get('access-control-allow-origin'), ORIGIN);
  assert.equal(response.headers.get('access-control-allow-credentials'), null);
});

test('demo server sends no CORS headers to other origins or for other paths', async (context) => {
  const { url } = await startTestServer(context, { allowedOrigins: [ORIGIN] });
  const requests: [path: string, origin: string][] = [
    ['/api/v1/agent-sessions', 'https://evil.example'],
    ['/token', ORIGIN],
    ['/', ORIGIN],
  ];
  for (const [path, origin] of requests) {
    const response = await fetch(`${url}${path}`, { headers: { origin } });
    assert.equal(response.headers.get('access-control-allow-origin'), null, path);
    await response.body?.cancel();
  }
});

test('demo server names the origin in Vary for requests with and without an allowed origin', async (context) => {
  const { url } = await startTestServer(context, { allowedOrigins: [ORIGIN] });
  for (const headers of [{ origin: ORIGIN }, { origin: 'https://evil.example' }, {}]) {
    const response = await fetch(`${url}/api/v1/agent-sessions`, { headers });
    assert.match(response.headers.get('vary') ?? '', /\bOrigin\b/u, JSON.stringify(headers));
    await response.body?.cancel();
  }
});

/** Statuses of a POST by pages of a configured origin and of another one, in a browser that does not send `Sec-Fetch-Site`. */
async function postWithoutSite(url: string): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const origin of [ORIGIN, 'http://evil.example']) {
    const response = await fetch(url, { method: 'POST', headers: { origin } });
    statuses.push(response.status);
    await response.body?.cancel();
  }
  return statuses;
}

test('demo server gives tokens to pages of the configured origins over plain http', async (context) => {
  const { url } = await startTestServer(context, { allowedOrigins: [ORIGIN] });
  assert.deepEqual(await postWithoutSite(`${url}/token`), [200, 403]);
});

test('demo server forwards requests of pages of the configured origins over plain http', async (context) => {
  const service = { apiKey: 'k', baseUrl: 'http://127.0.0.1:9/api/v1' };
  const { url } = await startTestServer(context, { allowedOrigins: [ORIGIN], service });
  assert.deepEqual(await postWithoutSite(`${url}/token`), [502, 403], 'nothing answers at the URL');
  // Without a cookie, there is no visitor to act for.
  assert.deepEqual(await postWithoutSite(`${url}/api/v1/agent-sessions`), [401, 403]);
});
