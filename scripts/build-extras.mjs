/**
 * Builds the optional parts of the page, each a file beside the bundle that needs nothing else: `dist/bundle/extras/*.js`. Languages
 * of the highlighter are files of their own. By esbuild, because one of the libraries is no module.
 */
import { build } from 'esbuild';
import { extras, EXTRAS_FOLDER } from './extras.mjs';
import { ROOT } from './run-command.mjs';

/** Each for itself: built together they would share a file. */
const builds = extras.map((name) =>
  build({
    entryPoints: [`${EXTRAS_FOLDER}${name}.ts`],
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
