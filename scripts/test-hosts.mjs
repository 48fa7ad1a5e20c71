/**
 * `npm run test:hosts`: builds the apps in `integrations/` from the packed package, as a user would install it, and drives them in a
 * browser (`test/hosts`). With names, only those: `node scripts/test-hosts.mjs react server`. With `--no-build`, `dist/` is used as it is.
 */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { packPackage } from './pack.mjs';
import { ROOT, runCommand } from './run-command.mjs';
import { emptyTally, formatTally, readAndRemoveTally, tallyEnvironment } from './tally.mjs';

const FOLDER = join(ROOT, '.cache/hosts');
/** Folders in `integrations/` with an app. */
const APPS = ['react', 'vue', 'svelte', 'angular', 'bundlers', 'next', 'sveltekit'];
/** The test file of each name. Those without an app use the unpacked package. */
const TEST_FILES = new Map([
  ['react', 'apps'],
  ['vue', 'apps'],
  ['svelte', 'apps'],
  ['angular', 'apps'],
  ['bundlers', 'bundlers'],
  ['server', 'server'],
  ['hostile', 'hostile-pages'],
  ['next', 'ssr'],
  ['sveltekit', 'ssr'],
]);
/** The language of the first sample of each guide, and the file as which it is compiled together with the app. */
const GUIDES = new Map([
  ['react', { language: 'tsx', file: 'src/guide.tsx' }],
  ['vue', { language: 'vue', file: 'src/GuideSample.vue' }],
  ['svelte', { language: 'svelte', file: 'src/GuideSample.svelte' }],
  ['angular', { language: 'ts', file: 'src/guide.ts' }],
]);
/** The guide whose samples are files of several apps. Each begins with a comment that has the path of the file. */
const FILE_GUIDE = 'server-rendering';
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
  await addGuideSample(name, target);
  await checkGuideFiles(name);
  const hasLock = existsSync(join(source, 'package-lock.json'));
  await run(target, 'npm', hasLock ? 'ci' : 'install', '--no-audit', '--no-fund');
  await run(target, 'npm', 'install', '--no-save', '--no-audit', '--no-fund', tarball);
  if (manifest.scripts.types) await run(target, 'npm', 'run', 'types');
  await run(target, 'npm', 'run', 'build');
}

/** Adds the first sample of the guide to the app, so that it is compiled as it stands. @param {string} name @param {string} target */
async function addGuideSample(name, target) {
  const sample = GUIDES.get(name);
  if (!sample) return;
  const guide = await readFile(join(ROOT, `docs/guides/${name}.md`), 'utf8');
  const [, code] = new RegExp(`\`\`\`${sample.language}\\n(.*?)\`\`\``, 's').exec(guide) ?? [];
  if (!code) throw new Error(`docs/guides/${name}.md has no sample in ${sample.language}.`);
  await writeFile(join(target, sample.file), code);
}

/**
 * Checks that the samples of a guide are the files of the app, which are built and driven.
 *
 * @param {string} name
 */
async function checkGuideFiles(name) {
  const folder = new Map([
    ['next', 'app/'],
    ['sveltekit', 'src/'],
  ]).get(name);
  if (folder === undefined) return;
  const guide = await readFile(join(ROOT, `docs/guides/${FILE_GUIDE}.md`), 'utf8');
  const samples = [...guide.matchAll(/```\w+\n(?:\/\/|<!--) (\S+)(?: -->)?\n(.*?)```/gs)];
  const own = samples.filter(([, path = '']) => path.startsWith(folder));
  if (own.length === 0) throw new Error(`docs/guides/${FILE_GUIDE}.md has no sample in ${folder}.`);
  for (const [, path = '', code] of own) {
    const file = await readFile(join(ROOT, 'integrations', name, path), 'utf8');
    if (file !== code) throw new Error(`docs/guides/${FILE_GUIDE}.md differs from ${path}.`);
  }
}

/** Installs the package with its dependencies, for imports on a server. @param {string} tarball */
async function installPackage(tarball) {
  const target = join(FOLDER, 'package');
  await mkdir(target, { recursive: true });
  await writeFile(join(target, 'package.json'), '{ "private": true, "type": "module" }\n');
  await run(target, 'npm', 'install', '--no-save', '--no-audit', '--no-fund', tarball);
}

/** @param {readonly string[]} names */
async function runTests(names) {
  const files = new Set(names.map((name) => `test/hosts/${TEST_FILES.get(name) ?? ''}.host.ts`));
  const file = join(tmpdir(), `ubik-elements-${String(process.pid)}-hosts.json`);
  const { code } = await runCommand(
    ['node', '--enable-source-maps', 'scripts/run-tests.mjs', '1', String(TIMEOUT), ...files],
    { live: true, env: { ...tallyEnvironment(file), HOSTS: names.join(','), NO_COLOR: '1' } },
  );
  const tally = readAndRemoveTally(file) ?? emptyTally();
  const isBroken = tally.passed + tally.failed === 0 || (code !== 0 && tally.failed === 0);
  return isBroken ? { ...tally, failed: tally.failed + 1 } : tally;
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
if (!process.argv.includes('--no-build')) await run(ROOT, 'node', 'scripts/build.mjs');
await rm(FOLDER, { recursive: true, force: true });
const { file: tarball } = await packPackage();
await installPackage(tarball);

/** Names that can be tested: their app was built, or they have none. @type {string[]} */
const ready = [];
let failures = 0;
for (const name of chosen) {
  const started = performance.now();
  try {
    if (APPS.includes(name)) await buildApp(name, tarball);
    ready.push(name);
    console.log(`── ${name}: ready in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  } catch (error) {
    failures += 1;
    console.log(`── ${name}: ${String(error)}`);
  }
}
const tally = ready.length > 0 ? await runTests(ready) : emptyTally();
tally.failed += failures;
console.log(`\n${formatTally(tally)}`);
process.exit(tally.failed > 0 ? 1 : 0);
