import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Inline code that names a file or a folder: with a slash inside, or with the extension of a file. */
const PATH = /^[\w.][\w.*…-]*(?:(?:\/[\w.*…-]+)+\/?|\/|\.(?:ts|m?js|css|html|php|po|json|md|yml))$/;
/** Stands for any name in a recipe. */
const PLACEHOLDER = /\b(?:NAME|TAG)\b|[*…]/;

/** All files of the repository that git does not ignore, and their folders. */
function listPaths(): ReadonlySet<string> {
  const command = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const listed = execFileSync('git', command, { cwd: ROOT, encoding: 'utf8' });
  const files = listed.split('\0').filter((file) => file !== '' && existsSync(join(ROOT, file)));
  if (files.length === 0) throw new Error('git lists no files: run the tests in a clone.');
  const folders = files.flatMap((file) => {
    const names = file.split('/').slice(0, -1);
    return names.map((_name, at) => names.slice(0, at + 1).join('/'));
  });
  return new Set([...files, ...folders]);
}

const known = listPaths();

/** Returns the file or folder at a path, which may contain placeholders. */
function findPath(path: string): string | undefined {
  const pieces = path.split(PLACEHOLDER);
  if (pieces.length === 1) return known.has(path) ? path : undefined;
  const literals = pieces.map((piece) => piece.replaceAll('.', '\\.'));
  const pattern = new RegExp(`^${literals.join('[^/]+')}$`);
  return [...known].find((each) => pattern.test(each));
}

const isFile = (path: string): boolean => /\.\w+$/.test(path);
const folderOf = (path: string): string => (isFile(path) ? posix.dirname(path) : path);

/**
 * Resolves the paths in a line as its readers do: beside the path before them, in the folder of the first one, in the repository, or in
 * `src`. A path that does not exist resolves to undefined.
 */
function resolvePaths(line: string): (readonly [path: string, found: string | undefined])[] {
  const folders: string[] = [];
  const codes = [...line.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  const paths = codes.filter((code) => PATH.test(code));
  return paths.map((path) => {
    const bases = [...folders.slice(-1), ...folders.slice(0, 1), '', 'src'];
    const found = bases
      .map((base) => findPath(posix.join(base, path.replace(/\/$/, ''))))
      .find((each) => each !== undefined);
    if (found !== undefined) folders.push(folderOf(found));
    return [path, found] as const;
  });
}

/** The paths in a line that name nothing. */
const findDead = (line: string): readonly string[] =>
  resolvePaths(line).flatMap(([path, found]) => (found === undefined ? [path] : []));

suite('paths in the architecture document', () => {
  test('name files and folders that exist', () => {
    const document = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
    const lines = document.replaceAll(/^```.*?^```$/gms, '').split('\n');
    assert.ok(lines.flatMap(resolvePaths).length > 300);
    assert.deepEqual(lines.flatMap(findDead), []);
  });

  test('resolve in the repository, in `src`, and beside other paths of the row', () => {
    const row = '| `src/model` | `store.ts`, `server/proxy.ts`, `routes.ts`, `text.ts` |';
    assert.deepEqual(resolvePaths(row), [
      ['src/model', 'src/model'],
      ['store.ts', 'src/model/store.ts'],
      ['server/proxy.ts', 'server/proxy.ts'],
      ['routes.ts', 'server/routes.ts'],
      ['text.ts', 'src/model/text.ts'],
    ]);
    assert.deepEqual(findDead('| `locales/TAG.ts` | `en-….ts`, `src/backends/NAME` |'), []);
  });

  test('resolve neither to a missing file nor to a file of another folder', () => {
    const missing = 'controller/run/run-course.ts';
    assert.deepEqual(findDead(`| a run | \`${missing}\` |`), [missing]);
    assert.deepEqual(findDead('| `model/store.ts`, `proxy.ts`, `src/NAME/missing.ts` |'), [
      'proxy.ts',
      'src/NAME/missing.ts',
    ]);
  });
});
