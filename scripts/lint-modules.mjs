/**
 * The import table of `docs/architecture.md` as rules of ESLint. A module lists what it may import; every other import is an error.
 * A new module or package has to be added here and in the document.
 */

/**
 * @typedef {object} Module
 * @property {string} folder
 * @property {readonly string[]} [modules] paths, relative to the root of the modules, that it may import: a folder ends in `/`, a file in `.js`
 * @property {readonly string[]} [types] paths from which it may import types only
 * @property {readonly string[]} [packages] packages that it may import
 */

/** @type {readonly Module[]} */
const MODULES = [
  { folder: 'src/model', modules: ['errors.js'] },
  { folder: 'src/transport', modules: ['errors.js'], packages: ['eventsource-parser'] },
  { folder: 'src/backends', modules: ['model/', 'transport/', 'errors.js'] },
  {
    folder: 'src/controller',
    modules: ['model/', 'transport/', 'errors.js', 'backends/backend.js'],
    types: ['backends/backend-methods.js'],
  },
  { folder: 'src/dom' },
  { folder: 'src/locales' },
  { folder: 'src/markdown', modules: ['dom/'] },
  {
    folder: 'src/message',
    modules: ['model/', 'markdown/', 'locales/', 'dom/', 'errors.js'],
    packages: ['lit'],
  },
  {
    folder: 'src/mermaid',
    modules: ['dom/', 'locales/diagram-strings.js', 'markdown/extras/insert-styles.js'],
    types: ['markdown/options.js'],
  },
  { folder: 'src/events', types: ['model/', 'errors.js'] },
  {
    folder: 'src/elements',
    modules: [
      'controller/',
      'message/',
      'markdown/',
      'events/index.js',
      'locales/',
      'dom/',
      'errors.js',
    ],
    types: ['model/', 'backends/backend.js'],
    packages: ['lit'],
  },
  {
    folder: 'src/static',
    modules: [
      'elements/styles/',
      'message/',
      'markdown/',
      'model/',
      'locales/',
      'dom/',
      'errors.js',
    ],
    packages: ['lit'],
  },
  { folder: 'server', packages: ['node:'] },
  {
    folder: 'demo',
    modules: ['server/'],
    packages: ['node:', 'node-sqlite3-wasm', 'htmlparser2', 'unpdf', 'mammoth', 'expr-eval-fork'],
  },
];

/**
 * Single files that are modules.
 *
 * @type {readonly (Module & { readonly file: string })[]}
 */
const FILES = [
  { folder: 'src', file: 'errors.ts' },
  // Exports the names that pages with a script tag need, as members of the global `UbikElements`.
  {
    folder: 'src',
    file: 'define.ts',
    modules: [
      'elements/',
      'backends/',
      'controller/controller.js',
      'controller/registry.js',
      'locales/locale.js',
      'message/parts/part-renderers.js',
    ],
  },
];

/** Libraries of the optional modules in `src/markdown/extras`, each loaded on demand. */
const EXTRAS = [
  'chart.js',
  'highlight.js',
  'sql-formatter',
  'temml',
  'dompurify',
  'marked',
  '@cfworker/json-schema',
];

/** Maximum number of nested folders, including that of the module. */
const MAX_DEPTH = 4;

const FORBIDDEN = 'This module must not import that one: see the table in docs/architecture.md.';
const ONLY_TYPES = 'Import only types from it: see the table in docs/architecture.md.';

/** @param {string} text */
const escapeRegExp = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** @param {readonly string[]} paths */
const anyPath = (paths) =>
  paths
    .map((path) => escapeRegExp(path) + (path.endsWith('/') || path.endsWith(':') ? '' : '$'))
    .join('|');

/** @param {readonly string[]} packages */
const anyPackage = (packages) =>
  packages
    .map((name) => (name.endsWith(':') ? escapeRegExp(name) : `${escapeRegExp(name)}(?:$|\\/)`))
    .join('|');

/** The beginning of a specifier that leads to the root of the modules. @param {number} depth */
const pathToRoot = (depth) => (depth === 0 ? '\\.\\/' : `(?:\\.\\.\\/){${String(depth)}}`);

/**
 * Returns a pattern of the specifiers that a file `depth` folders below the root may import. A specifier with `depth` times `../` leads
 * to the root of the modules; with fewer it stays in the module; with more it leaves the root, which is never allowed. `./` must not be
 * followed by a dot, because `./../` would leave the folder.
 *
 * @param {number} depth
 * @param {{ inside: boolean, modules: readonly string[], packages: readonly string[] }} allowed
 */
function describeAllowed(depth, { inside, modules, packages }) {
  return [
    ...(inside ? ['\\.\\/(?!\\.)'] : []),
    ...(inside && depth > 1 ? [`(?:\\.\\.\\/){1,${String(depth - 1)}}(?!\\.\\.\\/)`] : []),
    ...(modules.length > 0 ? [`${pathToRoot(depth)}(?:${anyPath(modules)})`] : []),
    ...(packages.length > 0 ? [anyPackage(packages)] : []),
  ].join('|');
}

/** @param {readonly { regex: string, message: string, allowTypeImports?: boolean }[]} patterns */
const restrictTo = (patterns) => ({
  '@typescript-eslint/no-restricted-imports': ['error', { patterns }],
});

/**
 * @param {Module} module
 * @param {number} depth number of folders between the root of the modules and the file
 * @param {boolean} inside whether the other files of its folder belong to the module
 */
function restrictImports(module, depth, inside) {
  const { modules = [], types = [], packages = [] } = module;
  const all = describeAllowed(depth, { inside, modules: [...modules, ...types], packages });
  const others = { regex: all === '' ? '.' : `^(?!${all})`, message: FORBIDDEN };
  if (types.length === 0) return restrictTo([others]);
  const regex = `^${pathToRoot(depth)}(?:${anyPath(types)})`;
  return restrictTo([others, { regex, allowTypeImports: true, message: ONLY_TYPES }]);
}

/** @param {Module} module */
function configureModule(module) {
  // The root of the modules in `src` is `src`; that of the other modules is the root of the repository.
  const above = module.folder.split('/').length - (module.folder.startsWith('src/') ? 1 : 0);
  return Array.from({ length: MAX_DEPTH }, (_, below) => ({
    files: [`${module.folder}/${'*/'.repeat(below)}*.ts`],
    rules: restrictImports(module, above + below, true),
  }));
}

/** The table as entries of a flat ESLint configuration: one for each module and depth, and one for each single file. */
export const moduleRules = [
  ...MODULES.flatMap(configureModule),
  ...FILES.map((file) => ({
    files: [`${file.folder}/${file.file}`],
    rules: restrictImports(file, 0, false),
  })),
  {
    // An optional module imports its library, and only types of other modules, so that it can be a separate file beside the bundle.
    files: ['src/markdown/extras/*.ts'],
    rules: restrictTo([
      { regex: `^(?!\\.{1,2}\\/[^.]|${anyPackage(EXTRAS)})`, message: FORBIDDEN },
      { regex: '^\\.\\.\\/', allowTypeImports: true, message: ONLY_TYPES },
    ]),
  },
];
