import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { createCsrfCheck } from '../../server/csrf-check.js';
import { parseBaseUrl, type UserId } from '../../server/handler-options.js';
import { createTokenHandler, createUbikProxy } from '../../server/index.js';
import { DemoApiClient } from '../demo/test-server.js';
import { startLocalServerForTest } from '../helpers/local-server.js';
import { KEY, startProxy, startRecordingService } from './start-proxy.js';

const ID = '00000000-0000-4000-8000-000000000001';
const options = { apiKey: KEY, getUser: () => 'ann' };

test('parseBaseUrl removes trailing slashes, query and fragment', () => {
  for (const [text, expected] of [
    [undefined, 'https://app.ubik-agent.com/api/v1'],
    ['http://service.test/api/v1', 'http://service.test/api/v1'],
    ['https://service.test/api/v1//?key=1#top', 'https://service.test/api/v1'],
    ['https://service.test/a//b/', 'https://service.test/a//b'],
    ['https://service.test', 'https://service.test'],
  ] as const) {
    assert.equal(parseBaseUrl(text), expected);
  }
});

test('parseBaseUrl throws for anything but an http or https URL', () => {
  for (const text of [
    '',
    '/api',
    'service.test',
    'ftp://service.test',
    'xhttps://a',
    'httpss://a',
  ]) {
    assert.throws(() => parseBaseUrl(text), /^TypeError: baseUrl must be/u);
  }
});

test('server handlers accept numeric options up to their limits, and throw for a lifetime of tokens beyond them', () => {
  for (const amount of [1, 2 ** 31 - 1]) {
    createUbikProxy({ ...options, idleTimeout: amount });
    createUbikProxy({ ...options, firstByteTimeout: amount });
    createUbikProxy({ ...options, maxUploadBytes: amount });
  }
  for (const expiresInMinutes of [5, 1440]) createTokenHandler({ ...options, expiresInMinutes });
  for (const expiresInMinutes of [4, 5.5, 1441, NaN]) {
    assert.throws(() => createTokenHandler({ ...options, expiresInMinutes }), RangeError);
  }
});

test('proxy forwards a URL of 4,096 characters and rejects a longer one', async (context) => {
  const { url: service, requests } = await startRecordingService(context);
  const client = new DemoApiClient(await startProxy(context, service), { 'x-user': 'ann' });
  const path = '/agent-sessions?page=';
  const fitting = path + '1'.repeat(4096 - path.length);
  assert.equal((await client.request('GET', fitting)).status, 200);
  assert.equal((await client.request('GET', `${fitting}1`)).status, 414);
  assert.equal(requests.length, 1);
});

test('proxy accepts a user id of up to 500 characters or an integer, and rejects an invalid one', async (context) => {
  const { url: service, requests } = await startRecordingService(context);
  for (const [user, status] of [
    ['a b~', 200],
    ['a'.repeat(500), 200],
    [42, 200],
    ['a'.repeat(501), 500],
    [4.2, 500],
    [{ id: 'ann' }, 500],
    [' ann', 500],
    ['ann ', 500],
    ['é', 500],
    ['a\n', 500],
    ['', 401],
    [null, 401],
    [0, 401],
  ] as const) {
    const url = await startProxy(context, service, { getUser: () => user as UserId });
    assert.equal(
      (await new DemoApiClient(url, {}).request('GET', '/agent-sessions')).status,
      status,
      JSON.stringify(user),
    );
  }
  assert.deepEqual(
    requests.map(({ headers }) => headers['x-end-user-id']),
    ['a b~', 'a'.repeat(500), '42'],
  );
});

test('beforeForward rejects a request with its status, or 500 for one that is no error, its detail and whole seconds of Retry-After', async (context) => {
  const { url: service } = await startRecordingService(context);
  for (const [sent, received] of [
    [400, 400],
    [599, 599],
    [399, 500],
    [600, 500],
    [429.5, 500],
  ] as const) {
    const url = await startProxy(context, service, {
      beforeForward: () => ({ status: sent, detail: 'Not now.', retryAfter: 1.2 }),
    });
    const response = await fetch(`${url}/api/v1/agent-sessions`, { headers: { 'x-user': 'ann' } });
    assert.equal(response.status, received);
    assert.equal(response.headers.get('retry-after'), '2');
    assert.deepEqual(await response.json(), { detail: 'Not now.' });
  }
});

test('proxy rejects responses with a status from 300 to 399', async (context) => {
  for (const [sent, received] of [
    [299, 299],
    [300, 502],
    [399, 502],
    [400, 400],
  ] as const) {
    const { url: service } = await startRecordingService(context, (_request, response) => {
      response.writeHead(sent, { location: '/elsewhere' }).end('{}');
    });
    const client = new DemoApiClient(await startProxy(context, service), { 'x-user': 'ann' });
    assert.equal((await client.request('GET', '/agent-sessions')).status, received);
  }
});

/** Nested JSON, which costs more to parse than its bytes suggest. */
const nest = (depth: number, open: string, close: string): string =>
  open.repeat(depth) + '0' + close.repeat(depth);

// The limits are 64 levels and 50,000 values, counted as one plus the number of commas and opening brackets. The object around the field counts
// as a level, and its bracket as a value.
for (const [name, value, status] of [
  ['arrays at the limit of depth', nest(63, '[', ']'), 200],
  ['arrays over the limit of depth', nest(64, '[', ']'), 400],
  ['objects over the limit of depth', nest(64, '{"a":', '}'), 400],
  ['arrays too deep for recursion', nest(500_000, '[', ']'), 400],
  ['unclosed arrays', '['.repeat(1_000_000), 400],
  ['many arrays and objects beside each other', `[${'[0],{"a":[0]},'.repeat(100)}0]`, 200],
  ['more arrays than are allowed', `[${'[],'.repeat(25_000)}0]`, 413],
  ['as many values as are allowed', `[${'0,'.repeat(49_997)}0]`, 200],
  ['more values than are allowed', `[${'0,'.repeat(49_998)}0]`, 413],
  ['more keys than are allowed', `{${'"a":0,'.repeat(100_000)}"b":0}`, 413],
  ['brackets and commas in a string', JSON.stringify('[{,\\"'.repeat(100_000)), 200],
  ['an unclosed string', `"${'[,'.repeat(100_000)}`, 400],
] as const) {
  test(`proxy responds with ${String(status)} to an allowed field with ${name}`, async (context) => {
    const { url: service, requests } = await startRecordingService(context);
    const url = await startProxy(context, service, { allowSessionOptions: ['mcp_config'] });
    const reply = await new DemoApiClient(url, { 'x-user': 'ann' }).request(
      'POST',
      '/agent-sessions',
      `{"mcp_config":${value}}`,
      { 'content-type': 'application/json' },
    );
    assert.equal(reply.status, status);
    assert.equal(requests.length, status === 200 ? 1 : 0);
  });
}

test('a rejection by beforeForward without retryAfter has no Retry-After header', async (context) => {
  const { url: service } = await startRecordingService(context);
  const url = await startProxy(context, service, {
    beforeForward: () => ({ status: 429, detail: 'Not now.' }),
  });
  const response = await fetch(`${url}/api/v1/agent-sessions`, { headers: { 'x-user': 'ann' } });
  assert.deepEqual([response.status, response.headers.get('retry-after')], [429, null]);
});

test('proxy throws when beforeForward is not a function', () => {
  assert.throws(() => createUbikProxy({ ...options, beforeForward: 1 as never }), TypeError);
});

for (const [length, status] of [
  [64 * 1024, 200],
  [64 * 1024 + 1, 413],
] as const) {
  for (const encoding of [{}, { 'transfer-encoding': 'chunked' }]) {
    const how = 'transfer-encoding' in encoding ? 'chunked' : 'with a content length';
    test(`proxy responds with ${String(status)} to a JSON body of ${String(length)} bytes, ${how}`, async (context) => {
      const { url: service } = await startRecordingService(context);
      const url = await startProxy(context, service);
      const path = `/agent-sessions/${ID}/messages/${ID}/regenerate`;
      const request = httpRequest(`${url}/api/v1${path}`, {
        method: 'POST',
        headers: {
          'x-user': 'ann',
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/json',
          ...encoding,
        },
      });
      request.end(`{"stream":"${'x'.repeat(length - '{"stream":""}'.length)}"}`);
      const [reply] = (await once(request, 'response')) as [IncomingMessage];
      reply.resume();
      assert.equal(reply.statusCode, status);
    });
  }
}

for (const [how, more, status] of [
  ['of exactly 16 KiB', 0, 200],
  ['of a byte more than 16 KiB', 1, 431],
] as const) {
  test(`proxy responds with ${String(status)} to headers ${how}`, async (context) => {
    const { url: service } = await startRecordingService(context);
    const proxy = createUbikProxy({ ...options, baseUrl: service });
    const origin = await startLocalServerForTest(context, proxy, { maxHeaderSize: 100_000 });
    const headers = { host: 'x', connection: 'close', 'x-large': '' };
    const length = Object.entries(headers).flat().join('').length;
    headers['x-large'] = 'x'.repeat(16 * 1024 - length + more);
    const request = httpRequest(`${origin}/agent-sessions`, { headers });
    request.end();
    const [reply] = (await once(request, 'response')) as [IncomingMessage];
    reply.resume();
    assert.equal(reply.statusCode, status);
  });
}

test('createCsrfCheck accepts GET and HEAD requests without an origin', () => {
  const assertAllowedOrigin = createCsrfCheck();
  const request = (method?: string) => ({ method, headers: {} }) as IncomingMessage;
  for (const method of ['GET', 'HEAD', undefined]) assertAllowedOrigin(request(method));
  assert.throws(() => assertAllowedOrigin(request('POST')), { status: 403 });
});
