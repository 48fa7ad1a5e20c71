import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository, which is the default working directory of commands. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The native TypeScript compiler, by its path, because two packages have a command `tsc`. */
export const TSC = ['node', 'node_modules/typescript-7/bin/tsc'];

/**
 * Runs a command of the project and collects its output. Never rejects: a command that cannot be started or exceeds its timeout resolves
 * to a failure with an explanation in its output.
 *
 * @param {readonly string[]} words program and arguments
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, seconds?: number, live?: boolean }} [options] `live` prints the output instead of
 *   collecting it
 * @returns {Promise<{ code: number, output: string }>}
 */
export function runCommand(words, { cwd = ROOT, env = {}, seconds = 3600, live = false } = {}) {
  const [program = '', ...args] = words;
  const path = `${ROOT}node_modules/.bin${delimiter}${process.env['PATH'] ?? ''}`;
  const child = spawn(program === 'node' ? process.execPath : program, args, {
    cwd,
    env: { ...process.env, ...env, PATH: path },
    stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe'],
    // A separate process group, so that a hanging runner can be killed together with its browsers and servers.
    detached: true,
  });
  /** @type {Buffer[]} */
  const pieces = [];
  child.stdout?.on('data', (piece) => pieces.push(piece));
  child.stderr?.on('data', (piece) => pieces.push(piece));
  const append = (/** @type {string} */ text) => pieces.push(Buffer.from(`\n${text}\n`));
  const stop = () => killTree(child.pid);
  const timer = setTimeout(() => {
    append(`${program} was killed after ${String(seconds)} s.`);
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
      append(`${program} did not start: ${error.message}`);
      end(1);
    });
    child.on('close', (code) => {
      end(code ?? 1);
    });
  });
}

/**
 * Kills a process and all its descendants, including those in other process groups, such as the browsers and databases of tests, which
 * would outlive a test that was killed. Without `/proc`, kills the process group only.
 *
 * @param {number | undefined} root
 */
function killTree(root) {
  if (root === undefined) return;
  for (const id of listTree(root)) {
    for (const target of [-id, id]) {
      try {
        process.kill(target, 'SIGKILL');
      } catch {
        // The process is not the leader of a group, or has ended in the meantime.
      }
    }
  }
}

/** A process and its descendants. @param {number} root */
function listTree(root) {
  /** @type {Map<number, number[]>} */
  const children = new Map();
  for (const name of existsSync('/proc') ? readdirSync('/proc') : []) {
    const id = Number(name);
    const parent = Number.isInteger(id) ? readParent(id) : undefined;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), id]);
  }
  const tree = [root];
  // The list grows while it is read.
  for (const id of tree) tree.push(...(children.get(id) ?? []));
  return tree;
}

/** @param {number} id @returns {number | undefined} */
function readParent(id) {
  try {
    // The name of the program, in parentheses, may contain anything: state and parent follow the last one.
    const stat = readFileSync(`/proc/${String(id)}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
