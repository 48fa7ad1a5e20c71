/**
 * `npm run test:hosts`: builds the apps in `integrations/` from the packed package, as a user would install it, and drives them in a
 * browser (`test/hosts`). With names, only those: `node scripts/test-hosts.mjs react server`. Without names, builds a second time and
 * compares the packages. With `--no-build`, `dist/` is used as it is and nothing is compared. An app that cannot be installed because the
 * registry cannot be reached is named and skipped.
 */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { packPackage } from './pack.mjs';
import { runNpm, UnreachableRegistryError } from './registry.mjs';
import { ROOT, runCommand } from './run-command.mjs';
import {
  addTally,
  emptyTally,
  formatTally,
  readAndRemoveTally,
  tallyEnvironment,
  tallyOfRun,
  writeTally,
} from './tally.mjs';

const FOLDER = join(ROOT, '.cache/hosts');
/** Folders in `integrations/` with an app. */
const APPS = [
  'react',
  'vue',
  'svelte',
  'angular',
  'bundlers',
  'own-marked',
  'next',
  'sveltekit',
  'solid',
];
/** The test file of each name. The tests of names without an app use the unpacked package. */
const TEST_FILES = new Map([
  ['react', 'apps'],
  ['vue', 'apps'],
  ['svelte', 'apps'],
  ['angular', 'apps'],
  ['bundlers', 'bundlers'],
  ['own-marked', 'own-marked'],
  ['server', 'server'],
  ['readme', 'readme'],
  ['hostile', 'hostile-pages'],
  ['next', 'ssr'],
  ['sveltekit', 'ssr'],
  ['solid', 'types'],
]);
/**
 * The guide of each app. With `file`, the first sample in `language` is that file of the app. With `folder`, the samples begin with a
 * comment that has their path, and those in `folder` are files of the app.
 */
const GUIDES = new Map([
  ['react', { guide: 'react', language: 'tsx', file: 'src/assistant.tsx' }],
  ['vue', { guide: 'vue', language: 'vue', file: 'src/GuideSample.vue' }],
  ['svelte', { guide: 'svelte', language: 'svelte', file: 'src/GuideSample.svelte' }],
  ['angular', { guide: 'angular', language: 'ts', file: 'src/assistant.ts' }],
  ['next', { guide: 'server-rendering', folder: 'app/' }],
  ['sveltekit', { guide: 'server-rendering', folder: 'src/' }],
]);
/** Longest time in seconds for the tests of one file. It only ends files that hang. */
const TIMEOUT = 600;

/** @param {string} cwd @param {readonly string[]} words */
async function run(cwd, ...words) {
  const { code, output } = await runCommand(words, { cwd, seconds: 600 });
  if (code !== 0) throw new Error(`${words.join(' ')} failed in ${basename(cwd)}:\n${output}`);
}

/**
 * Installs the app with its lock file and the tarball, and builds it. The tarball is not in the lock file, because its hash changes with
 * each build.
 *
 * @param {string} name @param {string} tarball
 */
async function buildApp(name, tarball) {
  const source = join(ROOT, 'integrations', name);
  const target = join(FOLDER, name);
  const manifest = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'));
  const skipped = new Set(['node_modules', 'dist', '.angular', '.next', '.svelte-kit', 'build']);
  await cp(source, target, {
    recursive: true,
    filter: (path) => !skipped.has(basename(path)),
  });
  await rm(join(target, 'dist'), { recursive: true, force: true });
  await checkGuide(name);
  await runNpm(target, 'ci', '--no-audit', '--no-fund');
  await installPackage(target, tarball);
  for (const script of ['types', 'build']) {
    if (manifest.scripts?.[script]) await run(target, 'npm', 'run', script);
  }
}

/**
 * Lists the samples of a guide that are files of an app, by their paths.
 *
 * @param {string} name @returns {Promise<ReadonlyMap<string, string>>}
 */
async function readGuide(name) {
  const { guide, language, file, folder } = GUIDES.get(name) ?? {};
  if (!guide) return new Map();
  const text = await readFile(join(ROOT, `docs/guides/${guide}.md`), 'utf8');
  // The empty group stands for the path, which only the other pattern finds.
  const pattern = file
    ? new RegExp(`()\`\`\`${language ?? ''}\\n(.*?)\`\`\``, 'gs')
    : /```\w+\n(?:\/\/|<!--) (\S+)(?: -->)?\n(.*?)```/gs;
  const samples = [...text.matchAll(pattern)]
    .map(([, path = '', code = '']) => /** @type {const} */ ([file ?? path, code]))
    .filter(([path]) => path.startsWith(folder ?? ''));
  if (samples.length === 0) throw new Error(`docs/guides/${guide}.md has no sample for ${name}.`);
  return new Map(file ? samples.slice(0, 1) : samples);
}

/** Lists the samples of the guide to renderers that are files of an app: the line before has the path. @param {string} name */
async function readRendererSamples(name) {
  const text = await readFile(join(ROOT, 'docs/guides/renderers.md'), 'utf8');
  const pattern = /\(`integrations\/([\w-]+)\/(\S+?)`\):\n\n```\w+\n(.*?)```/gs;
  return [...text.matchAll(pattern)].flatMap(([, app, path = '', code = '']) =>
    app === name ? [/** @type {const} */ ([path, code])] : [],
  );
}

/** Checks that the samples of the guides are files of the app, which are built and driven. @param {string} name */
async function checkGuide(name) {
  for (const [path, code] of [...(await readGuide(name)), ...(await readRendererSamples(name))]) {
    const file = await readFile(join(ROOT, 'integrations', name, path), 'utf8');
    if (file !== code) throw new Error(`A sample in docs/guides differs from ${path}.`);
  }
}

/** @param {string} folder @param {string} tarball */
const installPackage = (folder, tarball) =>
  runNpm(folder, 'install', '--no-save', '--no-audit', '--no-fund', tarball);

/** Installs the package in an app without a framework, for imports on a server. @param {string} tarball */
async function buildPlainApp(tarball) {
  const target = join(FOLDER, 'package');
  await mkdir(target, { recursive: true });
  await writeFile(join(target, 'package.json'), '{ "private": true, "type": "module" }\n');
  await installPackage(target, tarball);
}

/** Builds and packs a second time, and compares the bytes. @param {string} tarball */
async function isReproducible(tarball) {
  await run(ROOT, 'node', 'scripts/build.mjs');
  const { file } = await packPackage('.cache/package-again');
  return (await readFile(file)).equals(await readFile(tarball));
}

/** @param {readonly string[]} names */
async function runTests(names) {
  const files = new Set(names.map((name) => `test/hosts/${TEST_FILES.get(name) ?? ''}.host.ts`));
  const file = join(tmpdir(), `ubik-elements-${String(process.pid)}-hosts.json`);
  const { code } = await runCommand(
    ['node', '--enable-source-maps', 'scripts/run-tests.mjs', '1', String(TIMEOUT), ...files],
    { live: true, env: { ...tallyEnvironment(file), HOSTS: names.join(','), NO_COLOR: '1' } },
  );
  return tallyOfRun(code, readAndRemoveTally(file));
}

const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const chosen = names.length > 0 ? names : [...TEST_FILES.keys()];
const unknown = chosen.filter((name) => !TEST_FILES.has(name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Known: ${[...TEST_FILES.keys()].join(', ')}.`);
  process.exit(1);
}
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => process.exit(1));
}
const isBuilding = !process.argv.includes('--no-build');
if (isBuilding) await run(ROOT, 'node', 'scripts/build.mjs');
await rm(FOLDER, { recursive: true, force: true });
const { file: tarball } = await packPackage();

/** Names that can be tested: their app was built, or they have none. @type {string[]} */
const ready = [];
const total = emptyTally();
/** @type {unknown} */
let unreachable;
for (const name of ['package', ...chosen]) {
  const started = performance.now();
  try {
    // Once the registry could not be reached, it is not requested again.
    if (unreachable) throw unreachable;
    if (name === 'package') await buildPlainApp(tarball);
    if (APPS.includes(name)) await buildApp(name, tarball);
    if (name !== 'package') ready.push(name);
    console.log(`── ${name}: ready in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  } catch (error) {
    if (error instanceof UnreachableRegistryError) unreachable = error;
    total[error === unreachable ? 'skipped' : 'failed'] += 1;
    console.log(`── ${name}${error === unreachable ? ' is skipped' : ''}: ${String(error)}`);
  }
}
if (ready.length > 0) addTally(total, await runTests(ready));
if (isBuilding && names.length === 0) {
  const isSame = await isReproducible(tarball);
  total[isSame ? 'passed' : 'failed'] += 1;
  if (!isSame) console.log('── Two builds of the same sources differ.');
}
writeTally(total);
console.log(`\n${formatTally(total)}`);
// Without any host, nothing was tested.
process.exit(total.failed > 0 || ready.length === 0 ? 1 : 0);
