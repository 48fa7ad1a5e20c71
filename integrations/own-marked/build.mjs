/** Builds the page with two bundlers in production mode, each into a separate folder below `dist/`. */
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { build as buildWithVite } from 'vite';
import webpack from 'webpack';

await buildWithVite({ logLevel: 'warn', base: './', build: { outDir: 'dist/vite' } });

const stats = await promisify(webpack)({
  mode: 'production',
  entry: './src/main.js',
  output: { path: `${import.meta.dirname}/dist/webpack`, filename: 'main.js' },
  performance: { hints: false },
});
if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString('errors-warnings'));
writeFileSync(
  'dist/webpack/index.html',
  '<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>Own copies</title><script defer src="./main.js"></script></html>',
);
