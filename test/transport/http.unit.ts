import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { inspect } from 'node:util';
import type { UbikError } from '../../src/errors.js';
import { encodePath } from '../../src/transport/http.js';
import { FILE_PAGE_HINT } from '../../src/transport/url.js';
import { createControlledStream } from '../helpers/controlled-stream.js';
import { BASE, answerJson, errorOf, GET, setupHttp } from '../helpers/http-client.js';

test('sends with the token in a header, without cache, cookies, referrer or redirects', async () => {
  const { client, environment, asked } = setupHttp();
  assert.deepEqual(await client.json(GET), { ok: true });
  const [{ url, method, headers, init }] = environment.requests as [
    (typeof environment.requests)[0],
  ];
  assert.equal(url.href, 'https://api.test/api/v1/things');
  assert.equal(method, 'GET');
  assert.equal(headers.get('authorization'), 'Bearer token-1');
  assert.equal(headers.get('accept'), 'application/json');
  assert.deepEqual(
    [init.redirect, init.cache, init.credentials, init.referrerPolicy],
    ['error', 'no-store', 'omit', 'no-referrer'],
  );
  assert.deepEqual(asked, ['connect']);
});

test('sends JSON and forms', async () => {
  const { client, environment } = setupHttp();
  await client.json({ method: 'POST', path: '/a', json: { text: 'é' } });
  const form = new FormData();
  await client.json({ method: 'POST', path: '/b', form });
  const [first, second] = environment.requests;
  assert.equal(first?.init.body, '{"text":"é"}');
  assert.equal(first?.headers.get('content-type'), 'application/json');
  assert.equal(second?.init.body, form);
  assert.equal(second?.headers.get('content-type'), null);
});

test('builds addresses of a path, its ids and a query', async () => {
  const { client, environment } = setupHttp();
  const path = encodePath`/things/${'a/b?c#d é'}/parts/${'\ud800'}`;
  await client.json({
    method: 'GET',
    path,
    query: { page: 2, all: true, none: null, gone: undefined, q: 'ä&=' },
  });
  assert.equal(
    environment.requests[0]?.url.href,
    'https://api.test/api/v1/things/a%2Fb%3Fc%23d%20%C3%A9/parts/%ED%A0%80?page=2&all=true&q=%C3%A4%26%3D',
  );
});

test('refuses ids that would change the address', () => {
  for (const id of ['', '.', '..']) {
    assert.throws(() => encodePath`/things/${id}/stop`, { code: 'misuse' });
  }
});

test('takes base URLs with and without a path or closing slash, and relative ones', async () => {
  for (const [baseUrl, expected] of [
    ['https://api.test', 'https://api.test/things'],
    ['https://api.test/', 'https://api.test/things'],
    ['https://api.test/v1//?x#y', 'https://api.test/v1/things'],
    ['/ubik', 'https://page.test/ubik/things'],
    ['ubik', 'https://page.test/docs/ubik/things'],
    ['', 'https://page.test/docs/chat.html/things'],
  ] as const) {
    const { client, environment } = setupHttp(
      undefined,
      { baseUrl },
      { pageUrl: 'https://page.test/docs/chat.html?q' },
    );
    await client.json(GET);
    assert.equal(environment.requests[0]?.url.href, expected);
    assert.equal(`${client.baseUrl}/things`, expected);
  }
});

test('a base URL that cannot be used names the page as the cause only when it was opened as a file', () => {
  const messageFor = (pageUrl: string | null) => {
    try {
      setupHttp(undefined, { baseUrl: 'ftp://api.test' }, { pageUrl });
    } catch (error) {
      return (error as UbikError).message;
    }
    return assert.fail('it is refused');
  };
  assert.ok(messageFor(null).includes(FILE_PAGE_HINT));
  assert.ok(!messageFor('https://page.test/').includes(FILE_PAGE_HINT));
});

test('refuses base URLs that cannot be used', () => {
  for (const [baseUrl, pageUrl] of [
    ['/ubik', null],
    ['ftp://api.test', null],
    ['javascript:alert(1)', 'https://page.test/'],
    ['https://user:secret@api.test', null],
    ['https://', null],
  ] as const) {
    assert.throws(
      () => setupHttp(undefined, { baseUrl }, { pageUrl }),
      { code: 'misuse' },
      baseUrl,
    );
  }
});

test('sends cookies to the own origin of the page and to no other', async () => {
  for (const [pageUrl, credentials] of [
    ['https://api.test/chat', 'same-origin'],
    ['https://page.test/', 'omit'],
    ['http://api.test/', 'omit'],
    ['https://api.test:8443/', 'omit'],
    [null, 'omit'],
  ] as const) {
    const { client, environment } = setupHttp(undefined, {}, { pageUrl });
    await client.json(GET);
    await client.upload({ method: 'POST', path: '/up', form: new FormData() }, () => undefined);
    assert.deepEqual(
      environment.requests.map(({ init }) => init.credentials),
      [credentials, credentials],
    );
  }
});

test('follows an address that the service names below the base URL', async () => {
  const { client, environment } = setupHttp();
  for (const url of [
    `${BASE}/x?task=1#frag`,
    '/api/v1/rooted',
    'https://api.test:443/api/v1/port',
  ]) {
    await client.json({ method: 'GET', url });
  }
  assert.deepEqual(
    environment.requests.map(({ url }) => url.href),
    [`${BASE}/x?task=1`, `${BASE}/rooted`, `${BASE}/port`],
  );
});

test('sends nothing to an address of the own origin that is not below the base URL', async () => {
  const { client, environment } = setupHttp();
  for (const url of [
    'https://api.test/logout',
    '/logout',
    '/api/v1x/logout',
    '/api/v1/../logout',
    '/api/v1/%2e%2e/logout',
    '/api/v1/..%2flogout',
    '/api/v1/..%5Clogout',
    '/api/v1\\..\\logout',
    '?logout',
  ]) {
    await assert.rejects(client.json({ method: 'GET', url }), { code: 'foreign-origin' }, url);
  }
  assert.deepEqual(environment.requests, []);
});

test('sends nothing to another origin, and asks for no token', async () => {
  const foreign = [
    'https://evil.test/x',
    '//evil.test/x',
    'http://api.test/x',
    'https://api.test:444/x',
    'https://api.test.evil.test/',
    'https://api.test@evil.test/',
    'https://u:p@api.test/',
    '\\\\evil.test\\x',
    'javascript:1',
    'data:,x',
    'https://',
  ];
  for (const url of foreign) {
    const { client, environment, asked } = setupHttp();
    const error = await errorOf(client.request({ method: 'GET', url }));
    assert.equal(error.code, 'foreign-origin', url);
    assert.deepEqual([environment.requests.length, asked.length], [0, 0]);
  }
});

test('keeps paths below the base URL', async () => {
  for (const path of ['things', '/../../admin', '/%2e%2e/%2E%2E/admin', undefined]) {
    const { client, environment } = setupHttp();
    assert.equal((await errorOf(client.json({ method: 'GET', path }))).code, 'misuse', path);
    assert.equal(environment.requests.length, 0);
  }
  const { client, environment } = setupHttp();
  await client.json({ method: 'GET', path: '//evil.test/x' });
  assert.equal(environment.requests[0]?.url.origin, 'https://api.test');
});

test('refuses an answer that came from another origin', async () => {
  const moved = () =>
    Object.defineProperty(answerJson({}), 'url', { value: 'https://evil.test/x' });
  const { client } = setupHttp(moved);
  assert.equal((await errorOf(client.json(GET))).code, 'foreign-origin');
  const upload = client.upload(
    { method: 'POST', path: '/up', form: new FormData() },
    () => undefined,
  );
  assert.equal((await errorOf(upload)).code, 'foreign-origin');
});

test('adds headers of the host, asked each time, which replace none of ours', async () => {
  let count = 0;
  const { client, environment } = setupHttp(undefined, {
    headers: async () => ({
      'x-tenant': `t${++count}`,
      Authorization: 'Basic x',
      accept: 'text/plain',
    }),
  });
  await client.json(GET);
  await client.json(GET);
  const [first, second] = environment.requests;
  assert.deepEqual([first?.headers.get('x-tenant'), second?.headers.get('x-tenant')], ['t1', 't2']);
  assert.equal(first?.headers.get('authorization'), 'Bearer token-1');
  assert.equal(first?.headers.get('accept'), 'application/json');
});

test('calls headers that cannot be sent a misuse, without quoting them', async () => {
  for (const headers of [
    { 'x-key': 'se\ncret' },
    { 'x key': 'secret' },
    () => {
      throw new Error('x');
    },
  ]) {
    const { client, environment } = setupHttp(undefined, { headers });
    const error = await errorOf(client.json(GET));
    assert.equal(error.code, 'misuse');
    assert.doesNotMatch(inspect(error), /se\s*cret/);
    assert.equal(environment.requests.length, 0);
  }
});

test('sends nothing when its signal was aborted before', async () => {
  const { client, environment } = setupHttp();
  await errorOf(client.json({ ...GET, signal: AbortSignal.abort() }));
  assert.equal(environment.requests.length, 0);
});

test('limits the head of an answer in time, not its stream, and passes an abort on to that', async () => {
  const abort = new AbortController();
  let body = createControlledStream();
  const { client, environment } = setupHttp(({ signal }) => {
    body = createControlledStream(signal);
    return new Response(body.stream);
  });
  const response = await client.request({ ...GET, timeout: 5000, signal: abort.signal });
  await environment.advance(60_000);
  body.push('still there');
  const reader = response.body?.getReader();
  assert.equal((await reader?.read())?.done, false);
  abort.abort();
  await assert.rejects(async () => reader?.read());
});

test('gives each attempt a signal of its own', async () => {
  const abort = new AbortController();
  const { client, environment } = setupHttp();
  await client.request({ ...GET, signal: abort.signal });
  await client.request({ ...GET, signal: abort.signal });
  const [first, second] = environment.requests;
  assert.notEqual(first?.init.signal, second?.init.signal);
});

test('leaves no listener on a signal that serves many requests', async () => {
  const { signal } = new AbortController();
  const { client } = setupHttp();
  const form = new FormData();
  for (let count = 0; count < 20; count++) {
    await (await client.request({ ...GET, signal, timeout: 5000 })).text();
    await client.json({ ...GET, signal });
    await client.upload({ method: 'POST', path: '/up', form, signal }, () => undefined);
  }
  assert.deepEqual(getEventListeners(signal, 'abort'), []);
});

test('lets an upload tell how far it is', async () => {
  const { client } = setupHttp();
  const progress: number[] = [];
  await client.upload({ method: 'POST', path: '/up', form: new FormData() }, (sent, total) =>
    progress.push(sent, total),
  );
  assert.deepEqual(progress, [1, 1]);
});
