import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BINARY = /\.(png|jpe?g|webp|gif|ico|woff2?|pdf|zip|sqlite3?)$/;

/** Text files under version control that are still there. */
function listTracked(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
  const files = listed.split('\0').filter((file) => file !== '' && existsSync(join(ROOT, file)));
  if (files.length === 0) throw new Error('git lists no files: run the tests in a clone.');
  return files.filter((file) => !BINARY.test(file));
}

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const tracked = listTracked();

/** `file:line` of every line that matches. */
function find(expression: RegExp, files = tracked): string[] {
  return files.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, index) => (expression.test(line) ? [`${file}:${String(index + 1)}`] : [])),
  );
}

/** Written in pieces, so that this file does not find itself. */
const either = (...names: readonly (readonly string[])[]): RegExp =>
  new RegExp(names.map((pieces) => pieces.join('')).join('|'), 'i');

suite('the repository', () => {
  test('names no host of a package registry', () => {
    const hosts = either(
      ['registry\\.', '(npmjs|yarnpkg|npmmirror)'],
      ['npmjs\\.', 'org'],
      ['\\b(deb|security|snapshot)\\.', 'debian\\.org'],
      ['(pypi|files\\.pythonhosted)\\.', 'org'],
      ['"reso', 'lved"\\s*:'],
    );
    assert.deepEqual(find(hosts), []);
  });

  test('names no path of a machine', () => {
    const paths = either(
      ['(^|[\\s"\'`(=:])/(wo', 'rk|far', 'm|ro', 'ot)/'],
      ['/ho', 'me/\\w+/'],
      ['/Us', 'ers/\\w+/'],
      ['[a-z]:\\\\\\\\?Us', 'ers\\\\'],
    );
    assert.deepEqual(find(paths), []);
  });

  test('asks npm to keep addresses out of the lock file', () => {
    assert.match(read('.npmrc'), /^omit-lockfile-registry-resolved=true$/m);
    const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, object> };
    const entries = Object.entries(lock.packages).filter(([name]) => name !== '');
    assert.ok(entries.length > 100);
    assert.deepEqual(
      entries.filter(([, entry]) => 'resolved' in entry).map(([name]) => name),
      [],
    );
    // Without an address the check sum is all that says which tarball is meant.
    assert.deepEqual(
      entries.filter(([, entry]) => !('integrity' in entry)).map(([name]) => name),
      [],
    );
  });

  test('pins every package to one version, and the lock to the same', () => {
    type Lists = Record<'dependencies' | 'devDependencies', Record<string, string>>;
    const manifest = JSON.parse(read('package.json')) as Lists;
    const lock = JSON.parse(read('package-lock.json')) as { packages: { '': Lists } };
    for (const list of ['dependencies', 'devDependencies'] as const) {
      for (const [name, version] of Object.entries(manifest[list])) {
        assert.match(
          version,
          /^(?:npm:[a-z]+@)?\d+\.\d+\.\d+$/,
          `${name} is not pinned: ${version}`,
        );
      }
      assert.deepEqual(lock.packages[''][list], manifest[list]);
    }
  });

  test('has no link in its documents that leads nowhere', () => {
    const dead = tracked
      .filter((file) => file.endsWith('.md') && !file.startsWith('test/'))
      .flatMap((file) =>
        [...read(file).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
          .map((match) => match[1] ?? '')
          .filter((target) => !/^[a-z]+:/.test(target))
          .filter((target) => !existsSync(join(ROOT, dirname(file), target)))
          .map((target) => `${file} → ${target}`),
      );
    assert.deepEqual(dead, []);
  });

  test('numbers its decisions once', () => {
    const numbers = tracked
      .map((file) => /^docs\/decisions\/(\d{4})-/.exec(file)?.[1])
      .filter((number) => number !== undefined);
    assert.ok(numbers.length > 0);
    assert.deepEqual(numbers, [...new Set(numbers)]);
  });

  test('tests itself with the two commands of the README and nothing else', () => {
    assert.ok((statSync(join(ROOT, '.ci/run')).mode & 0o111) !== 0, '.ci/run cannot be executed.');
    const commands = read('.ci/run')
      .split('\n')
      .filter((line) => /\bnpm\b/.test(line));
    assert.deepEqual(commands, ['npm ci', 'npm test']);
    assert.match(read('README.md'), /npm ci && npm test/);
    assert.match(read('README.md'), /npm ci && npm start/);
  });
});
