import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const DIST = 'dist';
const BUNDLE = join(DIST, 'bundle');
const NOTICES = 'THIRD-PARTY-NOTICES.txt';
/** The package `lit` only re-exports these. */
const LIT = ['@lit/reactive-element', 'lit-element', 'lit-html'];

const read = (...path: string[]): string => readFileSync(join(...path), 'utf8');

const listFiles = (folder: string, ending: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => ending.test(file));

/** Packages that the sources import, read from the sources instead of the output of the build. */
function listImportedPackages(): string[] {
  const names = new Set<string>();
  for (const file of listFiles('src', /\.ts$/)) {
    // The last line of an import begins with `import` or `} from`; specifiers of packages do not begin with a dot.
    for (const [, name = ''] of read('src', file).matchAll(
      /^(?:import|\} from) .*?'((?:@[\w-]+\/)?[a-z][\w.-]*)/gm,
    )) {
      for (const part of name === 'lit' ? LIT : [name]) names.add(part);
    }
  }
  return [...names];
}

test('third-party notices contain name, version and full licence of every package that the sources import', () => {
  const notices = read(BUNDLE, NOTICES);
  const packages = listImportedPackages();
  assert.ok(packages.length >= 7, packages.join());
  for (const name of packages) {
    const folder = join('node_modules', name);
    const { version } = JSON.parse(read(folder, 'package.json')) as { version: string };
    assert.ok(notices.includes(`\n${name} ${version} (`), `${name} ${version} is missing`);
    const [licence] = readdirSync(folder).filter((file) => /^licen[cs]e/i.test(file));
    // A package without a licence file has the text of its repository (`scripts/write-notices.mjs`).
    const text = licence === undefined ? 'MIT License\n\nCopyright (c) ' : read(folder, licence);
    const [, own = ''] = notices.split(`\n${name} ${version} (`);
    assert.ok(own.includes(text.trim()), `the licence of ${name} is missing`);
  }
});

test('every bundled file begins with a banner that names the package, its version and the packages in it', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const files = listFiles(BUNDLE, /\.m?js$/);
  assert.ok(files.length > 50, String(files.length));
  for (const file of files) {
    const [banner = ''] = read(BUNDLE, file).split('\n', 1);
    // A classic script begins with a byte order mark.
    const text = banner.replace(/^\uFEFF/u, '');
    assert.ok(text.startsWith(`/*! ubik-elements ${version} (MIT)`), `${file}: ${text}`);
    const { sources } = JSON.parse(read(BUNDLE, `${file.replace(/mjs$/, 'js')}.map`)) as {
      sources: string[];
    };
    for (const source of sources) {
      const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
      if (name) assert.ok(banner.includes(`${name} `), `${file} contains ${name}`);
    }
  }
});

test('banner does not shift the source maps', async () => {
  const { SourceMap } = await import('node:module');
  const code = read(BUNDLE, 'ubik-elements.min.js').split('\n');
  const map = new SourceMap(JSON.parse(read(BUNDLE, 'ubik-elements.min.js.map')) as never);
  const line = code.findIndex((text) => text.includes('ubik-auth-required'));
  const column = code[line]?.indexOf('ubik-auth-required') ?? -1;
  const entry = map.findEntry(line, column);
  assert.ok('originalSource' in entry);
  const original = read(BUNDLE, entry.originalSource).split('\n')[entry.originalLine];
  assert.match(original ?? '', /ubik-auth-required/);
});
