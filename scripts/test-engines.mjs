/**
 * `npm run test:engines`: runs the browser tests in Firefox and WebKitGTK, and the engine tests (`test/engines`) in Firefox, WebKitGTK
 * and Chromium. (In Chromium, `npm test` runs the browser tests.) `BROWSERS=firefox,webkit` selects engines, file names as arguments select tests;
 * `--install` installs missing engines with apt, as root; with `--no-build`, `dist/` is used as it is. An engine that is not installed is
 * named and skipped.
 */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ENGINES } from './engines/engines.mjs';
import { ROOT, runCommand } from './run-command.mjs';
import {
  addTally,
  tallyOfRun,
  emptyTally,
  formatTally,
  readAndRemoveTally,
  tallyEnvironment,
  writeTally,
} from './tally.mjs';

/** @typedef {import('./engines/engines.mjs').Engine} Engine */

/** Timeout of a test file in seconds. It only ends files that hang. */
const TIMEOUT = 600;
const FOLDER = 'test/engines';
const ENDING = '.engine.ts';

const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const files = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const names = (process.env['BROWSERS'] ?? 'chrome,firefox,webkit').split(',');
const unknown = names.filter((name) => !ENGINES.some((engine) => engine.name === name));
if (unknown.length > 0) {
  const known = ENGINES.map(({ name }) => name).join(', ');
  console.error(`Unknown in BROWSERS: ${unknown.join(', ')}. Known: ${known}.`);
  process.exit(1);
}
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  // `process.exit` runs the exit handlers that end the process groups of the commands; the default handling of a signal does not.
  process.once(signal, () => process.exit(1));
}

/** @param {readonly Engine[]} engines */
async function install(engines) {
  const packages = engines.flatMap((engine) => engine.packages);
  for (const words of [
    ['apt-get', 'update'],
    ['apt-get', 'install', '--yes', '--no-install-recommends', ...packages],
  ]) {
    const { code, output } = await runCommand(words, {
      env: { DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (code !== 0) console.log(`${words.join(' ')} failed:\n${output.slice(-2000)}`);
  }
}

/** Returns the engines that are installed, and names the others. @param {readonly Engine[]} engines */
async function listInstalled(engines) {
  const installed = [];
  for (const engine of engines) {
    const missing = await engine.listMissing();
    if (missing.length === 0) installed.push(engine);
    else {
      console.log(
        `── ${engine.title} is skipped, because ${missing.join(' and ')} is not installed. On Debian or Ubuntu, run as root: ` +
          `npm run test:engines -- --install, or apt-get install --no-install-recommends ${engine.packages.join(' ')}`,
      );
    }
  }
  return installed;
}

/** The files of the command line with an ending. @param {string} ending */
const filesWith = (ending) => files.filter((file) => file.endsWith(ending));

/** Finds a free port, because test runners that start at the same time would all choose the same one. @returns {Promise<number>} */
async function findFreePort() {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const address = server.address();
  await promisify(server.close.bind(server))();
  return typeof address === 'object' && address ? address.port : 0;
}

/** The commands that test an engine. @param {string} name */
async function listCommands(name) {
  const isAll = files.length === 0;
  const browserTests = filesWith('.test.ts');
  const all = readdirSync(join(ROOT, FOLDER)).map((file) => join(FOLDER, file));
  const engineTests = isAll ? all.filter((file) => file.endsWith(ENDING)) : filesWith(ENDING);
  const runner = ['node', '--enable-source-maps', 'scripts/run-tests.mjs', '1', String(TIMEOUT)];
  const commands = [];
  if (name !== 'chrome' && (isAll || browserTests.length > 0)) {
    const port = String(await findFreePort());
    const selected = isAll ? [] : ['--files', ...browserTests];
    const words = ['web-test-runner', '--port', port, ...selected];
    commands.push({ kind: 'Browser tests', words });
  }
  if (engineTests.length > 0) {
    commands.push({ kind: 'Engine tests', words: [...runner, ...engineTests] });
  }
  return commands;
}

/** @param {Engine} engine */
async function testEngine({ name, title }) {
  const total = emptyTally();
  for (const { kind, words } of await listCommands(name)) {
    const started = performance.now();
    const file = join(tmpdir(), `ubik-elements-${String(process.pid)}-${name}.json`);
    const env = { ...tallyEnvironment(file), ENGINE: name, NO_COLOR: '1', FORCE_COLOR: undefined };
    const { code, output } = await runCommand(words, { env });
    const tally = tallyOfRun(code, readAndRemoveTally(file));
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`\n── ${kind} in ${title}: ${formatTally(tally)} in ${seconds} s`);
    if (tally.failed > 0) console.log(output.trimEnd() || `Exit code ${String(code)}.`);
    addTally(total, tally);
  }
  return total;
}

if (!options.includes('--no-build')) {
  const { code, output } = await runCommand(['node', 'scripts/build.mjs', '--run-only']);
  if (code !== 0) {
    console.log(output);
    process.exit(1);
  }
}
const wanted = ENGINES.filter(({ name }) => names.includes(name));
if (options.includes('--install')) {
  const states = await Promise.all(wanted.map((engine) => engine.listMissing()));
  const absent = wanted.filter((_, index) => states[index]?.length);
  if (absent.length > 0) await install(absent);
}
const installed = await listInstalled(wanted);
const total = { ...emptyTally(), skipped: wanted.length - installed.length };
// The engines run concurrently, because the tests of an engine wait for its frames and timers more than for the processor.
for (const tally of await Promise.all(installed.map(testEngine))) addTally(total, tally);
writeTally(total);
console.log(`\n${formatTally(total)}`);
// Without any engine, nothing was tested.
process.exit(total.failed > 0 || installed.length === 0 ? 1 : 0);
