import assert from 'node:assert/strict';
import { createServer, globalAgent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { DemoApiClient } from '../demo/test-server.js';
import { createSelfSignedCertificate } from '../helpers/self-signed-certificate.js';
import { KEY, startProxy } from './start-proxy.js';

/** Starts a service on https and a proxy in front of it. */
async function startHttpsService(context: TestContext) {
  const { cert, key } = createSelfSignedCertificate();
  /** The keys that the service has received. */
  const keys: unknown[] = [];
  const service = createServer({ cert, key }, (request, response) => {
    keys.push(request.headers['x-api-key']);
    response.end('{"detail":"over TLS"}');
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    service.closeAllConnections();
    service.close();
  });
  const { port } = service.address() as AddressInfo;
  const url = await startProxy(context, `https://127.0.0.1:${String(port)}`);
  return { cert, keys, client: new DemoApiClient(url, { 'x-user': 'ann' }) };
}

/** Trusts a certificate until the end of the test, as the variable `NODE_EXTRA_CA_CERTS` does for a process. */
function trust(context: TestContext, cert: string): void {
  const { ca } = globalAgent.options;
  globalAgent.options.ca = cert;
  context.after(() => {
    globalAgent.options.ca = ca;
    globalAgent.destroy();
  });
}

test('proxy forwards to a service on https', async (context) => {
  const { cert, keys, client } = await startHttpsService(context);
  trust(context, cert);
  const reply = await client.request('GET', '/agent-sessions');
  assert.deepEqual([reply.status, reply.json], [200, { detail: 'over TLS' }]);
  assert.deepEqual(keys, [KEY]);
});

test('proxy sends no API key to a service whose certificate is not trusted', async (context) => {
  const { keys, client } = await startHttpsService(context);
  const reply = await client.request('GET', '/agent-sessions');
  assert.equal(reply.status, 502);
  assert.deepEqual(reply.json, { detail: 'The service cannot be reached' });
  assert.deepEqual(keys, []);
});
