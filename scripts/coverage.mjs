/**
 * Line coverage of `src` and `server` by module, over the unit tests and the browser tests together: `node scripts/coverage.mjs` reads the
 * results of the last `npm run coverage`, prints a table, and fails when a module is below its minimum. The tests are compiled to shared
 * chunks, so the ranges that V8 reports are merged per chunk before one pass over each source map. Files that no test loads are not
 * counted.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { decodedMappings, TraceMap } from '@jridgewell/trace-mapping';
import { ROOT } from './run-command.mjs';

/** Folder of the results of the steps. */
const FOLDER = join(ROOT, '.cache', 'coverage');

/** The steps that measure coverage. */
const STEPS = ['unit', 'dom'];

/** Minimum line coverage of a module in percent. The other modules are printed only. */
const MINIMUMS = new Map(
  ['src/model', 'src/transport', 'src/backends', 'src/controller', 'src/markdown', 'server'].map(
    (module) => [module, 92],
  ),
);

/**
 * The fields of V8's coverage of a script that are used.
 *
 * @typedef {object} ScriptCoverage
 * @property {string} url
 * @property {readonly { readonly ranges: readonly { readonly startOffset: number, readonly endOffset: number, readonly count: number }[] }[]} functions
 */

/** The lines of a source file by number, and whether they were executed. @typedef {Map<number, boolean>} Lines */

/** Records which characters of compiled files were executed in any process or page. */
export class Coverage {
  /** @type {Map<string, Uint8Array>} */
  #covered = new Map();

  /**
   * Adds one run of a compiled file. A run of another length is one of a file that was compiled anew, and replaces the earlier ones.
   *
   * @param {string} name
   * @param {ScriptCoverage} script
   */
  add(name, { functions }) {
    const ends = functions.flatMap(({ ranges }) => ranges.map(({ endOffset }) => endOffset));
    const length = ends.reduce((longest, end) => Math.max(longest, end), 0);
    const run = new Uint8Array(length);
    // Outer ranges come before the ranges inside them.
    for (const { ranges } of functions) {
      for (const { startOffset, endOffset, count } of ranges) {
        run.fill(count > 0 ? 1 : 0, startOffset, endOffset);
      }
    }
    const known = this.#covered.get(name);
    if (known?.length !== length) this.#covered.set(name, run);
    else run.forEach((hasRun, at) => hasRun && (known[at] = hasRun));
  }

  /**
   * Returns the characters of a compiled file: 1 for each that was executed.
   *
   * @param {string} name
   */
  characters(name) {
    return this.#covered.get(name) ?? new Uint8Array();
  }

  /**
   * Maps the coverage to the sources, and writes the result of a step.
   *
   * @param {string} step
   * @param {(name: string) => { code: string, map: string, folder: string } | undefined} read returns the compiled file, its source map,
   *   and the folder to which the sources of the map are relative
   */
  write(step, read) {
    /** @type {Map<string, Lines>} */
    const files = new Map();
    for (const [name, covered] of this.#covered) {
      const compiled = read(name);
      if (compiled) mapLines(covered, compiled, files);
    }
    mkdirSync(FOLDER, { recursive: true });
    const entries = [...files].map(([file, lines]) => [file, [...lines]]);
    writeFileSync(join(FOLDER, `${step}.json`), JSON.stringify(entries));
  }
}

/**
 * @param {Uint8Array} covered
 * @param {{ code: string, map: string, folder: string }} compiled
 * @param {Map<string, Lines>} files
 */
function mapLines(covered, { code, map, folder }, files) {
  const trace = new TraceMap(map);
  const sources = trace.sources.map((source) => {
    const path = relative(ROOT, resolve(folder, source ?? ''))
      .split(sep)
      .join('/');
    return /^(?:src|server)\/.*\.ts$/.test(path) ? path : undefined;
  });
  let start = 0;
  const lineStarts = code.split('\n').map((line) => {
    const at = start;
    start += line.length + 1;
    return at;
  });
  decodedMappings(trace).forEach((segments, line) => {
    for (const [column, source, original] of segments) {
      const file = source === undefined ? undefined : sources[source];
      if (file === undefined || original === undefined) continue;
      const lines = files.get(file) ?? new Map();
      files.set(file, lines);
      const hasRun = covered[(lineStarts[line] ?? 0) + column] === 1;
      lines.set(original, hasRun || lines.get(original) === true);
    }
  });
}

/** @param {string} file */
const moduleOf = (file) => (file.startsWith('src/') ? file.split('/', 2).join('/') : 'server');

/** Merges the results of the steps. @returns {Map<string, Lines>} */
function readSteps() {
  /** @type {Map<string, Lines>} */
  const files = new Map();
  for (const step of STEPS) {
    const path = join(FOLDER, `${step}.json`);
    if (!existsSync(path)) throw new Error('Run `npm run coverage` first: it measures.');
    for (const [file, entries] of JSON.parse(readFileSync(path, 'utf8'))) {
      const lines = files.get(file) ?? new Map();
      files.set(file, lines);
      for (const [line, hasRun] of entries) lines.set(line, hasRun || lines.get(line) === true);
    }
  }
  return files;
}

/**
 * Prints the table and, for each argument, the lines that were not executed in files whose paths begin with the argument. Returns whether
 * each module has reached its minimum.
 */
function report() {
  const files = readSteps();
  /** @type {Map<string, { covered: number, all: number }>} */
  const modules = new Map();
  for (const [file, lines] of files) {
    const module = moduleOf(file);
    const sum = modules.get(module) ?? { covered: 0, all: 0 };
    modules.set(module, sum);
    sum.all += lines.size;
    sum.covered += [...lines.values()].filter(Boolean).length;
  }
  let isReached = true;
  for (const [module, { covered, all }] of [...modules].sort()) {
    const percent = (100 * covered) / all;
    const minimum = MINIMUMS.get(module);
    const isLow = minimum !== undefined && percent < minimum;
    isReached &&= !isLow;
    console.log(
      `${module.padEnd(16)} ${percent.toFixed(1).padStart(5)} % of ${String(all)} lines${isLow ? `, less than ${String(minimum)} %` : ''}`,
    );
  }
  for (const wanted of process.argv.slice(2)) {
    for (const [file, lines] of files) {
      const missed = [...lines].filter(([, hasRun]) => !hasRun).map(([line]) => line + 1);
      if (file.startsWith(wanted) && missed.length > 0) {
        console.log(`${file}: ${missed.sort((left, right) => left - right).join(', ')}`);
      }
    }
  }
  return isReached;
}

/**
 * Adds the reports that Node processes have written to the folder `NODE_V8_COVERAGE`.
 *
 * @param {Coverage} coverage
 * @param {string} reports folder of the reports
 * @param {readonly string[]} names names of the reports
 * @param {string} compiled folder of the compiled tests
 */
export function addNodeReports(coverage, reports, names, compiled) {
  const prefix = pathToFileURL(compiled).href;
  for (const name of names) {
    const { result } = JSON.parse(readFileSync(join(reports, name), 'utf8'));
    for (const script of result) {
      if (script.url.startsWith(prefix)) coverage.add(script.url, script);
    }
  }
}

/** Reads a compiled file and its source map. @param {string} url a `file:` URL */
export function readCompiled(url) {
  const path = new URL(url).pathname;
  if (!existsSync(`${path}.map`)) return undefined;
  return {
    code: readFileSync(path, 'utf8'),
    map: readFileSync(`${path}.map`, 'utf8'),
    folder: dirname(path),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = report() ? 0 : 1;
}
