import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { build } from 'esbuild';
import { ownClasses } from './own-classes.mjs';
import { ROOT } from './run-command.mjs';

/** @typedef {import('./coverage.mjs').Coverage} Coverage */

/** Modules that import files relative to their URL. They are served at their path in the repository. */
const SERVED_BY_PATH = /\/dom\/load-extra\.js$/;

/** @type {import('esbuild').Plugin} */
const externalModules = {
  name: 'external-modules',
  setup({ onResolve }) {
    // The modules of the dev server exist only there.
    onResolve({ filter: /^\/__/ }, ({ path }) => ({ path, external: true }));
    onResolve({ filter: SERVED_BY_PATH }, ({ path, resolveDir }) => {
      const source = join(resolveDir, path).replace(/\.js$/, '.ts');
      return { path: `/${relative(ROOT, source).split(sep).join('/')}`, external: true };
    });
  },
};

/**
 * Loads axe when a test first uses it. Its loader prefers `require`, with which each page would load 900 kB of axe.
 *
 * @type {import('esbuild').Plugin}
 */
const lazyAxe = {
  name: 'lazy-axe',
  setup({ onLoad }) {
    onLoad({ filter: /chai-a11y-axe\/src\/axe-import\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace("typeof require === 'function'", 'false'),
    }));
  },
};

/** Replaces dynamic imports with static ones, so that no test depends on the time of a request. @param {string} source */
function makeImportsStatic(source) {
  /** @type {string[]} */
  const imports = [];
  const code = source.replace(/\bimport\(\s*('\.[^']+')\s*\)/g, (all, specifier) => {
    if (SERVED_BY_PATH.test(specifier.slice(1, -1))) return all;
    const name = `lazy${String(imports.length)}`;
    imports.push(`import * as ${name} from ${specifier};`);
    return `Promise.resolve().then(() => ${name})`;
  });
  // Prepended to the first line, so that line numbers do not change.
  return imports.join('') + code;
}

/**
 * Appended to each test file. A failure is sent to the runner with both sides of its comparison, and serializing a DOM node with all its
 * references would take too long. Therefore values that are not plain data are sent as strings.
 */
const SERIALIZE_FAILURES = `
afterEach(function () {
  const error = this.currentTest?.err;
  for (const side of ['actual', 'expected']) {
    try {
      structuredClone(error?.[side]);
    } catch {
      error[side] = String(error[side]);
    }
  }
});`;

/** @param {import('./bundle-tests.mjs').Edit} edit @param {string} hooks @returns {import('esbuild').Plugin} */
const edited = (edit, hooks) => ({
  name: 'edited',
  setup({ onLoad }) {
    onLoad({ filter: /\/(?:src|test)\/.*\.ts$/ }, async ({ path }) => ({
      contents:
        makeImportsStatic(edit(path, await readFile(path, 'utf8'))) +
        (path.endsWith('.test.ts') ? SERIALIZE_FAILURES + hooks : ''),
      loader: 'ts',
    }));
  },
});

/**
 * Compiles all browser tests in one build with shared chunks. Compiled separately, they would take fifty times as long, and each page
 * would load two megabytes.
 *
 * @param {import('./bundle-tests.mjs').Edit} [edit]
 * @param {{ mapped?: boolean, hooks?: string }} [options] whether to write source maps, which take as long as the modules; code with hooks
 *   that is appended to each test file
 * @returns {Promise<ReadonlyMap<string, string>>} compiled modules and their source maps, by path relative to the root of the repository
 */
export async function bundlePages(
  edit = (_path, source) => source,
  { mapped = false, hooks = '' } = {},
) {
  const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('test', file));
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: tests,
    // No files are written; paths and the sources in source maps are relative to this folder.
    outdir: ROOT,
    outbase: ROOT,
    chunkNames: 'chunks/[name]-[hash]',
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['production'],
    target: 'es2022',
    define: { 'process.env.EXHAUSTIVE': JSON.stringify(process.env['EXHAUSTIVE'] ?? '0') },
    tsconfig: 'tsconfig.base.json',
    // Ignores `sideEffects` of package.json, because test helpers may have side effects.
    ignoreAnnotations: true,
    sourcemap: mapped ? 'external' : false,
    sourcesContent: false,
    plugins: [externalModules, lazyAxe, ownClasses, edited(edit, hooks)],
    logLevel: 'warning',
  });
  return new Map(
    outputFiles.map(({ path, text }) => [relative(ROOT, path).split(sep).join('/'), text]),
  );
}

/** Returns the key of a compiled module. @param {string} path path of a request */
const keyOf = (path) => path.slice(1).replace(/\.ts$/, '.js');

/**
 * Records the coverage of the compiled modules in a page: adds it whenever the page is about to navigate.
 *
 * @param {import('puppeteer-core').Page} page
 * @param {Coverage} coverage
 */
export async function recordCoverage(page, coverage) {
  const session = await page.createCDPSession();
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const goto = page.goto.bind(page);
  page.goto = async (...target) => {
    const { result } = await session.send('Profiler.takePreciseCoverage');
    for (const script of result) {
      const path = URL.canParse(script.url) ? new URL(script.url).pathname : '';
      if (/^\/(?:test|chunks)\//.test(path)) coverage.add(keyOf(path), script);
    }
    return goto(...target);
  };
}

/**
 * Plugins of `@web/test-runner` that serve the browser tests compiled to a few files instead of several hundred modules, and that compile
 * each other file when it is requested.
 *
 * @param {{ coverage: Coverage, step: string }} [measured] coverage, which is written as the result of `step` when the tests have ended
 * @param {string} [hooks] code with hooks that is appended to each test file
 */
export function bundledPages(measured, hooks = '') {
  const others = esbuildPlugin({ ts: true, target: 'es2022', tsconfig: './tsconfig.base.json' });
  const compile = others.transform?.bind(others);
  /** @type {ReturnType<typeof bundlePages> | undefined} */
  let pages;
  /** @type {ReturnType<typeof bundlePages> | undefined} */
  let maps;
  /** @type {Set<string>} */
  const served = new Set();
  // Bundled files are compiled already, and the pages of test files contain no code to compile.
  others.transform = (context) =>
    served.has(context.path) || context.response.is('html') ? undefined : compile?.(context);
  return [
    {
      name: 'bundled-pages',
      /** @param {{ path: string }} request */
      async serve({ path }) {
        if (!/^\/(?:test|chunks)\//.test(path)) return undefined;
        if (path.endsWith('.map')) {
          // Requested by the runner after a failure, to print its location.
          maps ??= bundlePages(undefined, { mapped: true, hooks });
          const map = (await maps).get(`${keyOf(path.slice(0, -'.map'.length))}.map`);
          return map === undefined ? undefined : { body: map, type: 'json' };
        }
        pages ??= bundlePages(undefined, { mapped: measured !== undefined, hooks });
        const code = (await pages).get(keyOf(path));
        if (code === undefined) return undefined;
        served.add(path);
        return {
          body: `${code}//# sourceMappingURL=${basename(path)}.map`,
          type: 'js',
          // Names of chunks contain a hash, so pages can share them from the HTTP cache.
          headers: path.startsWith('/chunks/') ? { 'cache-control': 'max-age=3600' } : {},
        };
      },
      // Imports of bundled files are paths already. Resolving them would look up each file, for each page.
      /** @param {{ source: string, context: { path: string } }} request */
      resolveImport: ({ source, context }) => (served.has(context.path) ? source : undefined),
      async serverStop() {
        const compiled = await pages;
        measured?.coverage.write(measured.step, (name) => {
          const [code, map] = [compiled?.get(name), compiled?.get(`${name}.map`)];
          return code && map ? { code, map, folder: dirname(join(ROOT, name)) } : undefined;
        });
      },
    },
    others,
  ];
}
