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
/** @typedef {import('./try-mutants.mjs').Runner} Runner */
/** @typedef {import('./try-mutants.mjs').Measured} Measured */
/** @typedef {{ testFile: string, passed?: boolean, errors: { message: string }[], testResults?: unknown }} Session */

/** @typedef {{ id: string, browser: { getPage(id: string): import('puppeteer-core').Page, isActive(id: string): boolean } }} RunningSession */

const COMMANDS = '/node_modules/@web/test-runner-commands/browser/commands.mjs';
const SESSION = '/node_modules/@web/test-runner-core/browser/session.js';

/** Path of the page that makes a trial fail. */
const END_PATH = '/mutants/end.html';
const END_PAGE = `<!doctype html>
<script>window.__WTR_CONFIG__ = {};</script>
<script type="module">
import { sessionFailed } from '${SESSION}';
await sessionFailed({ message: 'The test did not finish.' });
</script>`;

/** How long a trial may take, in ms. The runner ends what is left of a round half a minute after the longest limit of its trials. */
const timeLimit = (/** @type {Trial} */ { seconds }) => seconds * 5000 + 30_000;

/**
 * Ends the code of a page and makes its trial fail, because neither the runner nor the browser ends an endless loop, and a page that has
 * left the test never reports a result.
 *
 * @param {import('puppeteer-core').Page} page
 * @param {import('puppeteer-core').CDPSession} session opened before the loop, because a busy page does not accept new ones
 * @param {string} url of the test
 */
async function endTrial(page, session, url) {
  await session.send('Runtime.terminateExecution');
  await page.goto(new URL(`${END_PATH}${new URL(url).search}`, url).href);
}

/**
 * Creates a runner for browser tests, which are compiled together with the mutants. Each trial is a separate page, whose file sets the
 * active mutant and then loads the test.
 *
 * @param {readonly string[]} files
 * @param {import('../bundle-tests.mjs').Edit} edit
 * @returns {Promise<Runner>}
 */
export async function createPageRunner(files, edit) {
  const cache = join(ROOT, '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'mutants-'));
  const { from: _from, ...chrome } = await findChrome();
  const modules = bundlePages(edit);
  let rounds = 0;
  /**
   * @param {readonly Trial[]} trials
   * @param {(file: string, result: { seconds: number, hits: [number, number][] }) => void} onMeasured
   */
  const runRound = async (trials, onMeasured) => {
    const round = (rounds += 1);
    const nameOf = (/** @type {number} */ at) => `${String(round)}-${String(at)}`;
    const paths = trials.map((_, at) => join(folder, `${nameOf(at)}.test.js`));
    await Promise.all(
      trials.map((trial, at) => writeFile(paths[at] ?? '', createStartFile(trial, nameOf(at)))),
    );
    /** @type {NodeJS.Timeout[]} */
    const timers = [];
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
                if (path === END_PATH) return { body: END_PAGE, type: 'html' };
                const file = /^\/mutants\/[\d-]+\/(.+)$/.exec(path)?.[1];
                if (file === undefined) return undefined;
                // A file that a test loads by its URL is not compiled with the test, and has no mutants.
                const body = (await modules).get(file) ?? `export * from '/${file}';`;
                return { body, type: 'js' };
              },
              /** @param {{ command: string, payload?: any, session: RunningSession }} call */
              async executeCommand({ command, payload, session: { id, browser } }) {
                if (command === 'mutant-hits') onMeasured(payload.file, payload);
                else if (command === 'trial-started') {
                  const page = browser.getPage(id);
                  const url = page.url();
                  const session = await page.createCDPSession();
                  const end = () => {
                    if (browser.isActive(id)) endTrial(page, session, url).catch(() => undefined);
                  };
                  timers.push(setTimeout(end, payload.timeout));
                } else return undefined;
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
          // Half a minute later than the longest limit, so that an endless loop is ended first.
          testsFinishTimeout: Math.max(...trials.map(timeLimit)) + 30_000,
          // Trials without a mutant do not hang, so they get a long timeout.
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
    timers.forEach(clearTimeout);
    return trials.map((_, at) => {
      const session = sessions.find(({ testFile }) => testFile === paths[at]);
      if (session?.passed) return 'passed';
      const failure = JSON.stringify([session?.errors, session?.testResults]);
      if (trials[at]?.id === -1)
        console.log(`${trials[at].file} fails without any mutant: ${failure}`);
      return /did not finish|Timeout of \d+ms/.test(failure) ? 'timeout' : 'failed';
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
        const result = measured.get(file);
        if (!result || outcomes[at] !== 'passed')
          throw new Error(`${file} fails without any mutant.`);
        return result;
      });
    },
    run: (trials) => runRound(trials, () => undefined),
    close: () => rm(folder, { recursive: true }),
  };
}

/** Returns the code of the file of a trial. @param {Trial} trial @param {string} name */
const createStartFile = (trial, name) => `
import { executeServerCommand } from '${COMMANDS}';
const state = (globalThis.ubikMutants = { active: ${String(trial.id)}, limit: ${String(trial.limit)}, hits: new Map() });
const start = performance.now();
// The runner parses the stack of each error, which contains its message; a long message would take minutes.
if (state.active >= 0) Error.prepareStackTrace = () => '';
await executeServerCommand('trial-started', { timeout: ${String(timeLimit(trial))} });
// The compiled file, because the runner would compile the source again for each trial.
await import('/mutants/${name}/${trial.file.replace(/\.ts$/, '.js')}');
if (state.active < 0) {
  after(() => executeServerCommand('mutant-hits', {
    file: '${trial.file}', seconds: (performance.now() - start) / 1000, hits: [...state.hits],
  }));
}
`;
