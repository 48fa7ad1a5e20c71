/** Holds the size of what a page loads. A limit may be raised only with a line in CHANGELOG.md that says why. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from './run-command.mjs';

/**
 * kB (1,000 bytes) after gzip. `goal` is what the script tag has to come down to; until it has, `limit` keeps it from growing
 * (docs/decisions/0006).
 */
const LIMITS = {
  'dist/bundle/ubik-elements.min.js': { limit: 89, goal: 45 },
  'dist/bundle/ubik-elements.min.mjs': { limit: 89, goal: 45 },
};

/** @param {string} file @param {{ limit: number, goal: number }} bounds */
function fits(file, { limit, goal }) {
  const path = join(ROOT, file);
  if (!existsSync(path)) {
    console.log(`${file} is not there: it comes from \`npm run build\`.`);
    return false;
  }
  const size = gzipSync(readFileSync(path), { level: 9 }).length / 1000;
  const verdict = size <= limit ? 'fits' : 'is too large';
  const missing = size > goal ? `, goal ${String(goal)} not reached yet` : '';
  console.log(
    `${file}: ${size.toFixed(1)} kB after gzip, limit ${String(limit)}: ${verdict}${missing}`,
  );
  return size <= limit;
}

const results = Object.entries(LIMITS).map(([file, bounds]) => fits(file, bounds));
process.exit(results.every(Boolean) ? 0 : 1);
