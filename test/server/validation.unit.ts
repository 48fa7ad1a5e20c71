import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBaseUrl } from '../../server/handler-options.js';
import { createTokenHandler, createUbikProxy } from '../../server/index.js';
import { Visitor } from '../demo/test-server.js';
import { KEY, startProxy, startRecordingService } from './start-proxy.js';

const options = { apiKey: KEY, getUser: () => 'ann' };

test('the base URL of the service loses closing slashes, query and fragment', () => {
  for (const [text, expected] of [
    [undefined, 'https://app.ubik-agent.com/api/v1'],
    ['http://service.test/api/v1', 'http://service.test/api/v1'],
    ['https://service.test/api/v1//?key=1#top', 'https://service.test/api/v1'],
    ['https://service.test/a//b/', 'https://service.test/a//b'],
    ['https://service.test', 'https://service.test/'],
  ] as const) {
    assert.equal(parseBaseUrl(text).href, expected);
  }
});

test('a base URL that is no address of the web is refused', () => {
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

test('amounts and minutes are accepted up to their bounds', () => {
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

test('an address of 4096 characters is forwarded, a longer one is not', async (context) => {
  const { url: service, seen } = await startRecordingService(context);
  const visitor = new Visitor(await startProxy(context, service), { 'x-who': 'ann' });
  const path = '/agent-sessions?page=';
  const fitting = path + '1'.repeat(4096 - path.length);
  assert.equal((await visitor.ask('GET', fitting)).status, 200);
  assert.equal((await visitor.ask('GET', `${fitting}1`)).status, 414);
  assert.equal(seen.length, 1);
});

test('a name of 500 characters is a user of the service, a longer or empty one is not', async (context) => {
  const { url: service, seen } = await startRecordingService(context);
  for (const [user, status] of [
    ['a b~', 200],
    ['a'.repeat(500), 200],
    ['a'.repeat(501), 502],
    [' ann', 502],
    ['ann ', 502],
    ['é', 502],
    ['a\n', 502],
    ['', 401],
  ] as const) {
    const url = await startProxy(context, service, { getUser: () => user });
    assert.equal((await new Visitor(url, {}).ask('GET', '/agent-sessions')).status, status, user);
  }
  assert.deepEqual(
    seen.map(({ headers }) => headers['x-end-user-id']),
    ['a b~', 'a'.repeat(500)],
  );
});

test('a refusal of beforeForward is answered with its status, its sentence and whole seconds', async (context) => {
  const { url: service } = await startRecordingService(context);
  for (const [given, told] of [
    [400, 400],
    [599, 599],
    [399, 500],
    [600, 500],
    [429.5, 500],
  ] as const) {
    const url = await startProxy(context, service, {
      beforeForward: () => ({ status: given, detail: 'Not now.', retryAfter: 1.2 }),
    });
    const response = await fetch(`${url}/api/v1/agent-sessions`, { headers: { 'x-who': 'ann' } });
    assert.equal(response.status, told);
    assert.equal(response.headers.get('retry-after'), '2');
    assert.deepEqual(await response.json(), { detail: 'Not now.' });
  }
});

test('a redirect of the service is refused from 300 to 399, and nothing else is', async (context) => {
  for (const [given, told] of [
    [299, 299],
    [300, 502],
    [399, 502],
    [400, 400],
  ] as const) {
    const { url: service } = await startRecordingService(context, (_request, response) => {
      response.writeHead(given, { location: '/elsewhere' }).end('{}');
    });
    const visitor = new Visitor(await startProxy(context, service), { 'x-who': 'ann' });
    assert.equal((await visitor.ask('GET', '/agent-sessions')).status, told);
  }
});

/** Data that cost more than their bytes say, as a value of a field that the integrator allows. */
const nest = (depth: number, open: string, close: string): string =>
  open.repeat(depth) + '0' + close.repeat(depth);

for (const [name, value, status] of [
  ['lists at the bound of depth', nest(63, '[', ']'), 200],
  ['lists over the bound of depth', nest(64, '[', ']'), 400],
  ['objects over the bound of depth', nest(64, '{"a":', '}'), 400],
  ['lists that cannot be walked', nest(500_000, '[', ']'), 400],
  ['lists that never end', '['.repeat(1_000_000), 400],
  ['as many values as are allowed', `[${'0,'.repeat(49_997)}0]`, 200],
  ['more values than are allowed', `[${'0,'.repeat(49_998)}0]`, 413],
  ['more keys than are allowed', `{${'"a":0,'.repeat(100_000)}"b":0}`, 413],
  ['brackets and commas in a text', JSON.stringify('[{,\\"'.repeat(100_000)), 200],
  ['a text that never ends', `"${'[,'.repeat(100_000)}`, 400],
] as const) {
  test(`an allowed field with ${name} is answered with ${String(status)}`, async (context) => {
    const { url: service, seen } = await startRecordingService(context);
    const url = await startProxy(context, service, { allowSessionOptions: ['mcp_config'] });
    const reply = await new Visitor(url, { 'x-who': 'ann' }).ask(
      'POST',
      '/agent-sessions',
      `{"mcp_config":${value}}`,
      { 'content-type': 'application/json' },
    );
    assert.equal(reply.status, status);
    assert.equal(seen.length, status === 200 ? 1 : 0);
  });
}
