/**
 * Builds the optional modules in `src/markdown/extras` as self-contained files beside the bundle: `dist/bundle/extras/*.js`. Languages of
 * the highlighter and the parts of the renderer for Mermaid are separate files. Uses esbuild, because one of the libraries is not an ES
 * module, and then a second minifier, which saves a tenth of some of them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import { extras, EXTRAS_FOLDER } from './extras.mjs';
import { ownClasses } from './own-classes.mjs';
import { ROOT } from './run-command.mjs';
import { swcMinifier } from './swc-minifier.mjs';

const FOLDER = `${ROOT}dist/bundle/extras`;

/** @satisfies {import('esbuild').BuildOptions} */
const OPTIONS = {
  bundle: true,
  minify: true,
  target: 'es2022',
  legalComments: 'inline',
  logLevel: 'error',
  plugins: [ownClasses],
};

/** @param {string} name @param {string} entry */
const buildModule = (name, entry) =>
  build({
    ...OPTIONS,
    entryPoints: [{ in: entry, out: name }],
    outdir: FOLDER,
    chunkNames: `${name}/[name]-[hash]`,
    splitting: true,
    // `external`: no comment refers to the source map, which the package does not contain.
    sourcemap: 'external',
    format: 'esm',
  });

/** Minifies the built files again, each by itself. @param {readonly string[]} names of the files in the folder, without endings */
async function minifyAgain(names) {
  const bundle = await rollup({
    input: Object.fromEntries(names.map((name) => [name, `${FOLDER}/${name}.js`])),
    // Tree shaking would remove licences together with unused statements, of which esbuild leaves none.
    treeshake: false,
    plugins: [
      {
        name: 'read-source-maps',
        load: (id) => ({
          code: readFileSync(id, 'utf8'),
          map: readFileSync(`${id}.map`, 'utf8'),
        }),
      },
    ],
  });
  await bundle.write({
    dir: FOLDER,
    hoistTransitiveImports: false,
    sourcemap: 'hidden',
    plugins: [swcMinifier({ module: true, mangle: true, compress: { ecma: 2020 } })],
  });
}

/**
 * Writes the document in which Mermaid runs. Its policy permits only requests for scripts. Once the address of Mermaid is known, the
 * document restricts the scripts to that address (`restrictScripts` in `src/mermaid/frame/main.ts`).
 */
async function buildMermaidFrame() {
  const { outputFiles } = await build({
    ...OPTIONS,
    entryPoints: [`${ROOT}src/mermaid/frame/main.ts`],
    write: false,
    format: 'iife',
  });
  const script = outputFiles.map(({ text }) => text.replaceAll('</', '<\\/')).join('');
  const policy =
    "default-src 'none'; script-src 'unsafe-inline' http: https:; style-src 'unsafe-inline'";
  await writeFile(
    `${FOLDER}/mermaid.html`,
    `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><title>Mermaid</title><body><script>${script}</script>\n`,
  );
}

// Separate builds, because a common one would move shared code to further files.
await Promise.all([
  ...extras.map((name) => buildModule(name, `${EXTRAS_FOLDER}${name}.ts`)),
  buildModule('mermaid', `${ROOT}src/mermaid/mermaid.ts`),
]);
await minifyAgain(
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .map((file) => file.slice(0, -'.js'.length)),
);
await buildMermaidFrame();
