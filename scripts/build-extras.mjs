/**
 * Builds the optional parts of the page, each a file beside the bundle that needs nothing else: `dist/bundle/extras/*.js`. Languages
 * of the highlighter are files of their own. By esbuild, because one of the libraries is no module.
 */
import { readdirSync } from 'node:fs';
import { build } from 'esbuild';
import { ROOT } from './run-command.mjs';

/** Files that are no part of their own. */
const INNER = new Set(['languages.ts', 'table-text.ts']);

const folder = `${ROOT}src/markdown/extras/`;
/** Each for itself: built together they would share a file. */
const builds = readdirSync(folder)
  .filter((file) => !INNER.has(file))
  .map((file) =>
    build({
      entryPoints: [folder + file],
      outdir: `${ROOT}dist/bundle/extras`,
      entryNames: '[name]',
      chunkNames: 'highlight/[name]-[hash]',
      bundle: true,
      splitting: true,
      minify: true,
      sourcemap: true,
      format: 'esm',
      target: 'es2022',
      legalComments: 'inline',
      logLevel: 'error',
    }),
  );
await Promise.all(builds);
