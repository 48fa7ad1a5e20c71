import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './run-command.mjs';

/** Modules that look beside themselves for other files: they are served where they lie in the repository. */
const AT_THEIR_ADDRESS = /\/internal\/load-extra\.js$/;

/** @type {import('esbuild').Plugin} */
const ownAddresses = {
  name: 'own-addresses',
  setup({ onResolve }) {
    // The dev server's own modules exist only there.
    onResolve({ filter: /^\/__/ }, ({ path }) => ({ path, external: true }));
    onResolve({ filter: AT_THEIR_ADDRESS }, ({ path, resolveDir }) => {
      const source = join(resolveDir, path).replace(/\.js$/, '.ts');
      return { path: `/${relative(ROOT, source).split(sep).join('/')}`, external: true };
    });
  },
};

/** @param {import('./bundle-tests.mjs').Edit} edit @returns {import('esbuild').Plugin} */
const edited = (edit) => ({
  name: 'edited',
  setup({ onLoad }) {
    onLoad({ filter: /\/(?:src|test)\/.*\.ts$/ }, async ({ path }) => ({
      contents: edit(path, await readFile(path, 'utf8')),
      loader: 'ts',
    }));
  },
});

/**
 * Compiles a browser test and all that it imports into one module.
 *
 * @param {string} file from the top of the repository
 * @param {import('./bundle-tests.mjs').Edit} [edit]
 */
export async function bundlePage(file, edit) {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [file],
    // Nothing is written; the addresses in the source map start from here.
    outfile: join(ROOT, file.replace(/\.ts$/, '.js')),
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['production'],
    target: 'es2022',
    tsconfig: 'tsconfig.base.json',
    // The package says that its files have no effect of their own; the tests' helpers may.
    ignoreAnnotations: true,
    // With mutants, the runner would map each failure back through megabytes that nobody reads.
    sourcemap: edit ? false : 'inline',
    sourcesContent: false,
    plugins: [ownAddresses, ...(edit ? [edited(edit)] : [])],
    logLevel: 'warning',
  });
  return outputFiles[0]?.text ?? '';
}

/**
 * A plugin of `@web/test-runner` that serves each browser test as one file instead of several hundred modules. What a page imports
 * later is inside that file too, so a test never races a request for it.
 */
export function bundledPages() {
  return {
    name: 'bundled-pages',
    /** @param {{ path: string }} request */
    async serve({ path }) {
      if (!path.startsWith('/test/') || !path.endsWith('.test.ts')) return undefined;
      return { body: await bundlePage(path.slice(1)), type: 'js' };
    },
  };
}
