import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { createControlledStream } from '../helpers/controlled-stream.js';
import { jsonResponse, errorOf, GET, setupHttp } from '../helpers/http-client.js';

const STATUSES = [
  [400, 'bad-request'],
  [401, 'unauthorized'],
  [402, 'rate-limited'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [408, 'server'],
  [409, 'busy'],
  [410, 'not-found'],
  [413, 'too-large'],
  [418, 'bad-request'],
  [422, 'invalid'],
  [429, 'rate-limited'],
  [500, 'server'],
  [502, 'server'],
  [503, 'server'],
  [504, 'server'],
  [599, 'server'],
] as const;

for (const [status, code] of STATUSES) {
  test(`HTTP client reports the status ${status} as ${code}`, async () => {
    const { client } = setupHttp(() => jsonResponse({ detail: 'why' }, status), {
      getToken: undefined,
    });
    const error = await errorOf(client.request(GET));
    assert.deepEqual([error.code, error.status, error.message], [code, status, 'why']);
    const call = { method: 'POST', path: '/up', form: new FormData() } as const;
    assert.equal((await errorOf(client.upload(call, () => undefined))).code, code);
  });
}

const DETAILS: readonly (readonly [
  title: string,
  body: string,
  message: string,
  offender: string | undefined,
])[] = [
  ['a text', '{"detail":"Bad thing"}', 'Bad thing', undefined],
  [
    'a list',
    '{"detail":[{"loc":["body","checkpoint_id"],"msg":"Field required","type":"missing"},{"loc":["query","page"],"msg":"too small"}]}',
    'checkpoint_id: Field required; query.page: too small',
    'checkpoint_id, query.page',
  ],
  ['an object', '{"detail":{"message":"Nested"}}', 'Nested', undefined],
  ['an object in an object', '{"error":{"detail":{"msg":"Deep"}}}', 'Deep', undefined],
  ['a text with spaces around it', '{"detail":" Bad thing\\n"}', 'Bad thing', undefined],
  ['a message', '{"message":"Hello"}', 'Hello', undefined],
  ['an error', '{"error":"Oh"}', 'Oh', undefined],
  ['an empty detail', '{"detail":"","error":"Oh"}', 'Oh', undefined],
  ['a JSON text', '"plain"', 'plain', undefined],
  ['an empty body', '', 'The service answered with the status 422.', undefined],
  ['other JSON', '[1,{"x":2}]', 'The service answered with the status 422.', undefined],
  [
    'deep nesting',
    `{"detail":${'['.repeat(5000)}"x"${']'.repeat(5000)}}`,
    'The service answered with the status 422.',
    undefined,
  ],
  [
    'names of a prototype',
    '{"__proto__":{"detail":"no"}}',
    'The service answered with the status 422.',
    undefined,
  ],
];

for (const [title, body, message, offender] of DETAILS) {
  test(`HTTP client takes the error message from the response body: ${title}`, async () => {
    const { client } = setupHttp(
      () => new Response(body, { status: 422, headers: { 'content-type': 'application/json' } }),
    );
    const error = await errorOf(client.json(GET));
    assert.deepEqual([error.code, error.message, error.offender], ['invalid', message, offender]);
  });
}

test('HTTP client does not split a surrogate pair when it truncates an error description', async () => {
  const advice = `${'x'.repeat(498)}😀${'x'.repeat(100)}`;
  const readServiceError = () => ({ description: '', advice, code: '' });
  const { client } = setupHttp(() => jsonResponse({}, 403), { readServiceError });
  const { serviceError } = await errorOf(client.json(GET));
  assert.equal(serviceError?.advice, `${'x'.repeat(498)}…`);
});

test('HTTP client passes on the error description that the service has for users, without the token', async () => {
  const body = { reason: 'token-1 is not known', hint: 'x'.repeat(600), id: 'E7' };
  const read = (value: unknown) => {
    const { reason, hint, id } = value as typeof body;
    return { description: reason, advice: hint, code: id };
  };
  const { client } = setupHttp(() => jsonResponse(body, 403), { readServiceError: read });
  const { code, serviceError } = await errorOf(client.json(GET));
  assert.equal(code, 'forbidden');
  assert.deepEqual(serviceError, {
    description: '[token] is not known',
    advice: `${'x'.repeat(499)}…`,
    code: 'E7',
  });
});

test('HTTP client has no error description by default', async () => {
  const { client } = setupHttp(() => jsonResponse({ detail: 'why' }, 500));
  assert.equal((await errorOf(client.json(GET))).serviceError, undefined);
});

test('HTTP client shortens a long error message and cancels an endless body', async () => {
  const long = setupHttp(() => jsonResponse({ detail: 'x'.repeat(10_000) }, 400));
  assert.equal((await errorOf(long.client.json(GET))).message.length, 500);
  const body = createControlledStream();
  for (let piece = 0; piece < 3; piece++) body.push('x'.repeat(1 << 15));
  const endless = setupHttp(() => new Response(body.stream, { status: 500 }));
  assert.equal((await errorOf(endless.client.json(GET))).code, 'server');
  assert.ok(body.cancelled);
});

test('HTTP client reads Retry-After as seconds or as a date', async () => {
  for (const [value, expected] of [
    ['7', 7000],
    ['0', 0],
    [' 12 ', 12_000],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Thu, 01 Jan 2026 00:00:00 GMT', 0],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['2026-01-01', undefined],
    ['9'.repeat(30), undefined],
  ] as const) {
    const { client } = setupHttp(() => jsonResponse({}, 503, { 'retry-after': value }));
    assert.equal((await errorOf(client.json(GET))).retryAfter, expected, value);
  }
});

test('HTTP client measures a Retry-After date from the Date header, not from the local clock', async () => {
  const date = 'Thu, 01 Jan 2026 05:00:00 GMT';
  for (const [value, dateHeader, expected] of [
    ['Thu, 01 Jan 2026 05:00:02 GMT', date, 2000],
    ['Thu, 01 Jan 2026 04:59:00 GMT', date, 0],
    ['Thu, 01 Jan 2026 00:00:02 GMT', 'yesterday', 2000],
    ['7', date, 7000],
  ] as const) {
    const headers = { 'retry-after': value, date: dateHeader };
    const { client } = setupHttp(() => jsonResponse({}, 503, headers));
    assert.equal((await errorOf(client.json(GET))).retryAfter, expected, value);
  }
});

test('HTTP client reports an HTML page instead of the service as not-an-api, except with statuses that a proxy sends', async () => {
  const page = (status: number) => () =>
    new Response('<!doctype html><title>Hi</title>', {
      status,
      headers: { 'content-type': 'text/html' },
    });
  for (const [status, code] of [
    [200, 'not-an-api'],
    [404, 'not-an-api'],
    [405, 'not-an-api'],
    [413, 'too-large'],
    [502, 'server'],
    [403, 'forbidden'],
  ] as const) {
    const { client } = setupHttp(page(status));
    const error = await errorOf(client.json(GET));
    assert.deepEqual([error.code, error.status], [code, status]);
    assert.doesNotMatch(error.message, /</);
  }
  const { client } = setupHttp(page(200));
  assert.equal(
    (await errorOf(client.request({ ...GET, accept: 'text/event-stream, application/json' }))).code,
    'not-an-api',
  );
  assert.equal((await client.request({ ...GET, accept: '*/*' })).status, 200);
});

test('HTTP client reports invalid JSON as not-an-api without quoting it', async () => {
  for (const body of ['<html></html>', 'OK', '{"cut":']) {
    const { client } = setupHttp(
      () => new Response(body, { headers: { 'content-type': 'application/json' } }),
    );
    const error = await errorOf(client.json(GET));
    assert.equal(error.code, 'not-an-api');
    assert.doesNotMatch(inspect(error), /cut/);
  }
});

test('HTTP client returns null for a response without content', async () => {
  for (const response of [() => new Response(null, { status: 204 }), () => new Response('')]) {
    assert.equal(await setupHttp(response).client.json(GET), null);
  }
});

test('HTTP client rejects a JSON response over its limit in bytes', async () => {
  const { client } = setupHttp(() => jsonResponse('é'.repeat(60)), { limits: { jsonBytes: 100 } });
  assert.equal((await errorOf(client.json(GET))).code, 'too-large');
  const fits = setupHttp(() => jsonResponse('é'.repeat(49)), { limits: { jsonBytes: 100 } });
  assert.equal(await fits.client.json(GET), 'é'.repeat(49));
});

test('HTTP client reports a failed fetch as network and an abort as aborted', async () => {
  const failing = setupHttp(() => {
    throw new TypeError('Failed to fetch');
  });
  assert.equal((await errorOf(failing.client.json(GET))).code, 'network');
  const abort = new AbortController();
  const { client } = setupHttp(() => new Promise<Response>(() => undefined));
  const pending = client.json({ ...GET, signal: abort.signal });
  abort.abort();
  assert.equal((await errorOf(pending)).code, 'aborted');
  assert.equal((await errorOf(client.json({ ...GET, signal: abort.signal }))).code, 'aborted');
});

test('HTTP client rejects and aborts a request that times out', async () => {
  const { client, environment } = setupHttp(() => new Promise<Response>(() => undefined));
  const error = errorOf(client.request({ ...GET, timeout: 5000 }));
  await environment.advance(5000);
  assert.equal((await error).code, 'network');
  assert.equal(environment.requests[0]?.init.signal?.aborted, true);
  assert.equal(environment.timers, 0);
});

test('HTTP client reports a body that breaks as network', async () => {
  const body = createControlledStream();
  const { client } = setupHttp(() => new Response(body.stream));
  const error = errorOf(client.json(GET));
  body.push('{');
  body.fail();
  assert.equal((await error).code, 'network');
});
