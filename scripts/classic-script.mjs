import { readFileSync } from 'node:fs';
import { SCRIPT_ADDRESS } from './script-address.mjs';

const { name, version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);
/** Where the files that are fetched later find the script that fetched them. Another version on the same page has a place of its own. */
const PLACE = `globalThis[Symbol.for(${JSON.stringify(`${name} ${version}`)})]`;

/**
 * The function of the script that fetches a file and those it takes something from, all at once, and runs each once. No file imports
 * another one by itself: what an import of its own could not fetch would stay away for the life of the page.
 *
 * A classic script of another origin that was fetched without CORS has no base for the addresses that it imports (HTML, "muted
 * errors"): it resolves them against its own address. Of what a browser could not fetch it remembers for the life of the page that
 * it could not (whatwg/html#6768, mended in 2026): so the last try asks for another address.
 */
const LOADER = 'loadUbikPart';
/** What gives a module its own address. It stands behind the code, whose places in the source map stay right. */
const MODULE_ADDRESS = 'findUbikModule';
const LOADER_CODE = `const ${LOADER} = ((files, made, script) => {
  const warned = new Set();
  const fetchFile = async (path) => {
    const address = script ? new URL(path, script).href : path;
    let cause;
    for (const one of [path, address, address + '?' + Date.now()]) {
      try { return await import(one); } catch (error) { cause = error; }
    }
    const what = 'ubik-elements: ' + address + ' could not be loaded.';
    if (!warned.has(address)) console.warn(what + ' Its folder has to lie beside the script. If this is not the origin of the page, its server has to allow CORS.' + (location.protocol === 'file:' ? ' This page was opened as a file: open it through a web server.' : ''));
    warned.add(address);
    throw new Error(what, { cause });
  };
  const fetchPart = (name) => (files[name] ??= fetchFile('./parts/' + name).catch((error) => {
    delete files[name];
    throw error;
  }));
  const load = async (...names) => {
    const all = await Promise.all(names.map(fetchPart));
    return names.map((name, at) => (made[name] ??= all[at].default(made, load))).pop();
  };
  return Object.assign(load, { file: fetchFile });
})({}, {}, typeof ${MODULE_ADDRESS} === 'function' ? ${MODULE_ADDRESS}() : ${SCRIPT_ADDRESS});`.replaceAll(
  /\n */g,
  ' ',
);

/** A file that is to be fetched, as the import of it is marked until it is known what it needs. */
const MARKED = new RegExp(`${LOADER}\\((['"\`])[^'"\`]*?([^/'"\`]+)\\1\\)`, 'g');

/**
 * What is read here of a statement.
 *
 * @typedef {object} Statement
 * @property {string} type
 * @property {number} start
 * @property {number} end
 * @property {{ value: string } | null} source
 * @property {readonly Record<'local' | 'imported' | 'exported', { name: string }>[]} specifiers
 */

/**
 * A plug-in of Rollup that makes a classic script out of an entry whose other files are fetched when they are needed, and a module
 * of the same code: Rollup itself splits modules alone. The script leaves what those files share with it at a place of its own, and
 * they take it from there. Importing it would run everything a second time, also from a module whose address has a query. What they
 * share with each other the script hands to them. What is there twice, as a script or as a module, runs once.
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
      // An import is as long as its list of files: no line is added by it.
      let code = source.replaceAll(MARKED, (_call, _quote, name) => {
        const files = listNeeded(`parts/${name}`, chunks).map(nameOf);
        return `${LOADER}(${files.map((file) => JSON.stringify(file)).join(', ')})`;
      });
      const body = /** @type {Statement[]} */ (/** @type {unknown} */ (this.parse(code).body));
      const edits = chunk.isEntry ? closeEntry(code, body, global) : closePart(code, body);
      // From the end, so that places stay; lines stay too, so that source maps stay right.
      for (const { start, end, text } of edits.reverse()) {
        code = code.slice(0, start) + text + code.slice(end);
      }
      return { code, map: null };
    },
    generateBundle(_options, files) {
      for (const file of Object.values(files)) {
        if (file.type !== 'chunk' || !file.isEntry) continue;
        const names = this.getModuleInfo(file.facadeModuleId ?? '')?.exports ?? [];
        const [code = '', map = ''] = file.code.split(/(?=\/\/# sourceMappingURL=)/);
        const address = `function ${MODULE_ADDRESS}(){return import.meta.url}`;
        const source = `${code.trimEnd()}\n${address}\nexport const{${names.join()}}=${global};\n${map}`;
        const fileName = file.fileName.replace(/js$/, 'mjs');
        this.emitFile({ type: 'asset', fileName, source });
      }
    },
  };
}

/** @param {string} path */
const nameOf = (path) => path.replace(/.*\//, '');

/**
 * A file and those from which it takes something, each behind what it needs itself.
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

/** What a file hands on, by the names under which it does. @param {readonly Statement[]} body */
function readExports(body) {
  const found = body.filter(({ type }) => type.startsWith('Export'));
  if (found.some(({ type, source }) => type !== 'ExportNamedDeclaration' || source)) {
    throw new Error('A file hands on what another one has: that is not expected here.');
  }
  const names = found.flatMap(({ specifiers }) =>
    specifiers.map(({ local, exported }) => `${exported.name}: ${local.name}`),
  );
  return { cuts: found.map(({ start, end }) => ({ start, end, text: '' })), names };
}

/**
 * The entry: a function that runs once and returns what it exports.
 *
 * @param {string} code
 * @param {readonly Statement[]} body
 * @param {string} global
 */
function closeEntry(code, body, global) {
  const { cuts, names } = readExports(body);
  const head = `var ${global} = ${PLACE} ??= (() => { 'use strict'; ${LOADER_CODE} `;
  const foot = `return { ${names.join(', ')} }; })();`;
  return [
    { start: 0, end: 0, text: head },
    ...cuts,
    { start: code.length, end: code.length, text: foot },
  ];
}

/**
 * A file that is fetched later: a function that the loader runs once, with what the others have left. What it imports from the entry
 * is at the entry's place.
 *
 * @param {string} code
 * @param {readonly Statement[]} body
 */
function closePart(code, body) {
  const { cuts, names } = readExports(body);
  const imports = body.flatMap(({ type, source, start, end, specifiers }) => {
    if (type !== 'ImportDeclaration' || !source) return [];
    const wanted = specifiers.map(({ imported, local }) => `${imported.name}: ${local.name}`);
    const name = nameOf(source.value);
    const from = name.endsWith('.min.js') ? PLACE : `parts[${JSON.stringify(name)}]`;
    return { start, end, text: `const { ${wanted.join(', ')} } = ${from};` };
  });
  return [
    { start: 0, end: 0, text: `export default (parts, ${LOADER}) => { ` },
    ...[...imports, ...cuts].sort((left, right) => left.start - right.start),
    { start: code.length, end: code.length, text: ` return { ${names.join(', ')} }; };` },
  ];
}
