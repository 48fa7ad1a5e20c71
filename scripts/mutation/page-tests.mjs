import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { chromeLauncher } from '@web/test-runner-chrome';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { startTestRunner } from '@web/test-runner';
import { findChrome, flags, openPage } from '../browser.mjs';
import { bundlePages } from '../bundled-pages.mjs';
import { cpuClock } from '../cpu-clock.mjs';
import { ROOT } from '../run-command.mjs';

/** @typedef {import('./try-mutants.mjs').Trial} Trial */
/** @typedef {import('./try-mutants.mjs').Bench} Bench */
/** @typedef {import('./try-mutants.mjs').Measured} Measured */
/** @typedef {{ testFile: string, passed?: boolean, errors: { message: string }[], testResults?: unknown }} Session */

const COMMANDS = '/node_modules/@web/test-runner-commands/browser/commands.mjs';

/**
 * Browser tests, compiled together with the mutants. A trial is a page of its own: a file with its number, which sets the switch and
 * then loads the test.
 *
 * @param {readonly string[]} files
 * @param {import('../bundle-tests.mjs').Edit} edit
 * @returns {Promise<Bench>}
 */
export async function openPageBench(files, edit) {
  const cache = join(ROOT, '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'mutants-'));
  const { from: _from, ...chrome } = await findChrome();
  const modules = bundlePages(edit);
  let rounds = 0;
  /**
   * @param {readonly Trial[]} trials
   * @param {(file: string, told: { seconds: number, hits: [number, number][] }) => void} take
   */
  const runRound = async (trials, take) => {
    const round = (rounds += 1);
    const placeOf = (/** @type {number} */ at) => `${String(round)}-${String(at)}`;
    const paths = trials.map((_, at) => join(folder, `${placeOf(at)}.test.js`));
    await Promise.all(
      trials.map((trial, at) => writeFile(paths[at] ?? '', startOf(trial, placeOf(at)))),
    );
    /** @type {readonly Session[]} */
    const sessions = await new Promise((resolve) => {
      void startTestRunner({
        readCliArgs: false,
        readFileConfig: false,
        autoExitProcess: false,
        config: {
          rootDir: ROOT,
          files: paths,
          nodeResolve: { exportConditions: ['production', 'default'] },
          plugins: [
            {
              name: 'mutants',
              /** @param {{ path: string }} request */
              async serve({ path }) {
                const file = /^\/mutants\/[\d-]+\/(.+)$/.exec(path)?.[1];
                if (file === undefined) return undefined;
                // What a test finds beside itself by its address is not compiled with it, and has no mutants.
                const body = (await modules).get(file) ?? `export * from '/${file}';`;
                return { body, type: 'js' };
              },
              /** @param {{ command: string, payload?: any }} call */
              executeCommand({ command, payload }) {
                if (command !== 'mutant-hits') return undefined;
                take(payload.file, payload);
                return true;
              },
            },
            esbuildPlugin({ ts: true, target: 'es2022', tsconfig: './tsconfig.base.json' }),
            /** @type {any} */ (cpuClock()),
          ],
          browsers: [
            chromeLauncher({
              launchOptions: { ...chrome, args: flags },
              createPage: ({ context }) => openPage(context),
              concurrency: availableParallelism(),
            }),
          ],
          browserStartTimeout: 300_000,
          testsStartTimeout: 300_000,
          testsFinishTimeout: Math.max(...trials.map(({ seconds }) => seconds)) * 10_000 + 900_000,
          // Without a mutant nothing hangs, however long it takes.
          testFramework: {
            config: { timeout: trials.every(({ id }) => id < 0) ? 600_000 : 60_000, bail: true },
          },
          reporters: [
            {
              /** @param {{ sessions: Iterable<Session> }} run */
              onTestRunFinished: (run) => resolve([...run.sessions]),
            },
          ],
        },
      }).then((runner) => runner?.on('finished', () => void runner.stop()));
    });
    return trials.map((_, at) => {
      const session = sessions.find(({ testFile }) => testFile === paths[at]);
      if (session?.passed) return 'passed';
      const told = JSON.stringify([session?.errors, session?.testResults]);
      if (trials[at]?.id === -1)
        console.log(`${trials[at].file} fails without any mutant: ${told}`);
      return /did not finish|Timeout of \d+ms/.test(told) ? 'timeout' : 'failed';
    });
  };
  return {
    measure: async () => {
      /** @type {Map<string, Measured>} */
      const measured = new Map();
      const trials = files.map((file) => ({ id: -1, file, limit: 0, seconds: 120 }));
      const outcomes = await runRound(trials, (file, { seconds, hits }) =>
        measured.set(file, { file, seconds, hits: new Map(hits) }),
      );
      return files.map((file, at) => {
        const one = measured.get(file);
        if (!one || outcomes[at] !== 'passed') throw new Error(`${file} fails without any mutant.`);
        return one;
      });
    },
    run: (trials) => runRound(trials, () => undefined),
    close: () => rm(folder, { recursive: true }),
  };
}

/** The file of a trial. @param {Trial} trial @param {string} place */
const startOf = ({ id, file, limit }, place) => `
import { executeServerCommand } from '${COMMANDS}';
const state = (globalThis.ubikMutants = { on: ${String(id)}, limit: ${String(limit)}, hits: new Map() });
const start = performance.now();
// With stacks, the runner reads a source map of megabytes for each line of each failure, and stops answering meanwhile.
if (state.on >= 0) Error.stackTraceLimit = 0;
// Already compiled: as a source, the runner would compile it again for each trial.
await import('/mutants/${place}/${file.replace(/\.ts$/, '.js')}');
if (state.on < 0) {
  after(() => executeServerCommand('mutant-hits', {
    file: '${file}', seconds: (performance.now() - start) / 1000, hits: [...state.hits],
  }));
}
`;
