import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectionDiagnosis } from '../../src/transport/environment.js';
import { BASE, errorOf, GET, setupHttp } from '../helpers/http-client.js';

const POLICY = { kind: 'csp', directive: 'connect-src' } as const;
const noAnswer = (): never => {
  throw new TypeError('Failed to fetch');
};

/** A client in front of an obstacle, and the addresses for which it was looked for. */
function setup(
  obstacle: ConnectionDiagnosis,
  answer: () => Response = noAnswer,
  page: { readonly pageUrl?: null } = {},
) {
  const looked: string[] = [];
  const diagnoseConnection = (address: string): Promise<ConnectionDiagnosis> => {
    looked.push(address);
    return Promise.resolve(obstacle);
  };
  return { ...setupHttp(answer, {}, { ...page, diagnoseConnection }), looked };
}

for (const [obstacle, code, words] of [
  [POLICY, 'blocked', /forbids requests to https:\/\/api\.test: add it to connect-src\./],
  [
    { kind: 'mixed-content' },
    'blocked',
    /https:\/\/api\.test, which is on http: serve the API on https/,
  ],
  [{ kind: 'cors' }, 'blocked', /\(CORS\)\. Allow https:\/\/page\.test there, or use a proxy/],
  [{ kind: 'redirect' }, 'not-an-api', /https:\/\/api\.test\/api\/v1 redirects/],
  [{ kind: 'unreachable' }, 'network', /Nothing responds at https:\/\/api\.test\/api\/v1/],
] as const) {
  test(`a request that fails for the reason "${obstacle.kind}" is a "${code}" that names the service`, async () => {
    const { client, looked } = setup(obstacle);
    const error = await errorOf(client.json(GET));
    assert.deepEqual([error.code, error.offender], [code, BASE]);
    assert.match(error.message, words);
    assert.deepEqual(looked, [BASE]);
  });
}

test('a page without an address learns that it was opened as a file', async () => {
  const { client } = setup({ kind: 'cors' }, noAnswer, { pageUrl: null });
  assert.match((await errorOf(client.json(GET))).message, /opened as a file.*web server/);
});

test('a request that fails without an obstacle keeps its own error', async () => {
  const { client } = setup({ kind: 'unknown' });
  const error = await errorOf(client.json(GET));
  assert.deepEqual([error.code, error.offender], ['network', undefined]);
  assert.ok(error.cause instanceof TypeError);
});

test('no reason is looked for once the service has answered, whatever it answered', async () => {
  let isDown = false;
  const { client, looked } = setup(POLICY, () =>
    isDown ? noAnswer() : new Response(null, { status: 500 }),
  );
  assert.equal((await errorOf(client.json(GET))).code, 'server');
  isDown = true;
  assert.equal((await errorOf(client.json(GET))).code, 'network');
  assert.deepEqual(looked, []);
});

test('an upload looks for the reason, too', async () => {
  const { client, looked } = setup(POLICY);
  const call = { ...GET, method: 'POST', form: new FormData() } as const;
  assert.equal((await errorOf(client.upload(call, () => undefined))).code, 'blocked');
  assert.deepEqual(looked, [BASE]);
});

test('no reason is looked for when the caller has given up', async () => {
  const end = new AbortController();
  const { client, looked } = setup(POLICY, () => {
    end.abort();
    return noAnswer();
  });
  const { code } = await errorOf(client.json({ ...GET, signal: end.signal }));
  assert.deepEqual([code, looked], ['aborted', []]);
});

test('no reason is looked for when the page is about to go', async () => {
  const { client, looked } = setup(POLICY);
  const { code } = await errorOf(client.json({ ...GET, keepalive: true }));
  assert.deepEqual([code, looked], ['network', []]);
});
