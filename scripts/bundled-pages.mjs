import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { build } from 'esbuild';
import { ROOT } from './run-command.mjs';

/** @typedef {import('./coverage.mjs').Coverage} Coverage */

/** Modules that look beside themselves for other files: they are served where they lie in the repository. */
const AT_THEIR_ADDRESS = /\/dom\/load-extra\.js$/;

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

/** What is imported later is there from the beginning, so that no test races a request. @param {string} source */
function importAtOnce(source) {
  /** @type {string[]} */
  const first = [];
  const rest = source.replace(/\bimport\(\s*('\.[^']+')\s*\)/g, (all, address) => {
    if (AT_THEIR_ADDRESS.test(address.slice(1, -1))) return all;
    const name = `later${String(first.length)}`;
    first.push(`import * as ${name} from ${address};`);
    return `Promise.resolve().then(() => ${name})`;
  });
  // On one line with what comes first: the lines keep their numbers.
  return first.join('') + rest;
}

/**
 * Behind each test: a failure is sent to the runner with both sides of its comparison, and a node with all that hangs on it takes
 * longer than anybody waits. What is no plain data is sent as a word.
 */
const TELL_FAILURES = `
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

/** @param {import('./bundle-tests.mjs').Edit} edit @returns {import('esbuild').Plugin} */
const edited = (edit) => ({
  name: 'edited',
  setup({ onLoad }) {
    onLoad({ filter: /\/(?:src|test)\/.*\.ts$/ }, async ({ path }) => ({
      contents:
        importAtOnce(edit(path, await readFile(path, 'utf8'))) +
        (path.endsWith('.test.ts') ? TELL_FAILURES : ''),
      loader: 'ts',
    }));
  },
});

/**
 * Compiles all browser tests at once, and what they share once: in files of their own, the tests took fifty times as long to compile,
 * and each page had two megabytes to read.
 *
 * @param {import('./bundle-tests.mjs').Edit} [edit]
 * @param {boolean} [mapped] whether to make source maps too, which take as long as the modules themselves
 * @returns {Promise<ReadonlyMap<string, string>>} compiled modules and their maps, by path from the top of the repository
 */
export async function bundlePages(edit = (_path, source) => source, mapped = false) {
  const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('test', file));
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: tests,
    // Nothing is written; paths and the addresses in the source maps start from here.
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
    // The package says that its files have no effect of their own; the tests' helpers may.
    ignoreAnnotations: true,
    sourcemap: mapped ? 'external' : false,
    sourcesContent: false,
    plugins: [ownAddresses, edited(edit)],
    logLevel: 'warning',
  });
  return new Map(
    outputFiles.map(({ path, text }) => [relative(ROOT, path).split(sep).join('/'), text]),
  );
}

/** Where a module lies among the compiled ones. @param {string} path of a request */
const placeOf = (path) => path.slice(1).replace(/\.ts$/, '.js');

/**
 * Records what of the compiled modules runs in a page, until the page is left.
 *
 * @param {import('puppeteer-core').Page} page
 * @param {Coverage} coverage
 */
export async function recordCoverage(page, coverage) {
  const session = await page.createCDPSession();
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const leave = page.goto.bind(page);
  page.goto = async (...target) => {
    const { result } = await session.send('Profiler.takePreciseCoverage');
    for (const script of result) {
      const path = URL.canParse(script.url) ? new URL(script.url).pathname : '';
      if (/^\/(?:test|chunks)\//.test(path)) coverage.add(placeOf(path), script);
    }
    return leave(...target);
  };
}

/**
 * Plugins of `@web/test-runner` that serve the browser tests compiled, in few files instead of several hundred modules, and compile
 * what is served where it lies.
 *
 * @param {{ coverage: Coverage, step: string }} [measured] coverage to be written for a step when the tests have ended
 */
export function bundledPages(measured) {
  const others = esbuildPlugin({ ts: true, target: 'es2022', tsconfig: './tsconfig.base.json' });
  const compile = others.transform?.bind(others);
  /** @type {ReturnType<typeof bundlePages> | undefined} */
  let pages;
  /** @type {ReturnType<typeof bundlePages> | undefined} */
  let maps;
  /** @type {Set<string>} */
  const served = new Set();
  // What is bundled is compiled already.
  others.transform = (context) => (served.has(context.path) ? undefined : compile?.(context));
  return [
    {
      name: 'bundled-pages',
      /** @param {{ path: string }} request */
      async serve({ path }) {
        if (!/^\/(?:test|chunks)\//.test(path)) return undefined;
        if (path.endsWith('.map')) {
          // The runner asks for it when a test has failed, to say where.
          maps ??= bundlePages(undefined, true);
          const map = (await maps).get(`${placeOf(path.slice(0, -'.map'.length))}.map`);
          return map === undefined ? undefined : { body: map, type: 'json' };
        }
        pages ??= bundlePages(undefined, measured !== undefined);
        const code = (await pages).get(placeOf(path));
        if (code === undefined) return undefined;
        served.add(path);
        return {
          body: `${code}//# sourceMappingURL=${basename(path)}.map`,
          type: 'js',
          // Chunks are named by what is in them: pages share them without asking again.
          headers: path.startsWith('/chunks/') ? { 'cache-control': 'max-age=3600' } : {},
        };
      },
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
