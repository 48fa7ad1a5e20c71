import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../../scripts/run-command.mjs', import.meta.url));
const options = existsSync('/proc') ? {} : { skip: 'Only Linux lists the parents of processes.' };

test(
  'runCommand ends all descendants of the command, also in other process groups, when the calling process ends',
  options,
  async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    // The connection is closed when the process that has opened it has ended.
    const connect = `require('node:net').connect(${String(port)}, '127.0.0.1')`;
    const start = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(connect)}], { detached: true })`;
    const runner = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { runCommand } from ${JSON.stringify(SCRIPT)};
    process.once('SIGTERM', () => process.exit(1));
    await runCommand(['node', '-e', ${JSON.stringify(start)}]);`,
    ]);
    const [socket] = (await once(server, 'connection')) as [Socket];
    socket.on('error', () => undefined);
    runner.kill('SIGTERM');
    const [code] = (await once(runner, 'exit')) as [number];
    assert.equal(code, 1);
    if (!socket.destroyed) await once(socket.resume(), 'close');
    server.close();
  },
);
