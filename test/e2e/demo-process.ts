import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEMO_COMMAND } from '../helpers/demo-command.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The server that `npm start` starts, in a separate process. */
export interface DemoProcess {
  readonly url: string;
  readonly dataDir: string;
  /** Ends the process and starts it again on the same port and data. `SIGKILL` prevents a clean shutdown. */
  restart(signal?: NodeJS.Signals): Promise<void>;
  /**
   * Sends a command to the controls of the server: dialect, faults, pauses (`demo/faults/controls.ts`). For example,
   * `{ pause: { point: 'text', skip: 12 } }` pauses an answer in the middle of its text, after twelve chunks.
   */
  control(command: Readonly<Record<string, unknown>>): Promise<void>;
  /** Ends the process and removes its data. */
  close(): Promise<void>;
}

/** Starts the demo on a free port with an empty data folder. */
export async function startDemo(env: NodeJS.ProcessEnv = {}): Promise<DemoProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ubik-demo-'));
  const first = await launch(0, dataDir, env);
  const { port } = first;
  let { child } = first;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  };
  const url = `http://127.0.0.1:${String(port)}`;
  return {
    url,
    dataDir,
    control: async (command) => {
      const init = { method: 'POST', body: JSON.stringify(command) };
      const response = await fetch(`${url}/demo/controls`, init);
      if (!response.ok)
        throw new Error(`The server refused ${init.body}: ${await response.text()}`);
    },
    restart: async (signal = 'SIGTERM') => {
      await stop(signal);
      ({ child } = await launch(port, dataDir, env));
    },
    close: async () => {
      await stop('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts a process that serves on a port, or on a free one for 0. Returns it with its port. */
async function launch(
  port: number,
  dataDir: string,
  env: NodeJS.ProcessEnv,
): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(process.execPath, DEMO_COMMAND, {
    cwd: ROOT,
    env: {
      ...process.env,
      DEMO_SPEED: '0',
      DEMO_CONTROLS: '1',
      // A language model that is configured in the environment would replace the rule-based planner.
      OPENAI_BASE_URL: '',
      OPENAI_MODEL: '',
      ...env,
      PORT: String(port),
      DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const served = await new Promise<number>((resolve, reject) => {
    let output = '';
    const listen = (data: Buffer): void => {
      output += data.toString();
      const [, digits] = /http:\/\/localhost:(\d+)\/\n/u.exec(output) ?? [];
      if (digits !== undefined) resolve(Number(digits));
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('exit', () => {
      reject(new Error(`The demo ended before it served: ${output}`));
    });
  });
  return { child, port: served };
}

/** Finds a port that is free at the moment. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port.');
  return address.port;
}
