/** Holds the size of what a page loads. A limit may be raised only with a line in CHANGELOG.md that says why. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from './run-command.mjs';

const FOLDER = join(ROOT, 'dist/bundle');

/**
 * kB (1,000 bytes) after gzip: of the script that a page names, and of all that it fetches until an answer is shown
 * (docs/decisions/0031).
 */
const LIMITS = { script: 45, answer: 95 };

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
  const sizes = parts.map((file) => sizeOf(join(FOLDER, 'parts', file)));
  const answer = sizes.reduce((sum, size) => sum + size, sizeOf(script));
  return [
    fits('the script of a page', sizeOf(script), LIMITS.script),
    fits('all that an answer needs', answer, LIMITS.answer),
  ].every(Boolean);
}

process.exit(checkBundle() ? 0 : 1);
