/**
 * `npm run test:cms`: drives the integrations of `integrations/` in real content management systems (`test/cms`), installed from Debian
 * or Ubuntu packages. With names, only those: `node scripts/test-cms.mjs wordpress`. Says which packages are missing; `--install` installs
 * them, as root. With `--no-build`, `dist/` is used as it is.
 */
import { spawnSync } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackage } from './pack.mjs';
import { ROOT, runCommand } from './run-command.mjs';
import { emptyTally, formatTally, readAndRemoveTally, tallyEnvironment } from './tally.mjs';

/** Folder of the packages that the samples of docs/guides/token-route.md import. */
const ROUTES = join(ROOT, '.cache/cms/token-route');

/**
 * @typedef {object} Suite
 * @property {readonly string[]} packages Debian packages
 * @property {string} [build] a script that writes what is installed
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

/** @param {readonly string[]} words @param {NodeJS.ProcessEnv} [env] @param {string} [cwd] */
async function run(words, env = {}, cwd = ROOT) {
  const { code, output } = await runCommand(words, { env, cwd, seconds: 900 });
  if (code !== 0) throw new Error(`${words.join(' ')} failed:\n${output}`);
}

/** Installs missing packages, or says how. @param {readonly string[]} missing */
async function install(missing) {
  const command = ['apt-get', 'install', '-y', '--no-install-recommends', ...missing];
  if (!process.argv.includes('--install')) {
    console.error(
      `Packages are missing. Run this as root, or \`npm run test:cms -- --install\`:\n  ${command.join(' ')}`,
    );
    process.exit(1);
  }
  await run(['apt-get', 'update', '-q']);
  // The servers of the packages are not started: the tests start their own, with a database of their own.
  await run(command, { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' });
}

/** Installs the frameworks of the samples for Node, and the package as it would be published. */
async function installFrameworks() {
  const { file: tarball } = await packPackage();
  await mkdir(ROUTES, { recursive: true });
  await cp(join(ROOT, 'integrations/token-route'), ROUTES, { recursive: true });
  for (const words of [['install'], ['install', '--no-save', tarball]]) {
    await run(['npm', ...words, '--no-audit', '--no-fund'], {}, ROUTES);
  }
}

/** @param {readonly string[]} names */
async function runTests(names) {
  const file = join(tmpdir(), `ubik-elements-${String(process.pid)}-cms.json`);
  const files = names.map((name) => `test/cms/${name}.cms.ts`);
  const { code } = await runCommand(
    ['node', '--enable-source-maps', 'scripts/run-tests.mjs', '1', String(TIMEOUT), ...files],
    { live: true, env: { ...tallyEnvironment(file), NO_COLOR: '1' } },
  );
  const tally = readAndRemoveTally(file) ?? emptyTally();
  const isBroken = tally.passed + tally.failed === 0 || (code !== 0 && tally.failed === 0);
  return isBroken ? { ...tally, failed: tally.failed + 1 } : tally;
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
const needed = new Set(chosen.flatMap((name) => SUITES.get(name)?.packages ?? []));
const missing = [...needed].filter((name) => !isInstalled(name));
if (missing.length > 0) await install(missing);
if (!process.argv.includes('--no-build')) {
  await run(['node', join(ROOT, 'scripts/build.mjs'), '--run-only']);
}
for (const name of chosen) {
  const { build, prepare } = SUITES.get(name) ?? {};
  if (build) await run(['node', build]);
  await prepare?.();
}
const tally = await runTests(chosen);
console.log(`\n${formatTally(tally)}`);
process.exit(tally.failed > 0 ? 1 : 0);
