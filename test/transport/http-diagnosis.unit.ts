import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectionDiagnosis } from '../../src/transport/environment.js';
import { BASE, errorOf, GET, setupHttp } from '../helpers/http-client.js';

const CSP = { kind: 'csp', directive: 'connect-src' } as const;
const failRequest = (): never => {
  throw new TypeError('Failed to fetch');
};

/** A client whose failed requests get this diagnosis, and the addresses that were diagnosed. */
function setup(
  diagnosis: ConnectionDiagnosis,
  respond: () => Response = failRequest,
  environmentOptions: { readonly pageUrl?: null } = {},
) {
  const diagnosed: string[] = [];
  const diagnoseConnection = (address: string): Promise<ConnectionDiagnosis> => {
    diagnosed.push(address);
    return Promise.resolve(diagnosis);
  };
  return { ...setupHttp(respond, {}, { ...environmentOptions, diagnoseConnection }), diagnosed };
}

for (const [diagnosis, code, message] of [
  [CSP, 'blocked', /forbids requests to https:\/\/api\.test: add it to connect-src\./],
  [
    { kind: 'mixed-content' },
    'blocked',
    /https:\/\/api\.test, which is on http: serve the API on https/,
  ],
  [{ kind: 'cors' }, 'blocked', /\(CORS\)\. Allow https:\/\/page\.test there, or use a proxy/],
  [{ kind: 'redirect' }, 'not-an-api', /https:\/\/api\.test\/api\/v1 redirects/],
  [{ kind: 'unreachable' }, 'network', /Nothing responds at https:\/\/api\.test\/api\/v1/],
  [{ kind: 'undecided' }, 'network', /the network has failed, or https:\/\/api\.test .*\(CORS\)/],
] as const) {
  test(`HTTP client reports a failed request as ${code} with the service's address when the diagnosis is ${diagnosis.kind}`, async () => {
    const { client, diagnosed } = setup(diagnosis);
    const error = await errorOf(client.json(GET));
    assert.deepEqual([error.code, error.offender], [code, BASE]);
    assert.match(error.message, message);
    assert.deepEqual(diagnosed, [BASE]);
  });
}

test('HTTP client hints at a page opened as a file when the diagnosis is cors and the page has no URL', async () => {
  const { client } = setup({ kind: 'cors' }, failRequest, { pageUrl: null });
  assert.match((await errorOf(client.json(GET))).message, /opened as a file.*web server/);
});

test('HTTP client keeps the original error when the diagnosis is unknown', async () => {
  const { client } = setup({ kind: 'unknown' });
  const error = await errorOf(client.json(GET));
  assert.deepEqual([error.code, error.offender], ['network', undefined]);
  assert.ok(error.cause instanceof TypeError);
});

test('HTTP client runs no diagnosis once the service has responded', async () => {
  let isDown = false;
  const { client, diagnosed } = setup(CSP, () =>
    isDown ? failRequest() : new Response(null, { status: 500 }),
  );
  assert.equal((await errorOf(client.json(GET))).code, 'server');
  isDown = true;
  assert.equal((await errorOf(client.json(GET))).code, 'network');
  assert.deepEqual(diagnosed, []);
});

test('HTTP client diagnoses a failed upload', async () => {
  const { client, diagnosed } = setup(CSP);
  const call = { ...GET, method: 'POST', form: new FormData() } as const;
  assert.equal((await errorOf(client.upload(call, () => undefined))).code, 'blocked');
  assert.deepEqual(diagnosed, [BASE]);
});

test('HTTP client runs no diagnosis for an aborted request', async () => {
  const abort = new AbortController();
  const { client, diagnosed } = setup(CSP, () => {
    abort.abort();
    return failRequest();
  });
  const { code } = await errorOf(client.json({ ...GET, signal: abort.signal }));
  assert.deepEqual([code, diagnosed], ['aborted', []]);
});

test('HTTP client runs no diagnosis for a keepalive request', async () => {
  const { client, diagnosed } = setup(CSP);
  const { code } = await errorOf(client.json({ ...GET, keepalive: true }));
  assert.deepEqual([code, diagnosed], ['network', []]);
});
