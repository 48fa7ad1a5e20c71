import { readdirSync, readFileSync } from 'node:fs';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import terser from '@rollup/plugin-terser';
import esbuild, { minify } from 'rollup-plugin-esbuild';
import { classicScript } from './scripts/classic-script.mjs';
import { extras } from './scripts/extras.mjs';
import { frozenIntrinsics } from './scripts/frozen-intrinsics.mjs';
import { ASSIGNED_FILES, assignLazyFiles } from './scripts/lazy-files.mjs';
import { litPolicy } from './scripts/lit-policy.mjs';
import { ownClassesForRollup } from './scripts/own-classes.mjs';
import { scriptUrl } from './scripts/script-url.mjs';
import { shrinkStyles } from './scripts/shrink-styles.mjs';
import { swcMinifier } from './scripts/swc-minifier.mjs';

const { dependencies, peerDependencies } = JSON.parse(
  readFileSync(new URL('package.json', import.meta.url), 'utf8'),
);
const isDependency = (id) =>
  Object.keys({ ...dependencies, ...peerDependencies }).some(
    (name) => id === name || id.startsWith(`${name}/`),
  );
const typescript = () => esbuild({ target: 'es2022', tsconfig: 'tsconfig.json', sourceMap: true });
/**
 * The build writes source maps for the licence notices and for debugging, without a comment that names them: the package does not contain
 * them, and browsers and bundlers would report each as missing.
 */
const SOURCE_MAPS = 'hidden';
/**
 * Two minifiers, whose combined output is smaller than that of the better one. They must treat the code as a script: from a module they
 * would remove the global variable `UbikElements`, because nothing in the code reads it.
 */
const minified = [
  // Licences at the end of the file, because the next minifier removes a comment together with the statement after it.
  minify({ target: 'es2022', format: undefined, legalComments: 'eof' }),
  swcMinifier({
    module: 'unknown',
    mangle: { toplevel: false },
    // The options called unsafe assume that functions have no `prototype` and are not called with `new`: ours are methods and arrows.
    compress: {
      ecma: 2020,
      toplevel: false,
      passes: 3,
      keep_fargs: false,
      unsafe_arrows: true,
      unsafe_methods: true,
    },
  }),
];

/**
 * Removes comments and indentation of the modules, which would be a fifth of the package, and shortens statements and the names of local
 * variables. All other names stay as they are, functions are not merged, and each statement has a line, so that the code can be debugged;
 * the declarations have the doc comments. Comments that bundlers read stay.
 */
const compact = terser({
  ecma: 2020,
  compress: {
    sequences: false,
    join_vars: false,
    inline: false,
    reduce_funcs: false,
    // These two would replace the variable in a dynamic import by its value, and remove the comment for bundlers before it.
    collapse_vars: false,
    reduce_vars: false,
  },
  mangle: { module: false, keep_fnames: true, keep_classnames: true },
  module: true,
  format: {
    comments: /@vite-ignore|webpackIgnore|@license/,
    preserve_annotations: true,
    semicolons: false,
  },
});

/** Optional modules are built once: the package's modules import them from the bundle, with imports that bundlers of an app can resolve. */
const extraFiles = {
  name: 'extra-files',
  resolveId: (id) => (id.startsWith('../bundle/extras/') ? { id, external: 'relative' } : null),
  load(id) {
    if (!id.endsWith('/src/dom/extra-files.ts')) return null;
    const entry = (name) => `['${name}', () => import('../bundle/extras/${name}.js')]`;
    return `export const extraFiles = new Map([${extras.map(entry).join(', ')}]);
      export const ownExtras = new Map();`;
  },
};

const PARTS = new URL('dist/bundle/parts/', import.meta.url);

/** Languages are built once, too: the package's modules import them from the bundle, which is built first. A file of a language imports nothing. */
const languageFiles = {
  name: 'language-files',
  resolveId: (id) => (id.startsWith('../bundle/parts/') ? { id, external: 'relative' } : null),
  load(id) {
    const [, language] = /\/src\/locales\/([a-z]{2})\.ts$/.exec(id) ?? [];
    if (!language || language === 'en') return null;
    const file = readdirSync(PARTS).find((name) => name.startsWith(`${language}-`));
    return `import create from '../bundle/parts/${file}';\nexport const { strings } = create();`;
  },
};

/** Returns the name of a lazy file that Rollup has composed. @param {string | null} module the module after which it is named */
function nameOf(module) {
  const [, folder, name] = /([\w-]+)\/([\w-]+)\.ts$/.exec(module ?? '') ?? [];
  return name === 'index' ? folder : (name?.split('-', 1)[0] ?? 'shared');
}

/** The entry points of the package. */
const entries = ['src/index.ts', 'src/define.ts', ...readEntries()];

function readEntries() {
  const folder = new URL('src/entries/', import.meta.url);
  return readdirSync(folder).map((file) => `src/entries/${file}`);
}

export default [
  {
    input: 'src/define.ts',
    // Lazy files import shared code from the entry, which therefore gets further exports.
    preserveEntrySignatures: 'allow-extension',
    // Without this, each file that uses one event would need all of them.
    treeshake: { manualPureFunctions: ['plainEvent', 'cancelableEvent'] },
    plugins: [
      litPolicy(),
      frozenIntrinsics(),
      nodeResolve({ browser: true, exportConditions: ['production'] }),
      shrinkStyles(),
      typescript(),
    ],
    output: {
      dir: 'dist/bundle',
      entryFileNames: 'ubik-elements.min.js',
      manualChunks: assignLazyFiles('define.ts'),
      onlyExplicitManualChunks: true,
      chunkFileNames: ({ facadeModuleId, name }) =>
        `parts/${ASSIGNED_FILES.has(name) ? name : nameOf(facadeModuleId)}-[hash].js`,
      // In bytes. A smaller shared chunk is merged into another chunk, which may be the entry.
      experimentalMinChunkSize: 900,
      format: 'es',
      sourcemap: SOURCE_MAPS,
      plugins: [classicScript('UbikElements'), ...minified],
    },
  },
  {
    input: entries,
    external: isDependency,
    plugins: [extraFiles, languageFiles, ownClassesForRollup, shrinkStyles(), typescript()],
    output: {
      dir: 'dist',
      format: 'es',
      preserveModules: true,
      preserveModulesRoot: 'src',
      sourcemap: SOURCE_MAPS,
      plugins: [compact],
    },
  },
  {
    input: 'src/bubble.ts',
    // A separate file, which loads the script of the chat by its URL.
    plugins: [scriptUrl(), shrinkStyles(), typescript()],
    output: {
      file: 'dist/bundle/ubik-bubble.min.js',
      format: 'iife',
      sourcemap: SOURCE_MAPS,
      plugins: minified,
    },
  },
  {
    input: 'server/index.ts',
    external: /^node:/,
    plugins: [esbuild({ target: 'node20', tsconfig: 'server/tsconfig.json', sourceMap: true })],
    output: {
      file: 'dist/server/index.js',
      format: 'es',
      sourcemap: SOURCE_MAPS,
      plugins: [compact],
    },
  },
];
