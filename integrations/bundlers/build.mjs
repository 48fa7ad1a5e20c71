/** Builds the same page with each bundler in production mode, each into a separate folder below `dist/`. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { build as buildWithEsbuild } from 'esbuild';
import { rollup } from 'rollup';
import { build as buildWithVite } from 'vite';
import webpack from 'webpack';

/** The HTML of a page. `head` contains its script. */
const page = (head) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>Bundlers</title>${head}</html>`;

/** Writes the page of a bundler that writes none. */
function writePage(folder, head) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/index.html`, page(head));
}

const MODULE = '<script type="module" src="./main.js"></script>';

await buildWithVite({ logLevel: 'warn', base: './', build: { outDir: 'dist/vite' } });

const bundle = await rollup({
  input: 'src/main.js',
  plugins: [nodeResolve({ browser: true, exportConditions: ['production'] })],
});
await bundle.write({ dir: 'dist/rollup', format: 'es' });
writePage('dist/rollup', MODULE);

await buildWithEsbuild({
  entryPoints: ['src/main.js'],
  outdir: 'dist/esbuild',
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  conditions: ['production'],
});
writePage('dist/esbuild', MODULE);

const stats = await promisify(webpack)({
  mode: 'production',
  entry: './src/main.js',
  output: { path: `${import.meta.dirname}/dist/webpack`, filename: 'main.js' },
  performance: { hints: false },
});
if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString('errors-warnings'));
writePage('dist/webpack', '<script defer src="./main.js"></script>');

execFileSync(
  'node_modules/.bin/parcel',
  ['build', 'index.html', '--dist-dir', 'dist/parcel', '--public-url', './', '--no-source-maps'],
  { stdio: 'inherit' },
);

// No bundler: the files of the packages, found by an import map.
const folder = 'dist/import-map';
for (const name of ['ubik-elements', 'lit', 'lit-html', 'lit-element', '@lit/reactive-element']) {
  cpSync(`node_modules/${name}`, `${folder}/packages/${name}`, { recursive: true });
}
cpSync('node_modules/eventsource-parser/dist', `${folder}/packages/eventsource-parser`, {
  recursive: true,
});
const imports = {
  'ubik-elements/define.js': './packages/ubik-elements/dist/define.js',
  lit: './packages/lit/index.js',
  'lit/': './packages/lit/',
  'lit-html': './packages/lit-html/lit-html.js',
  'lit-html/': './packages/lit-html/',
  'lit-element/': './packages/lit-element/',
  '@lit/reactive-element': './packages/@lit/reactive-element/reactive-element.js',
  '@lit/reactive-element/': './packages/@lit/reactive-element/',
  'eventsource-parser': './packages/eventsource-parser/index.js',
};
cpSync('src', folder, { recursive: true });
writePage(folder, `<script type="importmap">${JSON.stringify({ imports })}</script>${MODULE}`);
