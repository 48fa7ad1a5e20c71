/**
 * The import table of `docs/architecture.md` as rules of ESLint. A room lists what it may import; everything else is an error, so
 * that a new room or package is closed until somebody opens it here and in the document.
 */

/**
 * @typedef {object} Room
 * @property {string} folder where its files lie
 * @property {readonly string[]} [modules] places of the same root that it may import: a folder ends in `/`, a file in `.js`
 * @property {readonly string[]} [types] places of which it may import types only
 * @property {readonly string[]} [packages] packages it may import
 */

/** @type {readonly Room[]} */
const ROOMS = [
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
  { folder: 'server', packages: ['node:'] },
  {
    folder: 'demo',
    modules: ['server/'],
    packages: ['node:', 'node-sqlite3-wasm', 'htmlparser2', 'unpdf'],
  },
];

/**
 * Single files with a table of their own.
 *
 * @type {readonly (Room & { readonly file: string })[]}
 */
const FILES = [
  { folder: 'src', file: 'errors.ts' },
  // It hands on the public names, so that the global of the script-tag bundle has them.
  {
    folder: 'src',
    file: 'define.ts',
    modules: [
      'elements/',
      'backends/',
      'controller/',
      'locales/locale.js',
      'message/parts/part-renderers.js',
      'index.js',
    ],
  },
];

/** Libraries of optional parts, each loaded when its content occurs. */
const EXTRAS = ['chart.js', 'highlight.js', 'sql-formatter', 'temml', 'dompurify'];

/** Folders in folders, below a room. One more is one too many. */
const DEEPEST = 4;

const WRONG = 'This room may not know that one: see the table in docs/architecture.md.';
const ONLY_TYPES = 'Only types of it: see the table in docs/architecture.md.';

/** @param {string} text */
const literally = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** @param {readonly string[]} places */
const anyOf = (places) =>
  places
    .map((place) => literally(place) + (place.endsWith('/') || place.endsWith(':') ? '' : '$'))
    .join('|');

/** @param {readonly string[]} packages */
const anyPackage = (packages) =>
  packages
    .map((name) => (name.endsWith(':') ? literally(name) : `${literally(name)}(?:$|\\/)`))
    .join('|');

/** How a specifier reaches the root of the rooms. @param {number} depth */
const wayOut = (depth) => (depth === 0 ? '\\.\\/' : `(?:\\.\\.\\/){${String(depth)}}`);

/**
 * What an import of a file `depth` folders below its root may look like. The specifier alone decides: `../` as often as the file is
 * deep leads to the root of the rooms, less often stays in the room, more often leaves the root and is allowed to none.
 *
 * @param {number} depth
 * @param {{ inside: boolean, modules: readonly string[], packages: readonly string[] }} allowed
 */
function describeAllowed(depth, { inside, modules, packages }) {
  return [
    ...(inside ? ['\\.\\/(?!\\.)'] : []),
    ...(inside && depth > 1 ? [`(?:\\.\\.\\/){1,${String(depth - 1)}}(?!\\.\\.\\/)`] : []),
    ...(modules.length > 0 ? [`${wayOut(depth)}(?:${anyOf(modules)})`] : []),
    ...(packages.length > 0 ? [anyPackage(packages)] : []),
  ].join('|');
}

/** @param {readonly { regex: string, message: string, allowTypeImports?: boolean }[]} patterns */
const restrictTo = (patterns) => ({
  '@typescript-eslint/no-restricted-imports': ['error', { patterns }],
});

/**
 * @param {Room} room
 * @param {number} depth folders between the file and the root of the rooms
 * @param {boolean} inside whether the files beside it are of its room
 */
function restrictImports(room, depth, inside) {
  const { modules = [], types = [], packages = [] } = room;
  const all = describeAllowed(depth, { inside, modules: [...modules, ...types], packages });
  const everythingElse = { regex: all === '' ? '.' : `^(?!${all})`, message: WRONG };
  if (types.length === 0) return restrictTo([everythingElse]);
  const regex = `^${wayOut(depth)}(?:${anyOf(types)})`;
  return restrictTo([everythingElse, { regex, allowTypeImports: true, message: ONLY_TYPES }]);
}

/** @param {Room} room */
function configureRoom(room) {
  // Below `src` the rooms' root is `src`; the folders beside `src` have the top of the repository as theirs.
  const above = room.folder.split('/').length - (room.folder.startsWith('src/') ? 1 : 0);
  return Array.from({ length: DEEPEST }, (_, below) => ({
    files: [`${room.folder}/${'*/'.repeat(below)}*.ts`],
    rules: restrictImports(room, above + below, true),
  }));
}

/** The table as blocks of a flat configuration: one for each room and depth, one for each file that stands alone. */
export const roomRules = [
  ...ROOMS.flatMap(configureRoom),
  ...FILES.map((file) => ({
    files: [`${file.folder}/${file.file}`],
    rules: restrictImports(file, 0, false),
  })),
  {
    // An optional part of the page brings its own library and of ours only types, so that it can be a file beside the bundle.
    files: ['src/markdown/extras/*.ts'],
    rules: restrictTo([
      { regex: `^(?!\\.{1,2}\\/[^.]|${anyPackage(EXTRAS)})`, message: WRONG },
      { regex: '^\\.\\.\\/', allowTypeImports: true, message: ONLY_TYPES },
    ]),
  },
];
