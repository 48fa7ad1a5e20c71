import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '../run-command.mjs';
import { findMutants, insertMutants } from './find-mutants.mjs';

/** @typedef {import('./find-mutants.mjs').Mutant} Mutant */

/** The modules for mutation testing, and their folders. @type {ReadonlyMap<string, string>} */
const FOLDERS = new Map([
  ['model', 'src/model'],
  ['transport', 'src/transport'],
  ['backends', 'src/backends'],
  ['controller', 'src/controller'],
  ['markdown', 'src/markdown'],
  ['message', 'src/message'],
  ['elements', 'src/elements'],
  ['dom', 'src/dom'],
  ['mermaid', 'src/mermaid'],
  ['static', 'src/static'],
  ['server', 'server'],
]);

export const MODULES = [...FOLDERS.keys()];

const SWITCH = join(ROOT, 'scripts/mutation/switch.mjs');

/** @param {string} folder relative to the root of the repository @param {RegExp} name */
const listFiles = (folder, name) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file).split(sep).join('/'))
    .filter((file) => name.test(file))
    .sort();

/** Lists all mutants of a module. @param {string} module */
export function listMutants(module) {
  const folder = FOLDERS.get(module);
  if (folder === undefined)
    throw new Error(`Unknown module: ${module}. The modules are ${MODULES.join(', ')}.`);
  return listFiles(folder, /(?<!\.d)\.ts$/).flatMap((file) =>
    findMutants(file, readFileSync(join(ROOT, file), 'utf8')),
  );
}

/**
 * Returns an edit that inserts mutants into their sources.
 *
 * @param {ReadonlyMap<number, Mutant>} mutants
 * @returns {import('../bundle-tests.mjs').Edit}
 */
export function createMutantEdit(mutants) {
  const files = new Set([...mutants.values()].map(({ file }) => file));
  // Sources are read once: positions of mutants would be wrong in a source that is edited during the run.
  const mutated = new Map(
    [...files].map((file) => {
      const ofFile = new Map([...mutants].filter(([, mutant]) => mutant.file === file));
      return [file, insertMutants(readFileSync(join(ROOT, file), 'utf8'), ofFile, SWITCH)];
    }),
  );
  return (path, source) => mutated.get(relative(ROOT, path).split(sep).join('/')) ?? source;
}

/** Returns the direct and indirect imports of each test file. @param {readonly string[]} tests @returns {Promise<Map<string, Set<string>>>} */
async function readImports(tests) {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [...tests],
    outdir: join(ROOT, '.cache/imports'),
    outbase: ROOT,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  return new Map(
    tests.map((test) => {
      const found = new Set([test]);
      for (const file of found) {
        for (const { path, external } of metafile.inputs[file]?.imports ?? []) {
          if (!external) found.add(path);
        }
      }
      return [test, found];
    }),
  );
}

/** Tests that measure time or test other code. */
const OTHER = /^test\/(?:performance|repository|demo)\//;
/** Tests of whole sequences, which take long for each mutant. */
const SEQUENCES = /^test\/(?:simulation|faults)\//;

/**
 * Lists the test files for a module in the order of their cost: those in `test/MODULE`, then all others that import its files, both with
 * the Node tests before the browser tests, then the random sequences of actions and faults.
 *
 * @param {string} module
 * @param {boolean} [isNear] only those in `test/MODULE`
 * @returns {Promise<string[][]>}
 */
export async function listTests(module, isNear = false) {
  const folder = `${FOLDERS.get(module) ?? module}/`;
  const isOwn = (/** @type {string} */ file) => file.startsWith(`test/${module}/`);
  const all = listFiles('test', /\.(?:unit|test)\.ts$/).filter(
    (file) => !OTHER.test(file) && (!isNear || isOwn(file)),
  );
  const imports = await readImports(all);
  const importing = all.filter((test) =>
    [...(imports.get(test) ?? [])].some((file) => file.startsWith(folder)),
  );
  const near = importing.filter(isOwn);
  const sequences = importing.filter((file) => SEQUENCES.test(file));
  const others = importing.filter((file) => !isOwn(file) && !SEQUENCES.test(file));
  return [...splitByRunner(near), ...splitByRunner(others), sequences].filter(
    (files) => files.length > 0,
  );
}

/** Returns the Node tests, then the browser tests. @param {readonly string[]} files */
const splitByRunner = (files) =>
  ['.unit.ts', '.test.ts'].map((ending) => files.filter((file) => file.endsWith(ending)));

/**
 * A mutant that behaves exactly like the code. `nth` counts equal changes of equal lines in a file, from 0, which is the default.
 *
 * @typedef {{ file: string, code: string, change: string, nth?: number, why: string }} Equivalent
 */

/** Reads the list of known equivalent mutants. @returns {Equivalent[]} */
export const readEquivalents = () =>
  JSON.parse(readFileSync(join(ROOT, 'scripts/mutation/equivalents.json'), 'utf8'));

/** @param {Mutant} mutant @param {Equivalent} known */
export const isEquivalent = (mutant, known) =>
  mutant.file === known.file &&
  mutant.code === known.code &&
  mutant.change === known.change &&
  mutant.nth === (known.nth ?? 0);
