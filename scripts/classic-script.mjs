import { readFileSync } from 'node:fs';
import { SCRIPT_URL } from './script-url.mjs';

const { name, version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);
/** The global property with the exports of the script, which lazy files read. Each version on a page has a separate one. */
const SCRIPT_EXPORTS = `globalThis[Symbol.for(${JSON.stringify(`${name} ${version}`)})]`;
/**
 * The global property with the exports of the first version on a page. That version has defined the elements, so the named global has to
 * belong to it: what is registered with another version has no effect on the elements. A symbol, unlike the named global, cannot be
 * clobbered by an element with that `id`.
 */
const FIRST_EXPORTS = `globalThis[Symbol.for(${JSON.stringify(name)})]`;

/**
 * Name of the function of the script that fetches a file and, in parallel, all files that it depends on, and runs each once. The built files
 * contain no `import` statements, because browsers cache a failed import for the lifetime of the page.
 *
 * In a classic script of another origin that was fetched without CORS, `import()` has no base URL (HTML, "muted errors"), so the address
 * is resolved against the URL of the script. Browsers without the fix of whatwg/html#6768 (2026) do not fetch a failed URL again, so the
 * last attempt adds a query.
 */
const LOADER = 'loadUbikPart';
/** Name of the function that returns the URL of the module. It is appended to the code, so that the source map stays correct. */
const MODULE_URL = 'findUbikModule';
const LOADER_CODE = `const ${LOADER} = ((files, loaded, script) => {
  const warned = new Set();
  const fetchFile = async (path) => {
    const address = script ? new URL(path, script).href : path;
    let cause;
    for (const one of [path, address, address + '?' + Date.now()]) {
      try { return await import(one); } catch (error) { cause = error; }
    }
    const what = 'ubik-elements: ' + address + ' could not be loaded.';
    if (!warned.has(address)) console.warn(what + ' Its folder must be beside the script. If it is not on the origin of the page, its server must allow CORS.' + (location.protocol === 'file:' ? ' This page was opened as a file: open it through a web server.' : ''));
    warned.add(address);
    throw new Error(what, { cause });
  };
  const fetchPart = (name) => (files[name] ??= fetchFile('./parts/' + name).catch((error) => {
    delete files[name];
    throw error;
  }));
  const load = async (...names) => {
    const all = await Promise.all(names.map(fetchPart));
    return names.map((name, at) => (loaded[name] ??= all[at].default(loaded, load))).pop();
  };
  return Object.assign(load, { file: fetchFile });
})({}, {}, typeof ${MODULE_URL} === 'function' ? ${MODULE_URL}() : ${SCRIPT_URL});`.replaceAll(
  /\n */g,
  ' ',
);

/** The placeholder of a dynamic import, which is replaced when the imports of the file are known. */
const LOADER_CALL = new RegExp(`${LOADER}\\((['"\`])[^'"\`]*?([^/'"\`]+)\\1\\)`, 'g');

/**
 * A statement with the fields that are used.
 *
 * @typedef {object} Statement
 * @property {string} type
 * @property {number} start
 * @property {number} end
 * @property {{ value: string } | null} source
 * @property {readonly Record<'local' | 'imported' | 'exported', { name: string }>[]} specifiers
 */

/**
 * Rollup plugin that builds a classic script with lazy files, and a module of the same code; Rollup itself splits only modules. The lazy
 * files read the exports of the script from a global property, because importing the script would run it a second time, for example if
 * its URL has a query. The script passes the exports of lazy files to each other. If a page loads the script and the module, the code
 * runs once.
 *
 * @param {string} global
 * @returns {import('rollup').Plugin}
 */
export function classicScript(global) {
  return {
    name: 'classic-script',
    renderDynamicImport: ({ targetChunk }) => ({
      left: targetChunk ? `${LOADER}(` : `${LOADER}.file(`,
      right: ')',
    }),
    renderChunk(source, chunk, _options, { chunks }) {
      // The replacement contains no line end, so line numbers do not change.
      let code = source.replaceAll(LOADER_CALL, (_call, _quote, name) => {
        const files = listNeeded(`parts/${name}`, chunks).map(nameOf);
        return `${LOADER}(${files.map((file) => JSON.stringify(file)).join(', ')})`;
      });
      const body = /** @type {Statement[]} */ (/** @type {unknown} */ (this.parse(code).body));
      const edits = chunk.isEntry ? wrapEntry(code, body, global) : wrapPart(code, body);
      // Applied from the end, so that positions stay valid. Line numbers do not change, so that source maps stay correct.
      for (const { start, end, text } of edits.reverse()) {
        code = code.slice(0, start) + text + code.slice(end);
      }
      return { code, map: null };
    },
    generateBundle(_options, files) {
      for (const file of Object.values(files)) {
        if (file.type !== 'chunk' || !file.isEntry) continue;
        const names = this.getModuleInfo(file.facadeModuleId ?? '')?.exports ?? [];
        const address = `function ${MODULE_URL}(){return import.meta.url}`;
        const source = `${file.code.trimEnd()}\n${address}\nexport const{${names.join()}}=${global};\n`;
        const fileName = file.fileName.replace(/js$/, 'mjs');
        this.emitFile({ type: 'asset', fileName, source });
      }
    },
  };
}

/** @param {string} path */
const nameOf = (path) => path.replace(/.*\//, '');

/**
 * Returns a file and all files that it imports, each after its own imports.
 *
 * @param {string} file
 * @param {Readonly<Record<string, { readonly imports: readonly string[], readonly isEntry: boolean }>>} chunks
 * @returns {string[]}
 */
function listNeeded(file, chunks) {
  const { imports, isEntry } = chunks[file] ?? { imports: [], isEntry: true };
  if (isEntry) return [];
  const needed = imports.flatMap((other) => listNeeded(other, chunks));
  return [...new Set([...needed, file])];
}

/** Returns edits that cut the export statements of a file, and its exports as `exported: local`. @param {readonly Statement[]} body */
function readExports(body) {
  const found = body.filter(({ type }) => type.startsWith('Export'));
  if (found.some(({ type, source }) => type !== 'ExportNamedDeclaration' || source)) {
    throw new Error('Unexpected re-export in a chunk.');
  }
  const names = found.flatMap(({ specifiers }) =>
    specifiers.map(({ local, exported }) => `${exported.name}: ${local.name}`),
  );
  return { cuts: found.map(({ start, end }) => ({ start, end, text: '' })), names };
}

/**
 * Returns the edits that turn the entry into a function that runs once and returns its exports. The global has the exports of the first version
 * on the page. On a server, where elements cannot be defined, the script exports nothing, so that importing it there does not throw.
 *
 * @param {string} code
 * @param {readonly Statement[]} body
 * @param {string} global
 */
function wrapEntry(code, body, global) {
  const { cuts, names } = readExports(body);
  const run = `((own) => ${FIRST_EXPORTS} ??= own)(${SCRIPT_EXPORTS} ??=`;
  const head = `var ${global} = ${run} typeof HTMLElement === 'undefined' ? {} : (() => { 'use strict'; ${LOADER_CODE} `;
  const foot = `return { ${names.join(', ')} }; })());`;
  return [
    { start: 0, end: 0, text: head },
    ...cuts,
    { start: code.length, end: code.length, text: foot },
  ];
}

/**
 * Returns the edits that turn a lazy file into a function that the loader calls once with the exports of other lazy files. Exports of the
 * entry are read from the global property.
 *
 * @param {string} code
 * @param {readonly Statement[]} body
 */
function wrapPart(code, body) {
  const { cuts, names } = readExports(body);
  const imports = body.flatMap(({ type, source, start, end, specifiers }) => {
    if (type !== 'ImportDeclaration' || !source) return [];
    const wanted = specifiers.map(({ imported, local }) => `${imported.name}: ${local.name}`);
    const name = nameOf(source.value);
    const from = name.endsWith('.min.js') ? SCRIPT_EXPORTS : `parts[${JSON.stringify(name)}]`;
    return { start, end, text: `const { ${wanted.join(', ')} } = ${from};` };
  });
  return [
    { start: 0, end: 0, text: `export default (parts, ${LOADER}) => { ` },
    ...[...imports, ...cuts].sort((left, right) => left.start - right.start),
    { start: code.length, end: code.length, text: ` return { ${names.join(', ')} }; };` },
  ];
}
