/** Holds the size of what a page loads. A limit may be raised only with a line in CHANGELOG.md that says why. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from './run-command.mjs';

const FOLDER = join(ROOT, 'dist/bundle');
const PARTS = join(FOLDER, 'parts');

/**
 * kB (1,000 bytes) after gzip: of the button in the corner alone, of the script that a page names, of all that it fetches until an answer is shown, and of each file
 * for something else (docs/decisions/0031).
 */
const LIMITS = { bubble: 10, script: 60, answer: 125, other: 12 };

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

function checkBundle() {
  const script = join(FOLDER, 'ubik-elements.min.js');
  if (!existsSync(script)) {
    console.log('The bundle is not there: it comes from `npm run build`.');
    return false;
  }
  const parts = readdirSync(PARTS).filter((file) => file.endsWith('.js'));
  const forAnswer = withImports(parts.filter((file) => FOR_AN_ANSWER.test(file)));
  const answer = [...forAnswer].reduce(
    (sum, file) => sum + sizeOf(join(PARTS, file)),
    sizeOf(script),
  );
  const others = parts.filter((file) => !forAnswer.has(file) && !file.startsWith('shared-'));
  return [
    fits('the button of a bubble', sizeOf(join(FOLDER, 'ubik-bubble.min.js')), LIMITS.bubble),
    fits('the script of a page', sizeOf(script), LIMITS.script),
    fits('all that an answer needs', answer, LIMITS.answer),
    ...others.map((file) => fits(file, sizeOf(join(PARTS, file)), LIMITS.other)),
  ].every(Boolean);
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

process.exit(checkBundle() ? 0 : 1);
