import { readFileSync } from 'node:fs';

const { name, version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);
/** Where the files that are fetched later find the script that fetched them. Another version on the same page has a place of its own. */
const PLACE = `globalThis[Symbol.for(${JSON.stringify(`${name} ${version}`)})]`;

/**
 * Of what a browser could not fetch it remembers for the life of the page that it could not (whatwg/html#6768, mended in 2026): so a
 * second try asks for another address.
 */
const RETRY = '((path) => import(path).catch(() => import(`${path}?${Date.now()}`)))(';

/**
 * What is read here of a statement.
 *
 * @typedef {object} Statement
 * @property {string} type
 * @property {number} start
 * @property {number} end
 * @property {{ value: string }} source
 * @property {readonly Record<'local' | 'imported' | 'exported', { name: string }>[]} specifiers
 */

/**
 * A plug-in of Rollup that makes a classic script out of an entry whose other files are fetched when they are needed, and a module
 * of the same code: Rollup itself splits modules alone. The script leaves what those files share with it at a place of its own, and
 * they take it from there. Importing it would run everything a second time, also from a module whose address has a query. What is
 * there twice, as a script or as a module, runs once.
 *
 * @param {string} global
 * @returns {import('rollup').Plugin}
 */
export function classicScript(global) {
  return {
    name: 'classic-script',
    renderDynamicImport: () => ({ left: RETRY, right: ')' }),
    renderChunk(code, chunk) {
      const body = /** @type {Statement[]} */ (/** @type {unknown} */ (this.parse(code).body));
      const edits = chunk.isEntry ? closeEntry(code, body, global) : openPart(body);
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
        const source = `${code.trimEnd()}\nexport const{${names.join()}}=${global};\n${map}`;
        const fileName = file.fileName.replace(/js$/, 'mjs');
        this.emitFile({ type: 'asset', fileName, source });
      }
    },
  };
}

/**
 * The entry: a function that runs once and returns what it exports.
 *
 * @param {string} code
 * @param {readonly Statement[]} body
 * @param {string} global
 */
function closeEntry(code, body, global) {
  const exports = body.filter(({ type }) => type === 'ExportNamedDeclaration');
  const names = exports.flatMap(({ specifiers }) =>
    specifiers.map(({ local, exported }) => `${exported.name}: ${local.name}`),
  );
  const head = `var ${global} = ${PLACE} ??= (() => { 'use strict'; `;
  const foot = `return { ${names.join(', ')} }; })();`;
  return [
    { start: 0, end: 0, text: head },
    ...exports.map(({ start, end }) => ({ start, end, text: '' })),
    { start: code.length, end: code.length, text: foot },
  ];
}

/** A file that is fetched later: what it imports from the entry is at the entry's place. @param {readonly Statement[]} body */
function openPart(body) {
  return body
    .filter(({ type, source }) => type === 'ImportDeclaration' && source.value.endsWith('.min.js'))
    .map(({ start, end, specifiers }) => {
      const names = specifiers.map(({ imported, local }) => `${imported.name}: ${local.name}`);
      return { start, end, text: `const { ${names.join(', ')} } = ${PLACE};` };
    });
}
