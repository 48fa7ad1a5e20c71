import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleTests } from '../bundle-tests.mjs';
import { ROOT } from '../run-command.mjs';
import { mapConcurrently } from './map-concurrently.mjs';

/** @typedef {import('./try-mutants.mjs').Trial} Trial */
/** @typedef {import('./try-mutants.mjs').Runner} Runner */

const PRELOAD = pathToFileURL(join(ROOT, 'scripts/mutation/report-hits.mjs')).href;

/**
 * Runs one file until it ends, a test fails, or the time is over.
 *
 * @param {string} script
 * @param {NodeJS.ProcessEnv} env
 * @param {number} seconds
 * @returns {Promise<'passed' | 'failed' | 'timeout'>}
 */
function runScript(script, env, seconds) {
  const child = spawn(process.execPath, ['--test-reporter=tap', '--import', PRELOAD, script], {
    cwd: ROOT,
    // Removed, because the child is a separate test run, even if a test has started it.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const stop = () => {
    try {
      // The child is a separate process group, so that the processes that a test has started are killed with it.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group has ended in the meantime.
    }
  };
  process.once('exit', stop);
  return new Promise((resolve) => {
    /** @type {'failed' | 'timeout' | undefined} */
    let outcome;
    const timer = setTimeout(() => {
      outcome = 'timeout';
      stop();
    }, seconds * 1000);
    let line = '';
    child.stdout.on('data', (/** @type {Buffer} */ data) => {
      const lines = (line + data.toString()).split('\n');
      line = lines.pop() ?? '';
      if (!lines.some((each) => /^\s*not ok /.test(each))) return;
      outcome ??= 'failed';
      stop();
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      process.removeListener('exit', stop);
      stop();
      resolve(outcome ?? (code === 0 ? 'passed' : 'failed'));
    });
  });
}

/**
 * Creates a runner for Node tests, which are compiled together with the mutants.
 *
 * @param {readonly string[]} files
 * @param {import('../bundle-tests.mjs').Edit} edit
 * @returns {Promise<Runner>}
 */
export async function createNodeRunner(files, edit) {
  const bundle = await bundleTests(files, edit);
  const scripts = new Map(files.map((file, at) => [file, bundle.files[at] ?? '']));
  return {
    measure: () =>
      mapConcurrently(files, async (file) => {
        const script = scripts.get(file) ?? '';
        const started = performance.now();
        const outcome = await runScript(script, { UBIK_MUTANT_HITS: `${script}.hits` }, 1200);
        if (outcome !== 'passed') throw new Error(`${file} fails without any mutant.`);
        const hits = existsSync(`${script}.hits`) ? readFileSync(`${script}.hits`, 'utf8') : '[]';
        return {
          file,
          seconds: (performance.now() - started) / 1000,
          hits: new Map(/** @type {[number, number][]} */ (JSON.parse(hits))),
        };
      }),
    run: (trials) =>
      mapConcurrently(trials, ({ id, file, limit, seconds }) => {
        const env = { UBIK_MUTANT: String(id), UBIK_MUTANT_LIMIT: String(limit) };
        return runScript(scripts.get(file) ?? '', env, seconds * 10 + 60);
      }),
    close: () => rm(bundle.folder, { recursive: true }),
  };
}
