import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { StartError } from '../../demo/agent/start-error.js';
import { readSettings } from '../../demo/settings.js';
import { findUnreachable } from '../../demo/web/unreachable.js';
import { DemoApiClient, startTestServer } from './test-server.js';

test('demo server accepts the API key of the command line', async (context) => {
  const { apiKey } = readSettings({}, '/', ['--api-key', 'secret-key']);
  const server = await startTestServer(context, { ...(apiKey === undefined ? {} : { apiKey }) });
  const keyed = new DemoApiClient(server.url, { 'x-api-key': 'secret-key' });
  assert.equal((await keyed.request('GET', '/agent-sessions')).status, 200);
  const wrong = new DemoApiClient(server.url, { 'x-api-key': 'another-key' });
  assert.equal((await wrong.request('GET', '/agent-sessions')).status, 401);
});

for (const [args, reason] of [
  [['--key', 'x'], /^The options --key x are not understood: the only one is --api-key KEY\.$/u],
  [['--api-key', 'two words'], /without spaces/u],
] as const) {
  test(`demo server rejects the arguments ${args.join(' ')} with one sentence`, () => {
    assert.throws(
      () => readSettings({}, '/', args),
      (error) => error instanceof StartError && reason.test(error.message),
    );
  });
}

test('demo server reports an unreachable service on startup, and no reachable one', async (context) => {
  const running = createServer((_, response) => response.writeHead(404).end());
  running.listen(0, '127.0.0.1');
  await once(running, 'listening');
  context.after(() => running.close());
  const { port } = running.address() as AddressInfo;
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const dead = `http://127.0.0.1:${String((closed.address() as AddressInfo).port)}/api/v1`;
  closed.close();
  await once(closed, 'close');
  const options = { port: 0, dataDir: '/' };
  const model = { baseUrl: `http://127.0.0.1:${String(port)}/v1`, apiKey: '', model: 'm' };
  assert.deepEqual(await findUnreachable({ ...options, model }), []);
  assert.deepEqual(await findUnreachable({ ...options, service: { apiKey: 'k', baseUrl: dead } }), [
    `${dead} cannot be reached (ECONNREFUSED): start the service, or correct UBIK_BASE_URL.`,
  ]);
});
