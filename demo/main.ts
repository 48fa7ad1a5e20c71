import { fileURLToPath } from 'node:url';
import { StartError } from './agent/start-error.js';
import { startServer, type RunningServer, type ServerOptions } from './server.js';
import { readSettings } from './settings.js';
import { findUnreachable } from './web/unreachable.js';

async function main(): Promise<void> {
  const root = fileURLToPath(new URL('../', import.meta.url));
  const options: ServerOptions = {
    ...readSettings(process.env, root, process.argv.slice(2)),
    onError: (error) => {
      process.stderr.write(
        `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      );
    },
  };
  const server = await startServer(options);
  const { port } = new URL(server.url);
  process.stdout.write(`ubik-elements demo: http://localhost:${port}/\n`);
  for (const problem of await findUnreachable(options)) process.stderr.write(`${problem}\n`);
  endOnSignal(server);
}

function endOnSignal(server: RunningServer): void {
  let ending = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // A second signal ends the process at once.
      if (ending) process.exit(1);
      ending = true;
      void server.close().then(() => process.exit(0));
    });
  }
}

main().catch((error: unknown) => {
  const sentence =
    error instanceof StartError ? error.message : `The demo cannot start: ${String(error)}`;
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
});
