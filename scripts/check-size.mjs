/**
 * Checks the sizes of the files that a page loads, and the sizes in the README, which `--write` updates. Raising a limit requires a line
 * in CHANGELOG.md with the reason.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readMarked, writeMarked } from './marked-lines.mjs';
import { ROOT } from './run-command.mjs';

const FOLDER = join(ROOT, 'dist/bundle');
const PARTS = join(FOLDER, 'parts');
const SCRIPT = join(FOLDER, 'ubik-elements.min.js');

/**
 * Limits in kB (1,000 bytes) after gzip: the script of the bubble, the main script, the main script with all files that the first answer
 * loads, the backend of the Data Agent (loaded instead of that of UBIK), and every other file of `parts/`, except shared ones (docs/decisions/0031).
 */
const LIMITS = { bubble: 10, script: 63.4, answer: 144.7, dataAgent: 20, other: 12 };

/** Files that every answer loads in addition to the script. All others are loaded on demand. */
const FOR_AN_ANSWER = /^(?:ubik|views|markdown)-/;

/** @param {string} file */
const sizeOf = (file) => gzipSync(readFileSync(file), { level: 9 }).length / 1000;

/** @param {string} what @param {number} size @param {number} limit */
function checkLimit(what, size, limit) {
  const result = size <= limit ? 'ok' : 'too large';
  console.log(`${what}: ${size.toFixed(1)} kB after gzip, limit ${String(limit)}: ${result}`);
  return size <= limit;
}

/** @typedef {{ bubble: number, script: number, answer: number, others: Map<string, number> }} Sizes in kB */

/** @returns {Sizes} */
function measure() {
  const parts = readdirSync(PARTS).filter((file) => file.endsWith('.js'));
  const forAnswer = withImports(parts.filter((file) => FOR_AN_ANSWER.test(file)));
  const script = sizeOf(SCRIPT);
  const others = parts.filter((file) => !forAnswer.has(file) && !file.startsWith('shared-'));
  return {
    bubble: sizeOf(join(FOLDER, 'ubik-bubble.min.js')),
    script,
    answer: [...forAnswer].reduce((sum, file) => sum + sizeOf(join(PARTS, file)), script),
    others: new Map(others.map((file) => [file, sizeOf(join(PARTS, file))])),
  };
}

/** @param {Sizes} sizes */
function checkLimits({ bubble, script, answer, others }) {
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

/** Returns files and the files that they import, in the form that `classic-script.mjs` writes: `parts["NAME.js"]`. @param {readonly string[]} files */
function withImports(files) {
  const all = new Set(files);
  for (const file of all) {
    const code = readFileSync(join(PARTS, file), 'utf8');
    for (const [, name = ''] of code.matchAll(/\["([\w-]+\.js)"\]/g)) all.add(name);
  }
  return all;
}

if (!existsSync(SCRIPT)) {
  console.log('The bundle is missing: run `npm run build`.');
  process.exit(1);
}
const sizes = measure();
if (process.argv.includes('--write')) writeMarked('README.md', 'sizes', describe(sizes));
process.exit(checkLimits(sizes) && isDocumented(sizes) ? 0 : 1);
