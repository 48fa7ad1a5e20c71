/**
 * Line coverage of `src` and `server` by room, over the unit tests and the browser tests together: `node scripts/coverage.mjs` prints the
 * table of what the steps `unit` and `dom` have written and fails when a room is below its bound. The tests run compiled, in chunks that
 * they share, so the ranges that V8 reports are merged chunk by chunk before one pass over each source map. Files that no test loads are
 * not counted.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { decodedMappings, TraceMap } from '@jridgewell/trace-mapping';
import { ROOT } from './run-command.mjs';

/** Where the steps leave what they have measured. */
const FOLDER = join(ROOT, '.cache', 'coverage');

/** The steps whose tests count. */
const STEPS = ['unit', 'dom'];

/** Percent of lines that the tests of a room have to reach. The other rooms are printed only. */
const BOUNDS = new Map(
  ['src/model', 'src/transport', 'src/backends', 'src/controller', 'src/markdown', 'server'].map(
    (room) => [room, 92],
  ),
);

/**
 * As much of a script's coverage by V8 as is read here.
 *
 * @typedef {object} ScriptCoverage
 * @property {string} url
 * @property {readonly { readonly ranges: readonly { readonly startOffset: number, readonly endOffset: number, readonly count: number }[] }[]} functions
 */

/** Lines of a source file by number: whether one has run. @typedef {Map<number, boolean>} Lines */

/** Which characters of compiled files have run in any process or page. */
export class Coverage {
  /** @type {Map<string, Uint8Array>} */
  #covered = new Map();

  /**
   * Adds one run of a compiled file.
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
   * The characters of a compiled file: 1 for each that has run.
   *
   * @param {string} name
   */
  characters(name) {
    return this.#covered.get(name) ?? new Uint8Array();
  }

  /**
   * Maps what was added to the sources and writes it for a step.
   *
   * @param {string} step
   * @param {(name: string) => { code: string, map: string, folder: string } | undefined} read the compiled file, its source map, and the
   *   folder that the map's sources are relative to
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
const roomOf = (file) => (file.startsWith('src/') ? file.split('/', 2).join('/') : 'server');

/** Merges what the steps have written. @returns {Map<string, Lines>} */
function readSteps() {
  /** @type {Map<string, Lines>} */
  const files = new Map();
  for (const step of STEPS) {
    const path = join(FOLDER, `${step}.json`);
    if (!existsSync(path)) throw new Error(`Run the step ${step} first: it measures coverage.`);
    for (const [file, entries] of JSON.parse(readFileSync(path, 'utf8'))) {
      const lines = files.get(file) ?? new Map();
      files.set(file, lines);
      for (const [line, hasRun] of entries) lines.set(line, hasRun || lines.get(line) === true);
    }
  }
  return files;
}

/** Prints the table, and with names of rooms as arguments their lines that have not run. */
function report() {
  const files = readSteps();
  /** @type {Map<string, { covered: number, all: number }>} */
  const rooms = new Map();
  for (const [file, lines] of files) {
    const room = roomOf(file);
    const sum = rooms.get(room) ?? { covered: 0, all: 0 };
    rooms.set(room, sum);
    sum.all += lines.size;
    sum.covered += [...lines.values()].filter(Boolean).length;
  }
  let isReached = true;
  for (const [room, { covered, all }] of [...rooms].sort()) {
    const percent = (100 * covered) / all;
    const bound = BOUNDS.get(room);
    const isLow = bound !== undefined && percent < bound;
    isReached &&= !isLow;
    console.log(
      `${room.padEnd(16)} ${percent.toFixed(1).padStart(5)} % of ${String(all)} lines${isLow ? `, less than ${String(bound)} %` : ''}`,
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
 * Adds what processes of Node.js have written into a folder by `NODE_V8_COVERAGE`, for compiled tests in another folder.
 *
 * @param {Coverage} coverage
 * @param {string} reports
 * @param {readonly string[]} names of the reports
 * @param {string} compiled
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

/** The compiled file at a `file:` address with its source map. @param {string} url */
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
