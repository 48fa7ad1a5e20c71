/**
 * `npm run test:cms`: drives the integrations of `integrations/` in real content management systems (`test/cms`), installed from Debian
 * or Ubuntu packages. With names, only those: `node scripts/test-cms.mjs wordpress`. What cannot run because packages are missing is
 * named and skipped; `--install` installs the packages, as root. With `--no-build`, `dist/` is used as it is.
 */
import { spawnSync } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackage } from './pack.mjs';
import { ROOT, runCommand } from './run-command.mjs';
import { runNpm, UnreachableRegistryError } from './registry.mjs';
import {
  addTally,
  emptyTally,
  formatTally,
  readAndRemoveTally,
  tallyEnvironment,
  tallyOfRun,
  writeTally,
} from './tally.mjs';

/** Folder of the packages that the samples of docs/guides/token-route.md import. */
const ROUTES = join(ROOT, '.cache/cms/token-route');

/**
 * @typedef {object} Suite
 * @property {readonly string[]} packages Debian packages
 * @property {string} [build] script that builds the plug-in or extension under test
 * @property {() => Promise<void>} [prepare]
 */

/** The suite of each test file. @type {ReadonlyMap<string, Suite>} */
const SUITES = new Map([
  [
    'wordpress',
    {
      packages: [
        ...['wordpress', 'wordpress-theme-twentytwentythree', 'wordpress-theme-twentytwentyone'],
        ...['php-cli', 'php-mysql', 'php-gd', 'php-xml', 'php-mbstring', 'mariadb-server'],
      ],
      build: 'scripts/build-wordpress.mjs',
    },
  ],
  [
    'mediawiki',
    {
      packages: [
        ...['mediawiki', 'php-cli', 'php-sqlite3', 'php-intl', 'php-mbstring', 'php-xml'],
        'unzip',
      ],
      build: 'scripts/build-mediawiki.mjs',
    },
  ],
  ['nginx', { packages: ['nginx'] }],
  ['routes', { packages: ['php-cli', 'python3', 'golang-go'], prepare: installFrameworks }],
]);
/** Longest time in seconds for the tests of one file. It only ends files that hang. */
const TIMEOUT = 900;

/** @param {string} name */
function isInstalled(name) {
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f', '${db:Status-Status}', name], {
    encoding: 'utf8',
  });
  return stdout === 'installed';
}

/** @param {readonly string[]} words */
async function run(words) {
  const { code, output } = await runCommand(words, { seconds: 900 });
  if (code !== 0) throw new Error(`${words.join(' ')} failed:\n${output}`);
}

const COMMAND = ['apt-get', 'install', '-y', '--no-install-recommends'];

/** The packages of a suite that are not installed. @param {string} name */
const listMissing = (name) =>
  (SUITES.get(name)?.packages ?? []).filter((each) => !isInstalled(each));

/**
 * Installs missing packages, with one command per suite, so that a package that does not exist affects only its suite.
 *
 * @param {readonly string[]} names
 */
async function install(names) {
  // With this run level, the packages start no servers: the tests start them, each with a separate database.
  const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const incomplete = names.filter((name) => listMissing(name).length > 0);
  const commands = incomplete.map((name) => [...COMMAND, ...listMissing(name)]);
  if (commands.length > 0) commands.unshift(['apt-get', 'update', '-q']);
  for (const words of commands) {
    const { code, output } = await runCommand(words, { env, seconds: 900 });
    if (code !== 0) console.log(`${words.join(' ')} failed:\n${output.slice(-2000)}`);
  }
}

/** Returns the suites whose packages are installed, and names the others. @param {readonly string[]} names */
function listRunnable(names) {
  return names.filter((name) => {
    const missing = listMissing(name);
    if (missing.length > 0) {
      console.log(
        `── ${name} is skipped, because ${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} not installed. ` +
          `On Debian or Ubuntu, run as root: npm run test:cms -- --install, or\n  ${[...COMMAND, ...missing].join(' ')}`,
      );
    }
    return missing.length === 0;
  });
}

/** Installs the frameworks that the samples of the guide to token routes for Node use, and the package as it would be published. */
async function installFrameworks() {
  const { file: tarball } = await packPackage();
  await mkdir(ROUTES, { recursive: true });
  await cp(join(ROOT, 'integrations/token-route'), ROUTES, { recursive: true });
  const options = ['--no-audit', '--no-fund'];
  await runNpm(ROUTES, 'ci', ...options);
  await runNpm(ROUTES, 'install', '--no-save', ...options, tarball);
}

/** @param {readonly string[]} names */
async function runTests(names) {
  const file = join(tmpdir(), `ubik-elements-${String(process.pid)}-cms.json`);
  const files = names.map((name) => `test/cms/${name}.cms.ts`);
  const { code } = await runCommand(
    ['node', '--enable-source-maps', 'scripts/run-tests.mjs', '1', String(TIMEOUT), ...files],
    { live: true, env: { ...tallyEnvironment(file), NO_COLOR: '1' } },
  );
  return tallyOfRun(code, readAndRemoveTally(file));
}

const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const chosen = names.length > 0 ? names : [...SUITES.keys()];
const unknown = chosen.filter((name) => !SUITES.has(name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Known: ${[...SUITES.keys()].join(', ')}.`);
  process.exit(1);
}
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => process.exit(1));
}
if (process.argv.includes('--install')) await install(chosen);
const runnable = listRunnable(chosen);
if (runnable.length > 0 && !process.argv.includes('--no-build')) {
  await run(['node', join(ROOT, 'scripts/build.mjs'), '--run-only']);
}
/** @type {string[]} */
const ready = [];
for (const name of runnable) {
  const { build, prepare } = SUITES.get(name) ?? {};
  try {
    if (build) await run(['node', build]);
    await prepare?.();
    ready.push(name);
  } catch (error) {
    if (!(error instanceof UnreachableRegistryError)) throw error;
    console.log(`── ${name} is skipped. ${error.message}`);
  }
}
const total = { ...emptyTally(), skipped: chosen.length - ready.length };
if (ready.length > 0) addTally(total, await runTests(ready));
writeTally(total);
console.log(`\n${formatTally(total)}`);
// Without any suite, nothing was tested.
process.exit(total.failed > 0 || ready.length === 0 ? 1 : 0);
