import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { UbikError } from '../../src/errors.js';
import { answerJson, errorOf, GET, setupHttp } from '../helpers/http-client.js';
import type { TokenRequest } from '../../src/transport/http.js';
import type { Answer } from '../helpers/test-environment.js';

test('asks for a token before each connection', async () => {
  const { client, asked, environment } = setupHttp();
  await client.json(GET);
  await client.json(GET);
  assert.deepEqual(asked, ['connect', 'connect']);
  assert.equal(environment.requests[1]?.headers.get('authorization'), 'Bearer token-2');
});

test('asks once for requests that start together', async () => {
  const { client, asked } = setupHttp();
  await Promise.all([client.json(GET), client.json(GET), client.json(GET)]);
  assert.deepEqual(asked, ['connect']);
});

test('works without tokens, and with a host that has none', async () => {
  for (const getToken of [undefined, () => '']) {
    const { client, environment } = setupHttp(undefined, { getToken });
    await client.json(GET);
    assert.equal(environment.requests[0]?.headers.has('authorization'), false);
  }
});

test('puts the token into the address only when it is told to', async () => {
  const { client, environment } = setupHttp();
  await client.json({ ...GET, tokenParameter: 'token' });
  await client.json(GET);
  const [first, second] = environment.requests;
  assert.equal(first?.url.searchParams.get('token'), 'token-1');
  assert.equal(first?.headers.has('authorization'), false);
  assert.equal(second?.url.search, '');
});

test('outlives the page with the last token, when nobody can be asked for another', async () => {
  const { client, asked, environment } = setupHttp();
  await client.json(GET);
  await client.request({ ...GET, method: 'DELETE', keepalive: true });
  assert.deepEqual(asked, ['connect']);
  const [first, second] = environment.requests;
  assert.equal(second?.headers.get('authorization'), 'Bearer token-1');
  assert.deepEqual([first?.init.keepalive, second?.init.keepalive], [false, true]);
});

test('repeats once with a fresh token after a 401, a POST too', async () => {
  const { client, environment, asked } = setupHttp(({ headers }) =>
    headers.get('authorization') === 'Bearer token-2' ? answerJson({ ok: 1 }) : answerJson({}, 401),
  );
  assert.deepEqual(await client.json({ method: 'POST', path: '/a', json: { n: 1 } }), { ok: 1 });
  assert.deepEqual(asked, ['connect', 'rejected']);
  assert.deepEqual(
    environment.requests.map(({ init }) => init.body),
    ['{"n":1}', '{"n":1}'],
  );
});

test('repeats an upload in the same way', async () => {
  const { client, asked } = setupHttp(({ headers }) =>
    headers.get('authorization') === 'Bearer token-2' ? answerJson({ ok: 1 }) : answerJson({}, 401),
  );
  const call = { method: 'POST', path: '/up', form: new FormData() } as const;
  assert.deepEqual(await client.upload(call, () => undefined), { ok: 1 });
  assert.deepEqual(asked, ['connect', 'rejected']);
});

test('takes a second 401 for final', async () => {
  const { client, environment, asked } = setupHttp(() => answerJson({ detail: 'expired' }, 401));
  const error = await errorOf(client.json(GET));
  assert.deepEqual([error.code, error.status, error.message], ['unauthorized', 401, 'expired']);
  assert.equal(environment.requests.length, 2);
  assert.deepEqual(asked, ['connect', 'rejected']);
});

test('takes the first 401 for final when nobody can give a token', async () => {
  const { client, environment } = setupHttp(() => answerJson({}, 401), { getToken: undefined });
  assert.equal((await errorOf(client.json(GET))).code, 'unauthorized');
  assert.equal(environment.requests.length, 1);
});

test('asks once for a fresh token for many requests that were refused with one', async () => {
  const { client, environment, asked } = setupHttp(({ headers }) =>
    headers.get('authorization') === 'Bearer token-1' ? answerJson({}, 401) : answerJson({ ok: 1 }),
  );
  await Promise.all([client.json(GET), client.json(GET), client.json(GET)]);
  assert.deepEqual(asked, ['connect', 'rejected']);
  assert.equal(environment.requests.length, 6);
});

test('does not ask again when another request has brought a fresh token meanwhile', async () => {
  const slow = withResolvers<Response>();
  const { client, asked } = setupHttp(({ url, headers }) => {
    if (headers.get('authorization') !== 'Bearer token-1') return answerJson({ ok: 1 });
    return url.endsWith('slow') ? slow.promise : answerJson({}, 401);
  });
  const [first, second] = [client.json({ method: 'GET', path: '/slow' }), client.json(GET)];
  await second;
  slow.resolve(answerJson({}, 401));
  assert.deepEqual(await first, { ok: 1 });
  assert.deepEqual(asked, ['connect', 'rejected']);
});

test('repeats nothing for any other status', async () => {
  for (const status of [400, 403, 404, 408, 409, 413, 422, 429, 500, 503]) {
    const { client, environment, asked } = setupHttp(() => answerJson({}, status));
    await errorOf(client.json({ method: 'POST', path: '/a', json: {} }));
    assert.deepEqual([environment.requests.length, asked], [1, ['connect']], String(status));
  }
});

test('gives up while the host is still looking for a token', async () => {
  const abort = new AbortController();
  const { client, environment } = setupHttp(undefined, {
    getToken: () => new Promise<string>(() => undefined),
  });
  const pending = client.json({ ...GET, signal: abort.signal });
  abort.abort();
  assert.equal((await errorOf(pending)).code, 'aborted');
  assert.equal(environment.requests.length, 0);
});

test('says in its own words that the host could give no token', async () => {
  for (const [thrown, code] of [
    [new Error('login failed'), 'unauthorized'],
    [new TypeError('Failed to fetch'), 'network'],
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

test('asks again for the next request after the host could give no token', async () => {
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

test('gives up a token that takes longer than 20 s, and asks again for the next request', async () => {
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

test('gives up headers that take longer than 20 s', async () => {
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

test('says that a request was not sent when there was no token for it', async () => {
  const fail = (error: Error) => () => {
    throw error;
  };
  for (const getToken of [
    fail(new TypeError('Failed to fetch')),
    fail(new UbikError('network')),
    () => new Promise<string>(() => undefined),
    ({ reason }: TokenRequest) => (reason === 'connect' ? 'old' : fail(new TypeError('offline'))()),
  ]) {
    const answer = () => answerJson({}, 401);
    const { client, environment } = setupHttp(answer, { getToken });
    const pending = errorOf(client.json({ method: 'POST', path: '/a', json: {} }));
    await environment.advance(20_000);
    const { code, unsent } = await pending;
    assert.deepEqual([code, unsent], ['network', true]);
  }
});

test('does not say that a request was not sent once the network has it', async () => {
  const answers: readonly Answer[] = [
    () => answerJson({}, 500),
    () => {
      throw new TypeError('connection reset');
    },
    ({ headers }) => {
      if (headers.get('authorization') === 'Bearer token-1') return answerJson({}, 401);
      throw new TypeError('connection reset');
    },
    () => new Promise<Response>(() => undefined),
  ];
  for (const answer of answers) {
    const { client, environment } = setupHttp(answer);
    const pending = errorOf(client.json({ ...GET, timeout: 30_000 }));
    await environment.advance(30_000);
    assert.equal((await pending).unsent, false);
  }
});

test('refuses a token that no header can carry, without quoting it', async () => {
  for (const token of ['sec ret', 'sec\nret', 'secrét', { token: 'secret' }, 7]) {
    const { client, environment } = setupHttp(undefined, { getToken: () => token as string });
    const error = await errorOf(client.json(GET));
    assert.equal(error.code, 'misuse');
    assert.doesNotMatch(inspect(error), /sec.?r[eé]t/s);
    assert.equal(environment.requests.length, 0);
  }
});

test('lets no token into its errors, whoever quotes it', async () => {
  const getToken = () => 'secret+/=';
  const quoting: readonly Answer[] = [
    () => answerJson({ detail: 'bad token secret+/=' }, 400),
    () => answerJson({ detail: [{ loc: ['secret+/='], msg: 'x' }] }, 422),
    () => answerJson({ detail: 'secret+/=' }, 401),
    ({ url }) => {
      throw new TypeError(`Failed to fetch ${url}`);
    },
    ({ url }) => {
      throw new TypeError('outer', { cause: new Error(`inner ${url}`) });
    },
  ];
  for (const answer of quoting) {
    const { client } = setupHttp(answer, { getToken });
    for (const tokenParameter of [undefined, 'token']) {
      const error = await errorOf(client.json({ ...GET, tokenParameter }));
      assert.doesNotMatch(inspect(error, { depth: 10 }), /secret/);
    }
  }
});

function withResolvers<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((given) => (resolve = given));
  return { promise, resolve };
}
