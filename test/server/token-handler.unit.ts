import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createTokenHandler, type TokenHandlerOptions } from '../../server/index.js';
import { DemoApiClient, startTestServer } from '../demo/test-server.js';
import { startLocalServerForTest } from '../helpers/local-server.js';
import { KEY } from './start-proxy.js';

/** The headers of a same-origin request. */
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

/** Asserts that the token route responds with 502 without details. */
async function assertBadGateway(context: TestContext, options: TokenHandlerOptions): Promise<void> {
  const errors: unknown[] = [];
  const handler = createTokenHandler({ ...options, onError: (error) => errors.push(error) });
  const url = await startLocalServerForTest(
    context,
    (request, response) => void handler(request, response),
  );
  const response = await fetch(url, { method: 'POST', headers: SAME_ORIGIN });
  assert.equal(response.status, 502);
  assert.equal(errors.length, 1, 'the log of the server receives the reason');
  assert.ok(errors[0] instanceof Error);
  assert.deepEqual(await response.json(), { detail: 'No token could be created' });
}

test('token route returns a token of the service for the signed-in user', async (context) => {
  const service = await startTestServer(context, { apiKey: KEY });
  const handler = createTokenHandler({
    apiKey: KEY,
    baseUrl: `${service.url}/api/v1/`,
    getUser: (request) => request.headers['x-user']?.toString(),
    expiresInMinutes: 5,
  });
  const url = await startLocalServerForTest(
    context,
    (request, response) => void handler(request, response),
  );
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...SAME_ORIGIN, 'x-user': 'ann' },
    body: '{"external_user_id":"bob"}',
  });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('cache-control'), 'private, no-store');
  const body = (await response.json()) as Record<string, unknown>;
  assert.deepEqual([body['token_type'], body['expires_in']], ['bearer', 300]);
  const ann = new DemoApiClient(service.url, {
    authorization: `Bearer ${String(body['access_token'])}`,
  });
  const created = (await ann.request('POST', '/agent-sessions', {})).json as Record<
    string,
    unknown
  >;
  assert.equal(created['external_user_id'], 'ann');
});

test('token route requests the token from a service whose base URL has no path', async (context) => {
  const paths: (string | undefined)[] = [];
  const service = await startLocalServerForTest(context, (request, response) => {
    paths.push(request.url);
    response.end('{"access_token":"t"}');
  });
  const handler = createTokenHandler({ apiKey: KEY, baseUrl: service, getUser: () => 'ann' });
  const url = await startLocalServerForTest(
    context,
    (request, response) => void handler(request, response),
  );
  await fetch(url, { method: 'POST', headers: SAME_ORIGIN });
  assert.deepEqual(paths, ['/auth/token']);
});

test('token route responds with 401 without a signed-in user, whatever the request claims', async (context) => {
  let minted = 0;
  const errors: unknown[] = [];
  const handler = createTokenHandler({
    apiKey: KEY,
    getUser: () => null,
    onError: (error) => errors.push(error),
    mint: () => {
      minted += 1;
      return Promise.resolve('token');
    },
  });
  const url = await startLocalServerForTest(
    context,
    (request, response) => void handler(request, response),
  );
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...SAME_ORIGIN, 'x-end-user-id': 'ann', 'x-api-key': KEY },
  });
  assert.equal(response.status, 401);
  assert.deepEqual(errors, [], 'nobody signed in is not an error of the server');
  assert.deepEqual(await response.json(), { detail: 'Not authenticated' });
  assert.equal(minted, 0);
});

test('token route accepts an integer as the id of a user', async (context) => {
  const users: string[] = [];
  const handler = createTokenHandler({
    apiKey: KEY,
    getUser: () => 42,
    mint: (user) => {
      users.push(user);
      return Promise.resolve('token');
    },
  });
  const url = await startLocalServerForTest(
    context,
    (request, response) => void handler(request, response),
  );
  const response = await fetch(url, { method: 'POST', headers: SAME_ORIGIN });
  assert.equal(response.status, 200);
  assert.deepEqual(users, ['42']);
});

test('token route accepts only POST', async (context) => {
  const handler = createTokenHandler({
    apiKey: KEY,
    getUser: () => 'ann',
    mint: () => Promise.resolve('token'),
  });
  const url = await startLocalServerForTest(
    context,
    (request, response) => void handler(request, response),
  );
  const response = await fetch(url);
  assert.equal(response.status, 405);
  assert.equal(response.headers.get('allow'), 'POST');
});

const LONG = `${' '.repeat(64 * 1024)}{"access_token":"token"}`;

for (const [name, serviceResponse] of [
  ['responds with 403', { status: 403, body: '{"detail":"no"}' }],
  ['responds with HTML', { status: 200, body: '<html>' }],
  ['returns no token', { status: 200, body: '{}' }],
  ['responds with more than 64 KiB', { status: 200, body: LONG }],
  ['responds with more than 64 KiB in compressed form', { status: 200, body: gzipSync(LONG) }],
] as const) {
  test(`token route responds with 502 without details when the service ${name}`, async (context) => {
    const service = await startLocalServerForTest(context, (request, response) => {
      request.resume();
      const encoding = typeof serviceResponse.body === 'string' ? 'identity' : 'gzip';
      response
        .writeHead(serviceResponse.status, { 'content-encoding': encoding })
        .end(serviceResponse.body);
    });
    await assertBadGateway(context, { apiKey: KEY, baseUrl: service, getUser: () => 'ann' });
  });
}

test('token route does not send the API key to the target of a redirect', async (context) => {
  const keys: unknown[] = [];
  const redirectTarget = await startLocalServerForTest(context, (request, response) => {
    keys.push(request.headers['x-api-key']);
    response.end('{"access_token":"stolen"}');
  });
  const service = await startLocalServerForTest(context, (request, response) => {
    request.resume();
    response.writeHead(307, { location: redirectTarget }).end();
  });
  const handler = createTokenHandler({ apiKey: KEY, baseUrl: service, getUser: () => 'ann' });
  const url = await startLocalServerForTest(
    context,
    (request, response) => void handler(request, response),
  );
  assert.equal((await fetch(url, { method: 'POST', headers: SAME_ORIGIN })).status, 502);
  assert.deepEqual(keys, []);
});

test('createTokenHandler throws for invalid options', () => {
  const getUser = (): string => 'ann';
  assert.throws(() => createTokenHandler({ apiKey: '', getUser }), TypeError);
  assert.throws(
    () => createTokenHandler({ apiKey: KEY, getUser, expiresInMinutes: 4 }),
    RangeError,
  );
  assert.throws(() => createTokenHandler({ apiKey: KEY, getUser, baseUrl: 'ftp://x' }), TypeError);
});

test('token route responds with 500 without details when getUser throws', async (context) => {
  const handler = createTokenHandler({
    apiKey: KEY,
    getUser: () => Promise.reject(new Error(KEY)),
    mint: () => Promise.resolve('t'),
  });
  const url = await startLocalServerForTest(
    context,
    (request, response) => void handler(request, response),
  );
  const response = await fetch(url, { method: 'POST', headers: SAME_ORIGIN });
  assert.equal(response.status, 500);
  assert.doesNotMatch(await response.text(), new RegExp(KEY, 'u'));
});

for (const [name, minted] of [
  ['nothing', undefined],
  ['null', null],
  ['an empty string', ''],
  ['an object', { access_token: 'token' }],
  ['a string with a line break', 'token\r\nx-other: 1'],
  ['a string with non-ASCII characters', 'tökén'],
  ['a string too long for a header', 'a'.repeat(8193)],
  ['a BigInt', 1n],
] as const) {
  test(`token route responds with 502 when mint returns ${name}`, async (context) => {
    await assertBadGateway(context, {
      getUser: () => 'ann',
      mint: () => Promise.resolve(minted as string),
    });
  });
}

for (const [name, mint] of [
  ['rejects', () => Promise.reject(new Error(KEY))],
  [
    'throws',
    () => {
      throw new Error(KEY);
    },
  ],
] as const) {
  test(`token route responds with 502 without details when mint ${name}`, async (context) => {
    await assertBadGateway(context, { getUser: () => 'ann', mint });
  });
}

test('createTokenHandler throws when mint is not a function', () => {
  assert.throws(
    () => createTokenHandler({ getUser: () => 'ann', mint: 'token' as never }),
    TypeError,
  );
});

test('token route responds with 502 when the service refuses, or its response has no token', async (context) => {
  const responses: readonly (readonly [status: number, body: object])[] = [
    [403, { access_token: 'token' }],
    [200, {}],
    [200, { access_token: 7 }],
  ];
  for (const [status, body] of responses) {
    const baseUrl = await startLocalServerForTest(context, (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
    await assertBadGateway(context, { apiKey: KEY, baseUrl, getUser: () => 'ann' });
  }
});

test('token route responds with 401 for a user without an id', async (context) => {
  const handler = createTokenHandler({ getUser: () => '', mint: () => Promise.resolve('token') });
  const url = await startLocalServerForTest(
    context,
    (request, response) => void handler(request, response),
  );
  assert.equal((await fetch(url, { method: 'POST', headers: SAME_ORIGIN })).status, 401);
});

test('token route accepts a response of the service of up to 64 KiB', async (context) => {
  const json = '{"access_token":"token"}';
  const service = await startLocalServerForTest(context, (request, response) => {
    request.resume();
    response.end(json.padStart(64 * 1024));
  });
  const handler = createTokenHandler({ apiKey: KEY, baseUrl: service, getUser: () => 'ann' });
  const url = await startLocalServerForTest(
    context,
    (request, response) => void handler(request, response),
  );
  const response = await fetch(url, { method: 'POST', headers: SAME_ORIGIN });
  assert.deepEqual(await response.json(), {
    access_token: 'token',
    token_type: 'bearer',
    expires_in: 3600,
  });
});
