/** Compiles the test files that run in Node in one build with shared chunks, so that each of their processes starts in a tenth of the time. */
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
 * Replaces `import.meta.url` and `import.meta.dirname` with those of the source, relative to which a module finds fixtures, workers and
 * pages.
 *
 * @param {Edit} edit
 * @returns {import('esbuild').Plugin}
 */
const sourceLocations = (edit) => ({
  name: 'source-locations',
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
 * Resolves `group:FILE,FILE…` to a module that runs the files in sequence, each as a suite with separate hooks.
 *
 * @type {import('esbuild').Plugin}
 */
const groups = {
  name: 'groups',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^group:/ }, ({ path }) => ({ path, namespace: 'group' }));
    onLoad({ filter: /.*/, namespace: 'group' }, ({ path }) => ({
      contents: [
        "import { AsyncResource } from 'node:async_hooks';",
        "import { suite } from 'node:test';",
        // When files load at once and share a module with a top-level `await`, their tests and hooks all belong to the first suite.
        'let loaded = Promise.resolve();',
        // Node assigns a test to the suite in whose asynchronous context it is created.
        'const loadNext = (load) => (loaded = loaded.then(load, load));',
        ...path
          .slice('group:'.length)
          .split(',')
          .map(
            (file) =>
              `suite('${file}', () => loadNext(AsyncResource.bind(() => import('./${file}'))));`,
          ),
      ].join('\n'),
      resolveDir: ROOT,
    }));
  },
};

/** @param {string} file */
const entryOf = (file, /** @type {number} */ index) =>
  file.includes(',')
    ? { in: `group:${file}`, out: `group-${String(index)}` }
    : { in: file, out: file.replace(/\.ts$/, '') };

/**
 * Compiles files that run in Node, such as unit tests, to a new folder inside the repository, from which packages can be resolved.
 *
 * @param {readonly string[]} files paths relative to the root of the repository; files that are joined by commas are compiled to one
 * @param {Edit} [edit]
 * @returns {Promise<{ folder: string, files: string[] }>} the folder, and the compiled files in the given order
 */
export async function bundleTests(files, edit = (_path, source) => source) {
  const cache = join(ROOT, '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'tests-'));
  const entries = files.map(entryOf);
  await build({
    absWorkingDir: ROOT,
    entryPoints: entries,
    outdir: folder,
    outbase: ROOT,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // Ignores `sideEffects` of package.json, because test helpers may have side effects.
    ignoreAnnotations: true,
    sourcemap: true,
    sourcesContent: false,
    plugins: [groups, sourceLocations(edit)],
    logLevel: 'warning',
  });
  return { folder, files: entries.map(({ out }) => join(folder, `${out}.js`)) };
}
