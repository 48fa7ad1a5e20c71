import { readFile } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { esbuildPlugin } from '@web/dev-server-esbuild';
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
 * @param {boolean} [mapped] whether to make its source map too, which takes as long as the module itself
 */
export async function bundlePage(file, edit, mapped = false) {
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
    sourcemap: mapped ? 'external' : false,
    sourcesContent: false,
    plugins: [ownAddresses, ...(edit ? [edited(edit)] : [])],
    logLevel: 'warning',
  });
  const [code, map] = outputFiles.map(({ text }) => text).reverse();
  return { code: code ?? '', map };
}

const isTest = (/** @type {string} */ path) =>
  path.startsWith('/test/') && path.endsWith('.test.ts');

/**
 * Plugins of `@web/test-runner` that serve each browser test as one file instead of several hundred modules, and compile what is
 * served where it lies. What a page imports later is inside that file too, so a test never races a request for it.
 */
export function bundledPages() {
  const others = esbuildPlugin({ ts: true, target: 'es2022', tsconfig: './tsconfig.base.json' });
  const compile = others.transform?.bind(others);
  // A bundle is compiled already.
  others.transform = (context) => (isTest(context.path) ? undefined : compile?.(context));
  return [
    {
      name: 'bundled-pages',
      /** @param {{ path: string }} request */
      async serve({ path }) {
        if (isTest(path)) {
          const { code } = await bundlePage(path.slice(1));
          return { body: `${code}//# sourceMappingURL=${basename(path)}.map`, type: 'js' };
        }
        const test = path.replace(/\.map$/, '');
        if (!isTest(test)) return undefined;
        // The runner asks for it when a test has failed, to say where.
        const { map } = await bundlePage(test.slice(1), undefined, true);
        return { body: map ?? '', type: 'json' };
      },
    },
    others,
  ];
}
