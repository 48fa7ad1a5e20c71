import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { STEPS } from '../../scripts/test-steps.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BINARY = /\.(png|jpe?g|webp|gif|ico|woff2?|pdf|zip|sqlite3?)$/;

/** Existing text files under version control. */
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

/** Anchors of the headings of a document, as GitHub derives them. Equal headings are numbered. */
function listAnchors(document: string): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const prose = document.replaceAll(/^```.*?^```/gms, '');
  for (const [, heading = ''] of prose.matchAll(/^#{1,6} (.*)$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = words.replaceAll(/[^\p{L}\p{M}\p{N}_ -]/gu, '').replaceAll(' ', '-');
    counts.set(anchor, (counts.get(anchor) ?? 0) + 1);
  }
  return new Set(
    [...counts].flatMap(([anchor, count]) =>
      Array.from({ length: count }, (_, at) => (at === 0 ? anchor : `${anchor}-${String(at)}`)),
    ),
  );
}

/** Matches any of the names, which are split so that this file does not match itself. */
const matchAny = (...names: readonly (readonly string[])[]): RegExp =>
  new RegExp(names.map((pieces) => pieces.join('')).join('|'), 'i');

suite('the repository', () => {
  test('contains no host of a package registry', () => {
    const hosts = matchAny(
      ['registry\\.', '(npmjs|yarnpkg|npmmirror)'],
      ['npmjs\\.', 'org'],
      ['\\b(deb|security|snapshot)\\.', 'debian\\.org'],
      ['(pypi|files\\.pythonhosted)\\.', 'org'],
      ['"reso', 'lved"\\s*:'],
    );
    assert.deepEqual(find(hosts), []);
  });

  test('contains no path of a developer machine', () => {
    const paths = matchAny(
      ['(^|[\\s"\'`(=:])/(wo', 'rk|far', 'm|ro', 'ot)/'],
      ['/ho', 'me/\\w+/'],
      ['/Us', 'ers/\\w+/'],
      ['[a-z]:\\\\\\\\?Us', 'ers\\\\'],
    );
    assert.deepEqual(find(paths), []);
  });

  test('contains no access token', () => {
    const tokens = matchAny(
      ['\\beyJ[\\w-]{8,}', '\\.eyJ[\\w-]{8,}\\.'],
      ['\\bory', '_[a-z]{2}_[\\w-]{20,}'],
      ['\\bsk', '-[a-z0-9]{32,}'],
      ['\\bgh[pousr]', '_[a-z0-9]{30,}'],
      ['\\bgithub', '_pat_\\w{30,}'],
      ['-----BEGIN ', '[A-Z ]*PRIVATE KEY'],
    );
    assert.deepEqual(find(tokens), []);
  });

  test('contains valid UTF-8 without replacement characters', () => {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    // Fixtures contain what a service has sent, which may be invalid.
    const own = tracked.filter((file) => !file.startsWith('test/fixtures/'));
    const broken = own.filter((file) => {
      try {
        return decoder.decode(readFileSync(join(ROOT, file))).includes('\uFFFD');
      } catch {
        return true;
      }
    });
    assert.deepEqual(broken, []);
  });

  test('has a lock file without registry URLs', () => {
    assert.match(read('.npmrc'), /^omit-lockfile-registry-resolved=true$/m);
    const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, object> };
    const entries = Object.entries(lock.packages).filter(([name]) => name !== '');
    assert.ok(entries.length > 100);
    assert.deepEqual(
      entries.filter(([, entry]) => 'resolved' in entry).map(([name]) => name),
      [],
    );
    // Without a URL, the checksum alone identifies the tarball.
    assert.deepEqual(
      entries.filter(([, entry]) => !('integrity' in entry)).map(([name]) => name),
      [],
    );
  });

  test('pins every package to one version in the lock file, and declares ranges only for runtime dependencies', () => {
    type Lists = Record<'dependencies' | 'devDependencies', Record<string, string>>;
    type Entry = { readonly version?: string };
    const manifest = JSON.parse(read('package.json')) as Lists;
    const lock = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, Entry> & { '': Lists };
    };
    for (const list of ['dependencies', 'devDependencies'] as const) {
      assert.deepEqual(lock.packages[''][list], manifest[list]);
    }
    for (const [name, version] of Object.entries(manifest.devDependencies)) {
      assert.match(version, /^(?:npm:[a-z]+@)?\d+\.\d+\.\d+$/, `${name} is not pinned: ${version}`);
    }
    for (const [name, range] of Object.entries(manifest.dependencies)) {
      // The tests run with the lowest version of the range, so that the range is no wider than what is tested.
      assert.equal(range, `^${lock.packages[`node_modules/${name}`]?.version ?? ''}`);
    }
  });

  test('has no dead relative links in its documents', () => {
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

  test('has no link to a missing heading in its documents', () => {
    const documents = tracked.filter((file) => file.endsWith('.md') && !file.startsWith('test/'));
    const anchors = new Map(documents.map((file) => [file, listAnchors(read(file))]));
    const dead = documents.flatMap((file) =>
      [...read(file).matchAll(/\]\(([^)#\s:]*)#([^)\s]+)\)/g)]
        .filter(([, target = '', anchor = '']) => {
          const path = target === '' ? file : join(dirname(file), target);
          return anchors.get(path)?.has(anchor) === false;
        })
        .map(([, target = '', anchor = '']) => `${file} → ${target}#${anchor}`),
    );
    assert.deepEqual(dead, []);
  });

  test('has unique decision numbers', () => {
    const numbers = tracked
      .map((file) => /^docs\/decisions\/(\d{4})-/.exec(file)?.[1])
      .filter((number) => number !== undefined);
    assert.ok(numbers.length > 0);
    assert.deepEqual(numbers, [...new Set(numbers)]);
  });

  test('runs the test commands of the README in CI, and names all suites', () => {
    assert.ok((statSync(join(ROOT, '.ci/run')).mode & 0o111) !== 0, '.ci/run cannot be executed.');
    const commands = read('.ci/run');
    assert.deepEqual(commands.match(/^npm .+$/gm), ['npm ci', 'npm run test:all']);
    const all = read('package.json').match(/'npm [^']+'/g);
    assert.deepEqual(all, [
      "'npm test'",
      "'npm run test:pages'",
      "'npm run test:hosts'",
      "'npm run test:cms -- --install'",
      "'npm run test:engines -- --install'",
    ]);
    const readme = read('README.md');
    assert.match(readme, /^npm ci && npm start/m);
    assert.match(readme, /^npm ci && npm test/m);
    for (const suite of ['pages', 'hosts', 'cms', 'engines']) {
      assert.match(readme, new RegExp(`^npm run test:${suite} `, 'm'));
    }
  });

  test('runs each step, each end-to-end test and each performance test in npm test or npm run test:pages', () => {
    const pages = /"test:pages": "node scripts\/test\.mjs ([^"]+)"/.exec(read('package.json'))?.[1];
    assert.deepEqual(pages?.split(' '), [
      'build',
      ...STEPS.filter(({ separate }) => separate).map(({ name }) => name),
    ]);
    const isListed = (file: string): boolean =>
      file.endsWith('.e2e.ts') || /^test\/performance\/.*\.test\.ts$/.test(file);
    const tests = STEPS.flatMap(({ command }) => command).filter(isListed);
    assert.deepEqual(tests.sort(), tracked.filter(isListed));
  });
});
