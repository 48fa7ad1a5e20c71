import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { inspect } from 'node:util';
import type { UbikError } from '../../src/errors.js';
import { encodePath } from '../../src/transport/http.js';
import { FILE_PAGE_HINT } from '../../src/transport/url.js';
import { createControlledStream } from '../helpers/controlled-stream.js';
import { BASE, jsonResponse, errorOf, GET, setupHttp } from '../helpers/http-client.js';

test('HTTP client sends the token in a header, without cache, cookies, referrer or redirects', async () => {
  const { client, environment, tokenReasons } = setupHttp();
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
  assert.deepEqual(tokenReasons, ['connect']);
});

test('HTTP client sends JSON and forms', async () => {
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

for (const [what, headers] of [
  ['given', { 'Content-Type': 'application/json' }],
  ['returned by a function', () => ({ 'Content-Type': 'application/json' })],
] as const) {
  test(`HTTP client leaves the type of a form to the browser when headers with a type are ${what}`, async () => {
    const { client, environment } = setupHttp(undefined, { headers });
    await client.json({ method: 'POST', path: '/b', form: new FormData() });
    assert.equal(environment.requests[0]?.headers.get('content-type'), null);
  });
}

test('HTTP client encodes the ids of a path and the query', async () => {
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

test('encodePath rejects ids that would change the path', () => {
  for (const id of ['', '.', '..']) {
    assert.throws(() => encodePath`/things/${id}/stop`, { code: 'misuse' });
  }
});

test('HTTP client accepts base URLs with or without a path or trailing slash, and relative ones', async () => {
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

test('HTTP client hints at a page opened as a file only when the page has no URL', () => {
  const messageFor = (pageUrl: string | null) => {
    try {
      setupHttp(undefined, { baseUrl: 'ftp://api.test' }, { pageUrl });
    } catch (error) {
      return (error as UbikError).message;
    }
    return assert.fail('createHttpClient did not throw');
  };
  assert.ok(messageFor(null).includes(FILE_PAGE_HINT));
  assert.ok(!messageFor('https://page.test/').includes(FILE_PAGE_HINT));
});

test('HTTP client rejects unusable base URLs', () => {
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

test("HTTP client sends cookies to the page's own origin only", async () => {
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

test('HTTP client accepts a URL from the service below the base URL', async () => {
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

test('HTTP client rejects a URL of the same origin outside the base URL', async () => {
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

test('HTTP client rejects a URL of another origin without requesting a token', async () => {
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
    const { client, environment, tokenReasons } = setupHttp();
    const error = await errorOf(client.request({ method: 'GET', url }));
    assert.equal(error.code, 'foreign-origin', url);
    assert.deepEqual([environment.requests.length, tokenReasons.length], [0, 0]);
  }
});

test('HTTP client rejects a path that leaves the base URL', async () => {
  for (const path of ['things', '/../../admin', '/%2e%2e/%2E%2E/admin', undefined]) {
    const { client, environment } = setupHttp();
    assert.equal((await errorOf(client.json({ method: 'GET', path }))).code, 'misuse', path);
    assert.equal(environment.requests.length, 0);
  }
  const { client, environment } = setupHttp();
  await client.json({ method: 'GET', path: '//evil.test/x' });
  assert.equal(environment.requests[0]?.url.origin, 'https://api.test');
});

test('HTTP client rejects a response from another origin', async () => {
  const redirected = () =>
    Object.defineProperty(jsonResponse({}), 'url', { value: 'https://evil.test/x' });
  const { client } = setupHttp(redirected);
  assert.equal((await errorOf(client.json(GET))).code, 'foreign-origin');
  const upload = client.upload(
    { method: 'POST', path: '/up', form: new FormData() },
    () => undefined,
  );
  assert.equal((await errorOf(upload)).code, 'foreign-origin');
});

test('HTTP client adds the headers of the host to each request without replacing its own', async () => {
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

test('HTTP client reports invalid headers as misuse without quoting them', async () => {
  for (const headers of [
    { 'x-key': 'se\ncret' },
    { 'x key': 'secret' },
    () => {
      throw new Error('x');
    },
    () => {
      throw new TypeError('undefined is not an object');
    },
  ]) {
    const { client, environment } = setupHttp(undefined, { headers });
    const error = await errorOf(client.json(GET));
    assert.equal(error.code, 'misuse');
    assert.doesNotMatch(inspect(error), /se\s*cret/);
    assert.equal(environment.requests.length, 0);
  }
});

test('HTTP client reports that the headers option has no network without quoting the error', async () => {
  for (const thrown of [
    new TypeError('Failed to fetch secret'),
    new DOMException('secret', 'TimeoutError'),
  ]) {
    const { client, environment } = setupHttp(undefined, { headers: () => Promise.reject(thrown) });
    const error = await errorOf(client.json(GET));
    assert.deepEqual([error.code, error.unsent], ['network', true]);
    assert.doesNotMatch(inspect(error), /secret/);
    assert.equal(environment.requests.length, 0);
  }
});

test('HTTP client sends nothing when the signal is already aborted', async () => {
  const { client, environment } = setupHttp();
  await errorOf(client.json({ ...GET, signal: AbortSignal.abort() }));
  assert.equal(environment.requests.length, 0);
});

test('HTTP client requests no token when the signal is already aborted', async () => {
  const { client, tokenReasons } = setupHttp();
  const error = await errorOf(client.json({ ...GET, signal: AbortSignal.abort() }));
  assert.deepEqual([error.code, tokenReasons], ['aborted', []]);
});

test('HTTP client sends nothing when it is aborted while the token is requested', async () => {
  const controller = new AbortController();
  const { client, environment } = setupHttp(undefined, {
    getToken: () => {
      controller.abort();
      return 'token';
    },
  });
  const error = await errorOf(client.json({ ...GET, signal: controller.signal }));
  await environment.settle();
  assert.deepEqual([error.code, environment.requests.length], ['aborted', 0]);
});

test('HTTP client applies the timeout to the response headers only, and an abort to the body too', async () => {
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

test('HTTP client creates a signal for each request', async () => {
  const abort = new AbortController();
  const { client, environment } = setupHttp();
  await client.request({ ...GET, signal: abort.signal });
  await client.request({ ...GET, signal: abort.signal });
  const [first, second] = environment.requests;
  assert.notEqual(first?.init.signal, second?.init.signal);
});

test('HTTP client leaves no listener on the signal of many requests', async () => {
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

test('HTTP client reports the progress of an upload', async () => {
  const { client } = setupHttp();
  const progress: number[] = [];
  await client.upload({ method: 'POST', path: '/up', form: new FormData() }, (sent, total) =>
    progress.push(sent, total),
  );
  assert.deepEqual(progress, [1, 1]);
});
