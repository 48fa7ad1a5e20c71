import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top of the repository: every command runs there. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The native TypeScript compiler, by its place: two packages bring a command `tsc`. */
export const TSC = ['node', 'node_modules/typescript-7/bin/tsc'];

/**
 * Runs a command of the project to its end and gathers what it prints. Never throws: a command that cannot be started, or takes
 * longer than it may, has failed and says so.
 *
 * @param {readonly string[]} words program and arguments
 * @param {{ env?: NodeJS.ProcessEnv, seconds?: number, live?: boolean }} [options] `live` prints at once instead
 * @returns {Promise<{ code: number, output: string }>}
 */
export function runCommand(words, { env = {}, seconds = 3600, live = false } = {}) {
  const [program = '', ...more] = words;
  const path = `${ROOT}node_modules/.bin${delimiter}${process.env['PATH'] ?? ''}`;
  const child = spawn(program === 'node' ? process.execPath : program, more, {
    cwd: ROOT,
    env: { ...process.env, ...env, PATH: path },
    stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe'],
    // A group of its own, so that a runner that hangs ends together with its browsers and servers.
    detached: true,
  });
  /** @type {Buffer[]} */
  const pieces = [];
  child.stdout?.on('data', (piece) => pieces.push(piece));
  child.stderr?.on('data', (piece) => pieces.push(piece));
  const say = (/** @type {string} */ text) => pieces.push(Buffer.from(`\n${text}\n`));
  const stop = () => killGroup(child.pid);
  const timer = setTimeout(() => {
    say(`${program} was ended after ${String(seconds)} s.`);
    stop();
  }, seconds * 1000);
  process.once('exit', stop);
  return new Promise((resolve) => {
    const end = (/** @type {number} */ code) => {
      clearTimeout(timer);
      process.removeListener('exit', stop);
      resolve({ code, output: Buffer.concat(pieces).toString() });
    };
    child.on('error', (error) => {
      say(`${program} did not start: ${error.message}`);
      end(1);
    });
    child.on('close', (code) => {
      end(code ?? 1);
    });
  });
}

/** @param {number | undefined} group */
function killGroup(group) {
  try {
    if (group !== undefined) process.kill(-group, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}
