import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

// The runner sends SIGTERM to a test file that hangs. Without this handler, the process would end without its `exit` handlers, which stop the programs.
process.once('SIGTERM', () => process.exit(1));

/** A program that runs beside the tests. */
export interface RunningProgram {
  /** Ends the program and its workers. */
  stop(): Promise<void>;
}

/** Runs a program to its end and returns what it prints. Rejects with its output when it fails. */
export async function runProgram(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, {
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 26,
  });
  return stdout;
}

/** Starts a program, and waits until it prints that it is ready. Rejects with its output when it ends before. */
export async function startProgram(
  program: string,
  args: readonly string[],
  ready: RegExp,
  env: NodeJS.ProcessEnv = {},
  cwd?: string,
): Promise<RunningProgram> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, so that the workers are stopped with the program.
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const killGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    } catch {
      // The group has ended.
    }
  };
  process.once('exit', killGroup);
  await new Promise<void>((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => {
        // Output must be read to the end, or the program would block; only the last part of it is needed.
        output = `${output}${data.toString()}`.slice(-10_000);
        if (ready.test(output)) resolve();
      });
    }
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${program} ended too early:\n${output}`)));
  });
  return {
    stop: async () => {
      killGroup();
      await ended;
      process.removeListener('exit', killGroup);
    },
  };
}
