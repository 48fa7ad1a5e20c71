import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '../run-command.mjs';
import { findMutants, plantMutants } from './find-mutants.mjs';

/** @typedef {import('./find-mutants.mjs').Mutant} Mutant */

/** Rooms with logic of their own, and where their code lies. @type {ReadonlyMap<string, string>} */
const FOLDERS = new Map([
  ['model', 'src/model'],
  ['transport', 'src/transport'],
  ['backends', 'src/backends'],
  ['controller', 'src/controller'],
  ['markdown', 'src/markdown'],
  ['message', 'src/message'],
  ['elements', 'src/elements'],
  ['server', 'server'],
]);

export const ROOMS = [...FOLDERS.keys()];

const SWITCH = join(ROOT, 'scripts/mutation/switch.mjs');

/** @param {string} folder from the top of the repository @param {RegExp} name */
const listFiles = (folder, name) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file).split(sep).join('/'))
    .filter((file) => name.test(file))
    .sort();

/** All mutants of a room. @param {string} room */
export function listMutants(room) {
  const folder = FOLDERS.get(room);
  if (folder === undefined)
    throw new Error(`No such room: ${room}. There are ${ROOMS.join(', ')}.`);
  return listFiles(folder, /(?<!\.d)\.ts$/).flatMap((file) =>
    findMutants(file, readFileSync(join(ROOT, file), 'utf8')),
  );
}

/** Plants mutants wherever their source is compiled. @param {ReadonlyMap<number, Mutant>} mutants @returns {import('../bundle-tests.mjs').Edit} */
export function plantInto(mutants) {
  const files = new Set([...mutants.values()].map(({ file }) => file));
  // Compiled again and again: a source that is edited meanwhile stays as it was when the places in it were found.
  const planted = new Map(
    [...files].map((file) => {
      const own = new Map([...mutants].filter(([, mutant]) => mutant.file === file));
      return [file, plantMutants(readFileSync(join(ROOT, file), 'utf8'), own, SWITCH)];
    }),
  );
  return (path, source) => planted.get(relative(ROOT, path).split(sep).join('/')) ?? source;
}

/** What each file of tests imports, through whatever else. @param {readonly string[]} tests @returns {Promise<Map<string, Set<string>>>} */
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

/** Tests of something else, and those that measure time. */
const OTHER = /^test\/(?:performance|house|demo)\//;
/** Tests of whole sequences, which take long for each mutant. */
const SEQUENCES = /^test\/(?:simulation|faults)\//;

/**
 * The files of tests that fit a room: first those of its own folder, then all others that import something of it, of each first those of
 * Node, which take less; at last the random sequences of actions and faults.
 *
 * @param {string} room
 * @param {boolean} [isNear] only those of its own folder
 * @returns {Promise<string[][]>}
 */
export async function listTests(room, isNear = false) {
  const folder = `${FOLDERS.get(room) ?? room}/`;
  const all = listFiles('test', /\.(?:unit|test)\.ts$/).filter((file) => !OTHER.test(file));
  const imports = await readImports(all);
  const fitting = all.filter((test) =>
    [...(imports.get(test) ?? [])].some((file) => file.startsWith(folder)),
  );
  const isOwn = (/** @type {string} */ file) => file.startsWith(`test/${room}/`);
  const near = fitting.filter(isOwn);
  const sequences = fitting.filter((file) => SEQUENCES.test(file));
  const others = fitting.filter((file) => !isOwn(file) && !SEQUENCES.test(file));
  return [...splitByRunner(near), ...(isNear ? [] : [...splitByRunner(others), sequences])].filter(
    (files) => files.length > 0,
  );
}

/** Tests of Node, then those of a browser. @param {readonly string[]} files */
const splitByRunner = (files) =>
  ['.unit.ts', '.test.ts'].map((ending) => files.filter((file) => file.endsWith(ending)));

/**
 * A mutant that does the same as the code: no test can tell them apart. `nth` counts equal changes of equal lines in a file, from 0, which
 * is the default.
 *
 * @typedef {{ file: string, code: string, change: string, nth?: number, why: string }} Equivalent
 */

/** Those that are known. @returns {Equivalent[]} */
export const readEquivalents = () =>
  JSON.parse(readFileSync(join(ROOT, 'scripts/mutation/equivalents.json'), 'utf8'));

/** @param {Mutant} mutant @param {Equivalent} known */
export const isEquivalent = (mutant, known) =>
  mutant.file === known.file &&
  mutant.code === known.code &&
  mutant.change === known.change &&
  mutant.nth === (known.nth ?? 0);
