/**
 * Holds the size of what a page loads, and what the README says of it: `--write` writes that. A limit may be raised only with a line in
 * CHANGELOG.md that says why.
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
 * kB (1,000 bytes) after gzip: of the button in the corner alone, of the script that a page names, of all that it fetches until an answer is shown, and of each file
 * for something else (docs/decisions/0031); the backend of the Data Agent takes the place of that of UBIK and counts by itself.
 */
const LIMITS = { bubble: 10, script: 62, answer: 141, dataAgent: 20, other: 12 };

/** Files beside the script that every answer needs; each of the others is fetched by those who use what is in it. */
const FOR_AN_ANSWER = /^(?:ubik|views|markdown)-/;

/** @param {string} file */
const sizeOf = (file) => gzipSync(readFileSync(file), { level: 9 }).length / 1000;

/** @param {string} what @param {number} size @param {number} limit */
function fits(what, size, limit) {
  const verdict = size <= limit ? 'fits' : 'is too large';
  console.log(`${what}: ${size.toFixed(1)} kB after gzip, limit ${String(limit)}: ${verdict}`);
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
function keepsLimits({ bubble, script, answer, others }) {
  return [
    fits('the button of a bubble', bubble, LIMITS.bubble),
    fits('the script of a page', script, LIMITS.script),
    fits('all that an answer needs', answer, LIMITS.answer),
    ...[...others].map(([file, size]) =>
      fits(file, size, file.startsWith('data-agent-') ? LIMITS.dataAgent : LIMITS.other),
    ),
  ].every(Boolean);
}

/** What the README says. @param {Sizes} sizes */
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

/** Compressors differ by some bytes: a figure that is rounded the other way is no other figure. @param {Sizes} sizes */
function isDocumented(sizes) {
  const [said, is] = [readMarked('README.md', 'sizes'), describe(sizes)];
  const figures = (/** @type {string} */ text) => (text.match(/\d+(?= \|$)/gm) ?? []).map(Number);
  const [old, now] = [figures(said), figures(is)];
  const isTrue =
    old.length === now.length && old.every((size, at) => Math.abs(size - (now[at] ?? 0)) <= 1);
  if (!isTrue) console.log('The sizes in README.md are old: `npm run build` writes them.');
  return isTrue;
}

/** Files with those that they share with others. @param {readonly string[]} files */
function withImports(files) {
  const all = new Set(files);
  for (const file of all) {
    const code = readFileSync(join(PARTS, file), 'utf8');
    for (const [, name = ''] of code.matchAll(/\["([\w-]+\.js)"\]/g)) all.add(name);
  }
  return all;
}

if (!existsSync(SCRIPT)) {
  console.log('The bundle is not there: it comes from `npm run build`.');
  process.exit(1);
}
const sizes = measure();
if (process.argv.includes('--write')) writeMarked('README.md', 'sizes', describe(sizes));
process.exit(keepsLimits(sizes) && isDocumented(sizes) ? 0 : 1);
