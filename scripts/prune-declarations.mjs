/**
 * Deletes the declarations in `dist/` that no entry point of the package imports: a host page cannot import their modules, and they would
 * make up two thirds of all declarations.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './run-command.mjs';

const RELATIVE_IMPORT = /(?:\bfrom|\bimport|\bimport\()\s*['"](\.[^'"]+)\.js['"]/g;

/** @type {{ exports: Record<string, string | { types?: string }> }} */
const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const entries = Object.values(exports)
  .flatMap((target) => (typeof target === 'object' && target.types ? [target.types] : []))
  .flatMap((path) => listFiles(path));

/** Resolves the pattern of an entry point, such as `./dist/types/*.d.ts`, to its files. @param {string} path */
function listFiles(path) {
  if (!path.includes('*')) return [join(ROOT, path)];
  const folder = join(ROOT, dirname(path));
  return readdirSync(folder).map((name) => join(folder, name));
}

/** Visits a declaration file and all that it imports. @param {string} file @param {Set<string>} visited */
function visit(file, visited) {
  if (visited.has(file) || !existsSync(file)) return;
  visited.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(RELATIVE_IMPORT)) {
    visit(join(dirname(file), `${path}.d.ts`), visited);
  }
}

/** @type {Set<string>} */
const reachable = new Set();
for (const entry of entries) visit(entry, reachable);
for (const path of readdirSync(join(ROOT, 'dist'), { recursive: true, encoding: 'utf8' })) {
  const file = join(ROOT, 'dist', path);
  if (file.endsWith('.d.ts') && !reachable.has(file)) rmSync(file);
}
