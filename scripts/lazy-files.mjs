/**
 * Assigns modules to the lazy files of the bundle that a first answer needs, so that a browser fetches a handful of files for it instead of
 * one for each set of modules that some of them share.
 */

/**
 * The file of the shared modules: those that several of the `FILES` use, and those that one of the `FILES` and a module in `EARLY` use, except
 * the modules of `SERVICES`. The focus restorer is in this file, too, because it is too small for a separate file.
 */
const COMMON = 'common';

/** The modules from which each lazy file is built, by the name of the file. The size check uses the names. */
const FILES = {
  ubik: ['backends/ubik/session-backend.ts', 'backends/ubik/content/content-parser.ts'],
  'data-agent': ['backends/data-agent/index.ts'],
  views: [
    'elements/transcript/views.ts',
    'elements/announcements/run-announcer.ts',
    'message/branches/message-actions.ts',
  ],
  markdown: ['message/markdown-renderer.ts'],
  action: ['message/branches/action-tools.ts'],
  composer: ['elements/composer/composer-tools.ts'],
  stored: ['controller/threads/stored-threads.ts'],
  restored: ['message/restore-origin.ts'],
  [COMMON]: ['elements/keyboard/focus-restorer.ts'],
};

/** The file of the modules that both services use, or that one service and also the code for stored threads or a module in `EARLY` use. */
const SERVICES = 'service';

/** Modules that a page may load before its first answer. They must not import from a file with views of messages, because it would be loaded, too. */
const EARLY = [
  'elements/branches/branch-map-panel.ts',
  'elements/checkpoints/checkpoints-panel.ts',
  'elements/composer/message-options.ts',
  'elements/documents/documents-panel.ts',
  'elements/sides/side-panels.ts',
  'elements/threads/threads-panel.ts',
  'elements/keyboard/keyboard-shortcuts.ts',
  'elements/keyboard/region-navigation.ts',
];

/** Files without views of messages, from which modules in `EARLY` may import. */
const WITHOUT_VIEWS = ['stored', 'restored'];

/** The file of the entry. Without the assignment, Rollup would move modules of the entry that lazy files also import into another file. */
const SCRIPT = 'script';

/** Modules that the script imports only to re-export their names, which only lazy files use. Rollup assigns them to those files. */
const LAZY = [
  'events/checkpoint-events.ts',
  'events/document-events.ts',
  'events/gate-events.ts',
  'events/part-events.ts',
  'events/thread-list-events.ts',
];

/** The names of all lazy files that are assigned here. */
export const ASSIGNED_FILES = new Set([...Object.keys(FILES), SERVICES]);

/** The files that a first answer of UBIK needs, in addition to the script of the page. */
export const FIRST_ANSWER_FILES = [COMMON, 'markdown', SERVICES, 'ubik', 'views'];

/**
 * Returns a function for `output.manualChunks` that assigns modules to these files. All other modules are assigned by Rollup.
 *
 * @param {string} entry the entry of the bundle, whose modules are in no lazy file; relative to `src`
 * @returns {import('rollup').GetManualChunk}
 */
export function assignLazyFiles(entry) {
  /** @type {Map<string, string> | undefined} */
  let files;
  return (id, { getModuleInfo, getModuleIds }) => {
    files ??= computeFiles(entry, [...getModuleIds()], getModuleInfo);
    return files.get(id);
  };
}

/**
 * @param {string} entry
 * @param {readonly string[]} ids
 * @param {import('rollup').GetModuleInfo} getModuleInfo
 */
function computeFiles(entry, ids, getModuleInfo) {
  /** @param {string} path */
  const find = (path) => {
    const found = ids.find((id) => id.endsWith(`/src/${path}`));
    if (found === undefined) throw new Error(`scripts/lazy-files.mjs: the bundle has no ${path}.`);
    return found;
  };
  /** Returns modules with everything that they import statically. @param {readonly string[]} paths */
  const collect = (paths) => {
    const all = new Set(paths.map(find));
    for (const id of all) for (const other of getModuleInfo(id)?.importedIds ?? []) all.add(other);
    return all;
  };
  const script = collect([entry]);
  const lazy = LAZY.map(find);
  const early = collect(EARLY);
  const groups = Object.entries(FILES).map(([name, paths]) => ({ name, modules: collect(paths) }));
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const id of script) files.set(id, SCRIPT);
  for (const id of ids) {
    const users = groups.filter(({ modules }) => modules.has(id)).map(({ name }) => name);
    const [first] = users;
    if (first === undefined || script.has(id)) continue;
    const isOfServices = users.every((name) => ['ubik', 'data-agent', 'stored'].includes(name));
    const isShared = users.length > 1 || (early.has(id) && !WITHOUT_VIEWS.includes(first));
    files.set(id, !isShared ? first : isOfServices ? SERVICES : COMMON);
  }
  for (const id of lazy) files.delete(id);
  return files;
}
