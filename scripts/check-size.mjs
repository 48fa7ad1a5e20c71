/**
 * Checks the sizes of the files that a page loads, and the sizes in the README, which `--write` updates. Raising a limit requires a line
 * in CHANGELOG.md with the reason.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { FIRST_ANSWER_FILES } from './lazy-files.mjs';
import { readMarked, writeMarked } from './marked-lines.mjs';
import { ROOT } from './run-command.mjs';

const FOLDER = join(ROOT, 'dist/bundle');
const PARTS = join(FOLDER, 'parts');
const SCRIPT = join(FOLDER, 'ubik-elements.min.js');

/**
 * Limits in kB (1,000 bytes) after gzip: the script of the bubble, the main script, the main script with all files that a browser fetches
 * until the first answer is complete (which `test/e2e/lazy-loading` compares with a browser), the backend of the Data Agent (loaded instead
 * of that of UBIK), and every other file of `parts/`, except shared ones (docs/decisions/0031, 0185).
 */
const LIMITS = { bubble: 10, script: 63.6, answer: 150.7, dataAgent: 21.2, other: 12 };

/** Whether a lazy file is needed for a first answer. All others are loaded on demand. @param {string} file */
const isForAnswer = (file) => FIRST_ANSWER_FILES.includes(file.replace(/-[\w-]{8}\.js$/, ''));

/** @param {string} file */
const sizeOf = (file) => gzipSync(readFileSync(file), { level: 9 }).length / 1000;

/** @param {string} what @param {number} size @param {number} limit */
function checkLimit(what, size, limit) {
  const result = size <= limit ? 'ok' : 'too large';
  console.log(`${what}: ${size.toFixed(1)} kB after gzip, limit ${String(limit)}: ${result}`);
  return size <= limit;
}

/** @typedef {{ bubble: number, script: number, answer: number, files: Map<string, number>, others: Map<string, number> }} Sizes in kB */

/** @returns {Sizes} */
function measure() {
  const parts = readdirSync(PARTS).filter((file) => file.endsWith('.js'));
  /** @param {readonly string[]} files @returns {Map<string, number>} */
  const sizesOf = (files) => new Map(files.map((file) => [file, sizeOf(join(PARTS, file))]));
  const script = sizeOf(SCRIPT);
  const files = sizesOf(parts.filter(isForAnswer));
  return {
    bubble: sizeOf(join(FOLDER, 'ubik-bubble.min.js')),
    script,
    answer: [...files.values()].reduce((sum, size) => sum + size, script),
    files,
    others: sizesOf(parts.filter((file) => !isForAnswer(file) && !file.startsWith('shared-'))),
  };
}

/** @param {Sizes} sizes */
function checkLimits({ bubble, script, answer, files, others }) {
  for (const [file, size] of files) console.log(`for an answer: ${file}, ${size.toFixed(1)} kB`);
  return [
    checkLimit('script of the bubble', bubble, LIMITS.bubble),
    checkLimit('main script', script, LIMITS.script),
    checkLimit('main script and files for an answer', answer, LIMITS.answer),
    ...[...others].map(([file, size]) =>
      checkLimit(file, size, file.startsWith('data-agent-') ? LIMITS.dataAgent : LIMITS.other),
    ),
  ].every(Boolean);
}

/** Returns the table for the README. @param {Sizes} sizes */
const describe = ({ bubble, script, answer }) =>
  [
    '| download | kB after gzip |',
    '|---|--:|',
    ...[
      ['the script of a page, `ubik-elements.min.js`', script],
      ['including what the first answer loads', answer],
      ['the button of a bubble alone, `ubik-bubble.min.js`', bubble],
    ].map(([what, size]) => `| ${what} | ${Number(size).toFixed(0)} |`),
  ].join('\n');

/** Whether the sizes in the README are correct. Allows a difference of 1 kB, because compressors differ by a few bytes. @param {Sizes} sizes */
function isDocumented(sizes) {
  const readFigures = (/** @type {string} */ text) =>
    (text.match(/\d+(?= \|$)/gm) ?? []).map(Number);
  const documented = readFigures(readMarked('README.md', 'sizes'));
  const actual = readFigures(describe(sizes));
  const isCorrect =
    documented.length === actual.length &&
    documented.every((size, at) => Math.abs(size - (actual[at] ?? 0)) <= 1);
  if (!isCorrect)
    console.log('The sizes in README.md are out of date: `npm run build` writes them.');
  return isCorrect;
}

if (!existsSync(SCRIPT)) {
  console.log('The bundle is missing: run `npm run build`.');
  process.exit(1);
}
const sizes = measure();
if (process.argv.includes('--write')) writeMarked('README.md', 'sizes', describe(sizes));
process.exit(checkLimits(sizes) && isDocumented(sizes) ? 0 : 1);
