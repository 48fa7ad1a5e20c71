import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runNpm, UnreachableRegistryError } from '../../scripts/registry.mjs';

test('runNpm distinguishes a registry that cannot be reached from a package that does not exist', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ubik-registry-'));
  const server = createServer((_request, response) => response.writeHead(404).end('{}'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const view = [
    'view',
    'ubik-elements-missing',
    '--fetch-retries=0',
    `--registry=${url}`,
    '--cache=cache',
  ];
  await assert.rejects(
    runNpm(folder, ...view),
    (error: Error) =>
      !(error instanceof UnreachableRegistryError) && error.message.includes('E404'),
  );
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  await assert.rejects(runNpm(folder, ...view), UnreachableRegistryError);
  await rm(folder, { recursive: true });
});
