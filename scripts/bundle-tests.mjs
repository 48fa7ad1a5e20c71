/** Compiles test files all at once and what they share once: each of their processes starts in a tenth of the time. */
import { mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ROOT } from './run-command.mjs';

/**
 * Changes a source before it is compiled.
 *
 * @typedef {(path: string, source: string) => string} Edit
 */

/**
 * A module goes on knowing where its source lies: it finds fixtures, workers and pages from there.
 *
 * @param {Edit} edit
 * @returns {import('esbuild').Plugin}
 */
const ownPlaces = (edit) => ({
  name: 'own-places',
  setup({ onLoad }) {
    onLoad({ filter: /\.(ts|mjs)$/ }, async ({ path }) => {
      const source = edit(path, await readFile(path, 'utf8'));
      const contents = source
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
    });
  },
});

/**
 * Modules that run a group of files in turn, each as a suite with hooks of its own, by the name `group:FILE,FILE…`.
 *
 * @type {import('esbuild').Plugin}
 */
const groups = {
  name: 'groups',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^group:/ }, ({ path }) => ({ path, namespace: 'group' }));
    onLoad({ filter: /.*/, namespace: 'group' }, ({ path }) => ({
      contents: [
        "import { suite } from 'node:test';",
        ...path
          .slice('group:'.length)
          .split(',')
          .map((file) => `suite('${file}', async () => void (await import('./${file}')));`),
      ].join('\n'),
      resolveDir: ROOT,
    }));
  },
};

/** @param {string} file */
const outOf = (file, /** @type {number} */ index) =>
  file.includes(',')
    ? { in: `group:${file}`, out: `group-${String(index)}` }
    : { in: file, out: file.replace(/\.ts$/, '') };

/**
 * Into a folder inside the repository, where packages are found.
 *
 * @param {readonly string[]} files from the top of the repository; several that are joined by commas become one
 * @param {Edit} [edit]
 * @returns {Promise<{ folder: string, files: string[] }>} in the order in which they were given
 */
export async function bundleTests(files, edit = (_path, source) => source) {
  const cache = join(ROOT, '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'tests-'));
  const outs = files.map(outOf);
  await build({
    absWorkingDir: ROOT,
    entryPoints: outs,
    outdir: folder,
    outbase: ROOT,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // The package says that its files have no effect of their own; the tests' helpers may.
    ignoreAnnotations: true,
    sourcemap: true,
    sourcesContent: false,
    plugins: [groups, ownPlaces(edit)],
    logLevel: 'warning',
  });
  return { folder, files: outs.map(({ out }) => join(folder, `${out}.js`)) };
}
