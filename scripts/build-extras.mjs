/**
 * Builds the optional modules of the Markdown renderer as self-contained files beside the bundle: `dist/bundle/extras/*.js`. Languages of
 * the highlighter are separate files. Uses esbuild, because one of the libraries is not an ES module.
 */
import { build } from 'esbuild';
import { extras, EXTRAS_FOLDER } from './extras.mjs';
import { ROOT } from './run-command.mjs';

/** Separate builds, because a common one would move shared code to further files. */
const builds = extras.map((name) =>
  build({
    entryPoints: [`${EXTRAS_FOLDER}${name}.ts`],
    outdir: `${ROOT}dist/bundle/extras`,
    entryNames: '[name]',
    chunkNames: 'highlight/[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    // Without a comment that names the map: the package does not contain it.
    sourcemap: 'external',
    format: 'esm',
    target: 'es2022',
    legalComments: 'inline',
    logLevel: 'error',
  }),
);
await Promise.all(builds);
