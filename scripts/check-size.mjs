/** Holds the size of what a page loads. A limit may be raised only with a line in CHANGELOG.md that says why. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from './run-command.mjs';

const FOLDER = join(ROOT, 'dist/bundle');

/**
 * kB (1,000 bytes) after gzip: of the script that a page names, of all that it fetches until an answer is shown, and of each file
 * for something else (docs/decisions/0031).
 */
const LIMITS = { script: 45, answer: 100, other: 12 };

/** Files beside the script that every answer needs; each of the others is fetched by those who use what is in it. */
const FOR_AN_ANSWER = /^(?:ubik|views|markdown|shared)-/;

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
  const parts = readdirSync(join(FOLDER, 'parts')).filter((file) => file.endsWith('.js'));
  const sizes = new Map(parts.map((file) => [file, sizeOf(join(FOLDER, 'parts', file))]));
  let answer = sizeOf(script);
  for (const [file, size] of sizes) if (FOR_AN_ANSWER.test(file)) answer += size;
  const others = parts.filter((file) => !FOR_AN_ANSWER.test(file));
  return [
    fits('the script of a page', sizeOf(script), LIMITS.script),
    fits('all that an answer needs', answer, LIMITS.answer),
    ...others.map((file) => fits(file, sizes.get(file) ?? 0, LIMITS.other)),
  ].every(Boolean);
}

process.exit(checkBundle() ? 0 : 1);
