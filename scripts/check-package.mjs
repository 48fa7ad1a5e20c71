/**
 * Checks the packed package: its size, that it contains neither source maps nor TypeScript sources, that every path in `package.json`
 * exists in it, that its entry points are correct, that bundlers can read its imports, that its types resolve, and that no declaration is
 * missing in them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packPackage } from './pack.mjs';
import { ROOT, runCommand, TSC } from './run-command.mjs';
import { emptyTally, formatTally, writeTally } from './tally.mjs';

/** Size limit of the tarball in bytes. */
const LIMIT = 1_200_000;

/** @typedef {import('./pack.mjs').Packed} Packed */

/** @param {Packed} packed */
const checkSize = ({ size }) =>
  size > 0 && size <= LIMIT
    ? []
    : [`The package has ${String(size)} bytes; the limit is ${String(LIMIT)}.`];

/** Finds source maps, references to them, and TypeScript sources, none of which are published. @param {Packed} packed */
function checkFiles({ paths }) {
  const useless = paths.filter((path) => /\.map$|(?<!\.d)\.ts$/.test(path));
  const dangling = paths.filter(
    (path) =>
      /\.(?:m?js|d\.ts)$/.test(path) &&
      /^\/\/# sourceMappingURL=(?!data:)/m.test(readFileSync(join(ROOT, path), 'utf8')),
  );
  return [
    ...useless.map((path) => `${path} is packed but of no use to a host page.`),
    ...dangling.map((path) => `${path} names a source map that is not packed.`),
  ];
}

/**
 * An import whose specifier is computed, without the comments that keep bundlers from looking for the file. A minifier that inlines the
 * variable after the comments may remove the comments with it.
 */
const UNMARKED_IMPORT =
  /\bimport\((?!\s*(?:["']|\/\* webpackIgnore: true \*\/\s*\/\* @vite-ignore \*\/))/;

/** @param {Packed} packed */
const checkImports = ({ paths }) =>
  paths
    .filter((path) => /^dist\/(?!bundle\/).*\.js$/.test(path))
    .filter((path) => UNMARKED_IMPORT.test(readFileSync(join(ROOT, path), 'utf8')))
    .map((path) => `${path} imports a computed path without the comments for bundlers.`);

/** All relative paths in a value of `package.json`. @param {unknown} value @returns {string[]} */
function listPaths(value) {
  if (typeof value === 'string') return value.startsWith('./') ? [value.slice(2)] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listPaths) : [];
}

/** Returns `package.json` without `sideEffects`, whose values are patterns and not paths. @returns {unknown} */
function readManifest() {
  const { sideEffects: _patterns, ...manifest } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  );
  return manifest;
}

/** @param {Packed} packed */
function checkPaths({ paths }) {
  return listPaths(readManifest())
    .filter((path) => {
      const [prefix = '', suffix = ''] = path.split('*');
      return !paths.some((one) =>
        path.includes('*') ? one.startsWith(prefix) && one.endsWith(suffix) : one === path,
      );
    })
    .map((path) => `package.json names ${path}, which is not in the package.`);
}

/** @param {Packed} packed */
async function checkEntryPoints({ file }) {
  const { code, output } = await runCommand(['publint', file, '--strict']);
  return code === 0 ? [] : [output];
}

/** @param {Packed} packed */
async function checkTypes({ file }) {
  const { code, output } = await runCommand(['attw', file, '--profile', 'esm-only']);
  return code === 0 ? [] : [output];
}

/**
 * Compiles the declarations of all entry points, except those for frameworks, which are not installed. A host page that skips the check of
 * libraries would get `any` for a declaration that the build has removed by mistake.
 */
async function checkDeclarations() {
  const config = '.cache/package/tsconfig.json';
  const declarations = listPaths(readManifest()).filter(
    (path) => path.endsWith('.d.ts') && !path.includes('*'),
  );
  const compilerOptions = {
    target: 'ES2022',
    module: 'NodeNext',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    strict: true,
    skipDefaultLibCheck: true,
    noEmit: true,
  };
  const files = [...declarations, 'dist/types/elements.d.ts'].map((path) => join(ROOT, path));
  writeFileSync(join(ROOT, config), JSON.stringify({ compilerOptions, files }));
  const { code, output } = await runCommand([...TSC, '-p', config]);
  return code === 0 ? [] : [output];
}

const packed = await packPackage();
const problems = {
  size: checkSize(packed),
  files: checkFiles(packed),
  paths: checkPaths(packed),
  imports: checkImports(packed),
  entryPoints: await checkEntryPoints(packed),
  types: await checkTypes(packed),
  declarations: await checkDeclarations(),
};
const tally = emptyTally();
for (const [check, found] of Object.entries(problems)) {
  tally[found.length > 0 ? 'failed' : 'passed'] += 1;
  if (found.length > 0) console.log(`── ${check}\n${found.join('\n')}`);
}
writeTally(tally);
console.log(`${(packed.size / 1000).toFixed(0)} kB packed, ${String(packed.paths.length)} files`);
console.log(formatTally(tally));
process.exit(tally.failed > 0 ? 1 : 0);
