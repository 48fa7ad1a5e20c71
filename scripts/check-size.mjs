/**
 * Holds the size of what a page loads. A limit may be raised only with a line in CHANGELOG.md that says why.
 */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** kB (1,000 bytes) after gzip. */
const LIMITS = { 'dist/bundle/ubik-elements.min.js': 45, 'dist/bundle/ubik-elements.min.mjs': 45 };

for (const [file, limit] of Object.entries(LIMITS)) {
  const size = gzipSync(readFileSync(file), { level: 9 }).length / 1000;
  const fits = size <= limit;
  console.log(`${file}: ${size.toFixed(1)} kB gzip (limit ${limit})${fits ? '' : ' - too large'}`);
  if (!fits) process.exitCode = 1;
}
