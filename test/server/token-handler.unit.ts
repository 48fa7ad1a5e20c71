import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createTokenHandler } from '../../server/index.js';
import { startTestServer, Visitor } from '../demo/test-server.js';
import { startServer } from './start-server.js';

const KEY = 'the-secret-key';

/** What a browser says of a request that a page sends to its own origin. */
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

test('gives the signed-in person a token of the service, for this person only', async (context) => {
  const service = await startTestServer(context, { apiKey: KEY });
  const handler = createTokenHandler({
    apiKey: KEY,
    baseUrl: `${service.url}/api/v1/`,
    getUser: (request) => request.headers['x-who']?.toString(),
    expiresInMinutes: 5,
  });
  const url = await startServer(context, (request, response) => void handler(request, response));
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...OWN_PAGE, 'x-who': 'ann' },
    body: '{"external_user_id":"bob"}',
  });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('cache-control'), 'private, no-store');
  const answer = (await response.json()) as Record<string, unknown>;
  assert.deepEqual([answer['token_type'], answer['expires_in']], ['bearer', 300]);
  const ann = new Visitor(service.url, {
    authorization: `Bearer ${String(answer['access_token'])}`,
  });
  const made = (await ann.ask('POST', '/agent-sessions', {})).json as Record<string, unknown>;
  assert.equal(made['external_user_id'], 'ann');
});

test('nobody signed in gets nothing, whatever the request says', async (context) => {
  let minted = 0;
  const handler = createTokenHandler({
    apiKey: KEY,
    getUser: () => null,
    mint: () => {
      minted += 1;
      return Promise.resolve('token');
    },
  });
  const url = await startServer(context, (request, response) => void handler(request, response));
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...OWN_PAGE, 'x-end-user-id': 'ann', 'x-api-key': KEY },
  });
  assert.equal(response.status, 401);
  assert.deepEqual(await response.json(), { detail: 'Not authenticated' });
  assert.equal(minted, 0);
});

test('only a POST makes a token', async (context) => {
  const handler = createTokenHandler({
    apiKey: KEY,
    getUser: () => 'ann',
    mint: () => Promise.resolve('token'),
  });
  const url = await startServer(context, (request, response) => void handler(request, response));
  const response = await fetch(url);
  assert.equal(response.status, 405);
  assert.equal(response.headers.get('allow'), 'POST');
});

const LONG = `${' '.repeat(64 * 1024)}{"access_token":"token"}`;

for (const [name, answer] of [
  ['refuses', { status: 403, body: '{"detail":"no"}' }],
  ['speaks no JSON', { status: 200, body: '<html>' }],
  ['gives no token', { status: 200, body: '{}' }],
  ['answers with more than 64 kB', { status: 200, body: LONG }],
  ['answers with more than 64 kB in compressed form', { status: 200, body: gzipSync(LONG) }],
] as const) {
  test(`a service that ${name} gives 502 without the key or the reason`, async (context) => {
    const service = await startServer(context, (request, response) => {
      request.resume();
      const encoding = typeof answer.body === 'string' ? 'identity' : 'gzip';
      response.writeHead(answer.status, { 'content-encoding': encoding }).end(answer.body);
    });
    const handler = createTokenHandler({ apiKey: KEY, baseUrl: service, getUser: () => 'ann' });
    const url = await startServer(context, (request, response) => void handler(request, response));
    const response = await fetch(url, { method: 'POST', headers: OWN_PAGE });
    assert.equal(response.status, 502);
    assert.deepEqual(await response.json(), { detail: 'No token could be created' });
  });
}

test('the key does not follow a redirect', async (context) => {
  const keys: unknown[] = [];
  const thief = await startServer(context, (request, response) => {
    keys.push(request.headers['x-api-key']);
    response.end('{"access_token":"stolen"}');
  });
  const service = await startServer(context, (request, response) => {
    request.resume();
    response.writeHead(307, { location: thief }).end();
  });
  const handler = createTokenHandler({ apiKey: KEY, baseUrl: service, getUser: () => 'ann' });
  const url = await startServer(context, (request, response) => void handler(request, response));
  assert.equal((await fetch(url, { method: 'POST', headers: OWN_PAGE })).status, 502);
  assert.deepEqual(keys, []);
});

test('wrong options are refused at once', () => {
  const getUser = (): string => 'ann';
  assert.throws(() => createTokenHandler({ apiKey: '', getUser }), TypeError);
  assert.throws(
    () => createTokenHandler({ apiKey: KEY, getUser, expiresInMinutes: 4 }),
    RangeError,
  );
  assert.throws(() => createTokenHandler({ apiKey: KEY, getUser, baseUrl: 'ftp://x' }), TypeError);
});

test('a getUser that throws is answered with 500 and does not break the server', async (context) => {
  const handler = createTokenHandler({
    apiKey: KEY,
    getUser: () => Promise.reject(new Error(KEY)),
    mint: () => Promise.resolve('t'),
  });
  const url = await startServer(context, (request, response) => void handler(request, response));
  const response = await fetch(url, { method: 'POST', headers: OWN_PAGE });
  assert.equal(response.status, 500);
  assert.doesNotMatch(await response.text(), new RegExp(KEY, 'u'));
});

for (const [name, minted] of [
  ['nothing', undefined],
  ['null', null],
  ['an empty text', ''],
  ['an object', { access_token: 'token' }],
  ['a text with a line break', 'token\r\nx-other: 1'],
  ['a text beyond ASCII', 'tökén'],
  ['a text too long for a header', 'a'.repeat(8193)],
  ['a number that JSON cannot hold', 1n],
] as const) {
  test(`token route answers 502 when mint gives ${name}`, async (context) => {
    const handler = createTokenHandler({
      getUser: () => 'ann',
      mint: () => Promise.resolve(minted as string),
    });
    const url = await startServer(context, (request, response) => void handler(request, response));
    const response = await fetch(url, { method: 'POST', headers: OWN_PAGE });
    assert.equal(response.status, 502);
    assert.deepEqual(await response.json(), { detail: 'No token could be created' });
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
  test(`token route answers 502 without the reason when mint ${name}`, async (context) => {
    const handler = createTokenHandler({ getUser: () => 'ann', mint });
    const url = await startServer(context, (request, response) => void handler(request, response));
    const response = await fetch(url, { method: 'POST', headers: OWN_PAGE });
    assert.equal(response.status, 502);
    assert.deepEqual(await response.json(), { detail: 'No token could be created' });
  });
}

test('token handler refuses a mint that is no function', () => {
  assert.throws(
    () => createTokenHandler({ getUser: () => 'ann', mint: 'token' as never }),
    TypeError,
  );
});
