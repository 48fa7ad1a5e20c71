import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { UbikError } from '../../src/errors.js';
import { jsonResponse, errorOf, GET, setupHttp } from '../helpers/http-client.js';
import { Deferred } from '../helpers/deferred.js';
import type { TokenRequest } from '../../src/transport/http.js';
import type { Respond } from '../helpers/test-environment.js';

/** A JSON Web Token with these claims. The name is its signature, so that tests can tell tokens apart. */
function createJwt(name: string, claims: object): string {
  const encode = (value: object): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encode({ alg: 'none' })}.${encode(claims)}.${name}`;
}

test('HTTP client keeps a token for later requests', async () => {
  const { client, tokenReasons, environment } = setupHttp();
  await client.json(GET);
  await environment.advance(1_000_000);
  await Promise.all([client.json(GET), client.json({ ...GET, method: 'POST', json: {} })]);
  assert.deepEqual(tokenReasons, ['connect']);
  assert.deepEqual(
    environment.requests.map(({ headers }) => headers.get('authorization')),
    ['Bearer token-1', 'Bearer token-1', 'Bearer token-1'],
  );
});

test('HTTP client requests another token 30 s before the current one expires', async () => {
  let count = 0;
  const { client, environment } = setupHttp(undefined, {
    getToken: () => {
      const exp = environment.now() / 1000 + 60;
      return createJwt(String(++count), { exp, name: 'Ü' });
    },
  });
  const readName = async (): Promise<string | undefined> => {
    await client.json(GET);
    return environment.requests.at(-1)?.headers.get('authorization')?.split('.').at(-1);
  };
  assert.equal(await readName(), '1');
  await environment.advance(29_000);
  assert.equal(await readName(), '1');
  await environment.advance(1_000);
  assert.deepEqual([await readName(), await readName()], ['2', '2']);
});

test('HTTP client keeps a token whose expiry it cannot read until it is rejected', async () => {
  for (const token of [
    createJwt('s', {}),
    createJwt('s', { exp: '1' }),
    createJwt('s', { exp: null }),
    'a.b.c',
    'a.bnVsbA.c',
    '..',
    'opaque',
  ]) {
    let count = 0;
    const { client } = setupHttp(undefined, { getToken: () => (count++, token) });
    await client.json(GET);
    await client.json(GET);
    assert.equal(count, 1, token);
  }
});

test('HTTP client calls getToken for each request while it returns no token', async () => {
  const tokens = ['', '', 'token'];
  const { client, environment } = setupHttp(undefined, { getToken: () => tokens.shift() ?? '' });
  for (let count = 0; count < 4; count += 1) await client.json(GET);
  assert.deepEqual(
    environment.requests.map(({ headers }) => headers.get('authorization')),
    [null, null, 'Bearer token', 'Bearer token'],
  );
});

test('HTTP client drops its token when forgetToken is called, also one that is still being requested', async () => {
  const tokens = [new Deferred<string>(), new Deferred<string>()];
  let count = 0;
  const { client, environment } = setupHttp(undefined, {
    getToken: () => tokens[count++]?.promise ?? 'third',
  });
  const before = client.json({ ...GET, path: '/before' });
  await environment.settle();
  client.forgetToken();
  const after = client.json({ ...GET, path: '/after' });
  await environment.settle();
  tokens[1]?.resolve('second');
  await after;
  tokens[0]?.resolve('first');
  await before;
  await client.json(GET);
  client.forgetToken();
  await client.request({ ...GET, method: 'DELETE', keepalive: true });
  await client.json(GET);
  assert.deepEqual(
    environment.requests.map(({ headers }) => headers.get('authorization')),
    // The request with `keepalive` has no token.
    ['Bearer second', 'Bearer first', 'Bearer second', null, 'Bearer third'],
  );
});

test('HTTP client does not repeat a rejected request with the token of the next user', async () => {
  const { client, environment, tokenReasons } = setupHttp(({ headers, method }) => {
    const isRejected = headers.get('authorization') === 'Bearer token-1';
    if (method === 'POST') client.forgetToken();
    return jsonResponse({ ok: 1 }, isRejected ? 401 : 200);
  });
  const error = await errorOf(client.json({ ...GET, method: 'POST', json: { text: 'mine' } }));
  assert.deepEqual([error.code, error.unsent], ['unauthorized', true]);
  assert.match(error.message, /user may have changed: the request was not repeated/);
  assert.deepEqual(await client.json(GET), { ok: 1 });
  assert.deepEqual(
    environment.requests.map(({ method, headers }) => [method, headers.get('authorization')]),
    [
      ['POST', 'Bearer token-1'],
      ['GET', 'Bearer token-2'],
    ],
  );
  assert.deepEqual(tokenReasons, ['connect', 'connect']);
});

test('HTTP client does not repeat a request when its token is dropped while the replacement is being requested', async () => {
  const replacement = new Deferred<string>();
  const { client, environment } = setupHttp(() => jsonResponse({}, 401), {
    getToken: ({ reason }) => (reason === 'connect' ? 'first' : replacement.promise),
  });
  const failure = errorOf(client.json(GET));
  await environment.settle();
  client.forgetToken();
  replacement.resolve('second');
  const { code, unsent } = await failure;
  assert.deepEqual([code, unsent], ['unauthorized', true]);
  assert.equal(environment.requests.length, 1);
});

test('HTTP client repeats a request that was rejected without a token with the first token, also when forgetToken was called meanwhile', async () => {
  const tokens = [''];
  const { client, environment } = setupHttp(
    ({ headers }) => {
      client.forgetToken();
      return jsonResponse({ ok: 1 }, headers.has('authorization') ? 200 : 401);
    },
    { getToken: () => tokens.shift() ?? 'first' },
  );
  assert.deepEqual(await client.json(GET), { ok: 1 });
  assert.equal(environment.requests.length, 2);
});

test('HTTP client requests a token ahead of time, once, and ignores its failure', async () => {
  const { client, tokenReasons, environment } = setupHttp();
  void client.prepare();
  void client.prepare();
  await environment.settle();
  assert.deepEqual([tokenReasons, environment.requests.length], [['connect'], 0]);
  await client.json(GET);
  void client.prepare();
  await client.json(GET);
  assert.deepEqual(tokenReasons, ['connect']);
  client.forgetToken();
  void client.prepare();
  await client.json(GET);
  assert.deepEqual(tokenReasons, ['connect', 'connect']);

  let count = 0;
  const failing = setupHttp(undefined, {
    getToken: () => {
      count += 1;
      throw new Error('not signed in');
    },
  });
  void failing.client.prepare();
  await failing.environment.settle();
  void failing.client.prepare();
  assert.equal((await errorOf(failing.client.json(GET))).code, 'unauthorized');
  assert.equal(count, 2);
});

test('HTTP client requests one token for concurrent requests', async () => {
  const { client, tokenReasons } = setupHttp();
  await Promise.all([client.json(GET), client.json(GET), client.json(GET)]);
  assert.deepEqual(tokenReasons, ['connect']);
});

test('HTTP client sends no authorization without getToken or with an empty token', async () => {
  for (const getToken of [undefined, () => '']) {
    const { client, environment } = setupHttp(undefined, { getToken });
    await client.json(GET);
    assert.equal(environment.requests[0]?.headers.has('authorization'), false);
  }
});

test('HTTP client puts the token into the URL only when a parameter is named', async () => {
  const { client, environment } = setupHttp();
  await client.json({ ...GET, tokenParameter: 'token' });
  await client.json(GET);
  const [first, second] = environment.requests;
  assert.equal(first?.url.searchParams.get('token'), 'token-1');
  assert.equal(first?.headers.has('authorization'), false);
  assert.equal(second?.url.search, '');
});

test('HTTP client sends a keepalive request with the last token', async () => {
  const { client, tokenReasons, environment } = setupHttp();
  await client.json(GET);
  await client.request({ ...GET, method: 'DELETE', keepalive: true });
  assert.deepEqual(tokenReasons, ['connect']);
  const [first, second] = environment.requests;
  assert.equal(second?.headers.get('authorization'), 'Bearer token-1');
  assert.deepEqual([first?.init.keepalive, second?.init.keepalive], [false, true]);
});

test('HTTP client sends a keepalive request before the first token without authorization', async () => {
  const { client, tokenReasons, environment } = setupHttp();
  await client.request({ ...GET, method: 'DELETE', keepalive: true });
  assert.deepEqual(tokenReasons, []);
  assert.equal(environment.requests[0]?.headers.has('authorization'), false);
});

test('HTTP client requests no token after a keepalive request was rejected', async () => {
  const { client, tokenReasons, environment } = setupHttp(({ method }) =>
    method === 'DELETE' ? jsonResponse({}, 401) : jsonResponse({ ok: 1 }),
  );
  await client.json(GET);
  const error = await errorOf(client.request({ ...GET, method: 'DELETE', keepalive: true }));
  assert.equal(error.code, 'unauthorized');
  assert.deepEqual([environment.requests.length, tokenReasons], [2, ['connect']]);
});

test('HTTP client sends a keepalive request at once while a token is requested', async () => {
  const token = new Deferred<string>();
  const { client, environment } = setupHttp(undefined, { getToken: () => token.promise });
  const waiting = client.json(GET);
  const deleting = client.request({ ...GET, method: 'DELETE', keepalive: true });
  await environment.settle();
  const sent = environment.requests.map(({ init }) => init.method);
  token.resolve('token');
  await Promise.all([waiting, deleting]);
  assert.deepEqual(sent, ['DELETE']);
});

test('HTTP client requests a token after a request without one was rejected', async () => {
  const reasons: string[] = [];
  const { client, environment } = setupHttp(
    ({ headers }) =>
      headers.has('authorization') ? jsonResponse({ ok: 1 }) : jsonResponse({}, 401),
    {
      getToken: ({ reason }) => {
        reasons.push(reason);
        return reason === 'rejected' ? 'token' : '';
      },
    },
  );
  assert.deepEqual(await client.json(GET), { ok: 1 });
  assert.deepEqual([reasons, environment.requests.length], [['connect', 'rejected'], 2]);
});

test('HTTP client retries once with a fresh token after a 401, even a POST', async () => {
  const { client, environment, tokenReasons } = setupHttp(({ headers }) =>
    headers.get('authorization') === 'Bearer token-2'
      ? jsonResponse({ ok: 1 })
      : jsonResponse({}, 401),
  );
  assert.deepEqual(await client.json({ method: 'POST', path: '/a', json: { n: 1 } }), { ok: 1 });
  assert.deepEqual(tokenReasons, ['connect', 'rejected']);
  assert.deepEqual(
    environment.requests.map(({ init }) => init.body),
    ['{"n":1}', '{"n":1}'],
  );
});

test('HTTP client retries an upload once with a fresh token after a 401', async () => {
  const { client, tokenReasons } = setupHttp(({ headers }) =>
    headers.get('authorization') === 'Bearer token-2'
      ? jsonResponse({ ok: 1 })
      : jsonResponse({}, 401),
  );
  const call = { method: 'POST', path: '/up', form: new FormData() } as const;
  assert.deepEqual(await client.upload(call, () => undefined), { ok: 1 });
  assert.deepEqual(tokenReasons, ['connect', 'rejected']);
});

test('HTTP client rejects after a second 401', async () => {
  const { client, environment, tokenReasons } = setupHttp(() =>
    jsonResponse({ detail: 'expired' }, 401),
  );
  const error = await errorOf(client.json(GET));
  assert.deepEqual([error.code, error.status, error.message], ['unauthorized', 401, 'expired']);
  assert.equal(environment.requests.length, 2);
  assert.deepEqual(tokenReasons, ['connect', 'rejected']);
});

test('HTTP client rejects after the first 401 without getToken', async () => {
  const { client, environment } = setupHttp(() => jsonResponse({}, 401), { getToken: undefined });
  assert.equal((await errorOf(client.json(GET))).code, 'unauthorized');
  assert.equal(environment.requests.length, 1);
});

test('HTTP client requests one fresh token for concurrent requests that were rejected', async () => {
  const { client, environment, tokenReasons } = setupHttp(({ headers }) =>
    headers.get('authorization') === 'Bearer token-1'
      ? jsonResponse({}, 401)
      : jsonResponse({ ok: 1 }),
  );
  await Promise.all([client.json(GET), client.json(GET), client.json(GET)]);
  assert.deepEqual(tokenReasons, ['connect', 'rejected']);
  assert.equal(environment.requests.length, 6);
});

test('HTTP client retries with a fresh token that another request has received meanwhile', async () => {
  const slow = new Deferred<Response>();
  const { client, tokenReasons } = setupHttp(({ url, headers }) => {
    if (headers.get('authorization') !== 'Bearer token-1') return jsonResponse({ ok: 1 });
    return url.endsWith('slow') ? slow.promise : jsonResponse({}, 401);
  });
  const [first, second] = [client.json({ method: 'GET', path: '/slow' }), client.json(GET)];
  await second;
  slow.resolve(jsonResponse({}, 401));
  assert.deepEqual(await first, { ok: 1 });
  assert.deepEqual(tokenReasons, ['connect', 'rejected']);
});

test('HTTP client does not retry any status but 401', async () => {
  for (const status of [400, 403, 404, 408, 409, 413, 422, 429, 500, 503]) {
    const { client, environment, tokenReasons } = setupHttp(() => jsonResponse({}, status));
    await errorOf(client.json({ method: 'POST', path: '/a', json: {} }));
    assert.deepEqual([environment.requests.length, tokenReasons], [1, ['connect']], String(status));
  }
});

test('HTTP client rejects as aborted while getToken is pending', async () => {
  const abort = new AbortController();
  const { client, environment } = setupHttp(undefined, {
    getToken: () => new Promise<string>(() => undefined),
  });
  const pending = client.json({ ...GET, signal: abort.signal });
  abort.abort();
  assert.equal((await errorOf(pending)).code, 'aborted');
  assert.equal(environment.requests.length, 0);
});

test('HTTP client reports an error of getToken with a matching code', async () => {
  for (const [thrown, code] of [
    [new Error('login failed'), 'unauthorized'],
    [new TypeError('Failed to fetch'), 'network'],
    // What V8, SpiderMonkey and JavaScriptCore say about a bug.
    [new TypeError("Cannot read properties of undefined (reading 'token')"), 'unauthorized'],
    [new TypeError('can\'t access property "token", user is null'), 'unauthorized'],
    [new TypeError("undefined is not an object (evaluating 'user.token')"), 'unauthorized'],
    [new TypeError('user.getToken is not a function'), 'unauthorized'],
    [new TypeError('user.Token is not a constructor'), 'unauthorized'],
    [new TypeError('user.roles is not iterable'), 'unauthorized'],
    [new TypeError("Failed to construct 'URL': Invalid URL"), 'unauthorized'],
    // What libraries for requests throw for a response.
    [Object.assign(new Error('No token'), { status: 403 }), 'unauthorized'],
    [Object.assign(new Error('0 Unknown Error'), { status: 0 }), 'network'],
    [Object.assign(new Error('No token'), { status: 429 }), 'rate-limited'],
    [Object.assign(new Error('No token'), { status: 502 }), 'server'],
    [Object.assign(new Error('No token'), { response: { status: 500 } }), 'server'],
    [new DOMException('signal timed out', 'TimeoutError'), 'network'],
    [new DOMException('The operation was aborted.', 'AbortError'), 'network'],
    [new UbikError('rate-limited', 'later'), 'rate-limited'],
  ] as const) {
    const { client, environment } = setupHttp(undefined, {
      getToken: () => {
        throw thrown;
      },
    });
    assert.equal((await errorOf(client.json(GET))).code, code);
    assert.equal(environment.requests.length, 0);
  }
});

test('HTTP client calls getToken again after it has failed', async () => {
  let count = 0;
  const { client } = setupHttp(undefined, {
    getToken: () => {
      if (++count === 1) throw new Error('not yet');
      return 'token';
    },
  });
  await errorOf(client.json(GET));
  assert.deepEqual(await client.json(GET), { ok: true });
});

test('HTTP client rejects when getToken takes longer than 20 s and calls it again for the next request', async () => {
  const answers: (string | Promise<string>)[] = [new Promise<string>(() => undefined), 'second'];
  const { client, environment } = setupHttp(undefined, { getToken: () => answers.shift() ?? '' });
  const pending = [client.json(GET), client.json({ ...GET, timeout: 30_000 })].map(errorOf);
  await environment.advance(19_999);
  assert.equal(answers.length, 1);
  await environment.advance(1);
  for (const error of await Promise.all(pending)) {
    assert.equal(error.code, 'network');
    assert.match(error.message, /getToken/);
  }
  assert.equal(environment.requests.length, 0);
  assert.deepEqual(await client.json(GET), { ok: true });
  assert.equal(environment.requests[0]?.headers.get('authorization'), 'Bearer second');
  assert.equal(environment.timers, 0);
});

test('HTTP client rejects when the headers option takes longer than 20 s', async () => {
  const { client, environment } = setupHttp(undefined, {
    headers: () => new Promise<Record<string, string>>(() => undefined),
  });
  const pending = errorOf(client.json(GET));
  await environment.advance(20_000);
  const error = await pending;
  assert.deepEqual([error.code, error.unsent], ['network', true]);
  assert.match(error.message, /headers/);
  assert.equal(environment.requests.length, 0);
});

test('HTTP client marks an error as unsent when no token was available', async () => {
  const throwError = (error: Error) => () => {
    throw error;
  };
  for (const getToken of [
    throwError(new TypeError('Failed to fetch')),
    throwError(new UbikError('network')),
    () => new Promise<string>(() => undefined),
    ({ reason }: TokenRequest) =>
      reason === 'connect' ? 'old' : throwError(new TypeError('offline'))(),
  ]) {
    const respond = () => jsonResponse({}, 401);
    const { client, environment } = setupHttp(respond, { getToken });
    const pending = errorOf(client.json({ method: 'POST', path: '/a', json: {} }));
    await environment.advance(20_000);
    const { code, unsent } = await pending;
    assert.deepEqual([code, unsent], ['network', true]);
  }
});

test('HTTP client does not mark an error as unsent once the request was sent', async () => {
  const responses: readonly Respond[] = [
    () => jsonResponse({}, 500),
    () => {
      throw new TypeError('connection reset');
    },
    ({ headers }) => {
      if (headers.get('authorization') === 'Bearer token-1') return jsonResponse({}, 401);
      throw new TypeError('connection reset');
    },
    () => new Promise<Response>(() => undefined),
  ];
  for (const respond of responses) {
    const { client, environment } = setupHttp(respond);
    const pending = errorOf(client.json({ ...GET, timeout: 30_000 }));
    await environment.advance(30_000);
    assert.equal((await pending).unsent, false);
  }
});

test('HTTP client rejects a token that is invalid in a header without quoting it', async () => {
  for (const token of ['sec ret', 'sec\nret', 'secrét', { token: 'secret' }, 7]) {
    const { client, environment } = setupHttp(undefined, { getToken: () => token as string });
    const error = await errorOf(client.json(GET));
    assert.equal(error.code, 'misuse');
    assert.doesNotMatch(inspect(error), /sec.?r[eé]t/s);
    assert.equal(environment.requests.length, 0);
  }
});

test('HTTP client keeps tokens out of its errors, whatever quotes them', async () => {
  const getToken = () => 'secret+/=';
  const quotingResponses: readonly Respond[] = [
    () => jsonResponse({ detail: 'bad token secret+/=' }, 400),
    () => jsonResponse({ detail: [{ loc: ['secret+/='], msg: 'x' }] }, 422),
    () => jsonResponse({ detail: 'secret+/=' }, 401),
    ({ url }) => {
      throw new TypeError(`Failed to fetch ${url}`);
    },
    ({ url }) => {
      throw new TypeError('outer', { cause: new Error(`inner ${url}`) });
    },
  ];
  for (const respond of quotingResponses) {
    const { client } = setupHttp(respond, { getToken });
    for (const tokenParameter of [undefined, 'token']) {
      const error = await errorOf(client.json({ ...GET, tokenParameter }));
      assert.doesNotMatch(inspect(error, { depth: 10 }), /secret/);
    }
  }
});
