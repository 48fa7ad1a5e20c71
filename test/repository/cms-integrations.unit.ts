/** Checks of the code of the CMS integrations, which run without a CMS. `npm run test:cms` drives the integrations in real ones. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';
import { readFolder } from '../../scripts/cms/bundle-files.mjs';
import {
  compareCatalog,
  findBlockTexts,
  findTexts,
  readCatalog,
  writeMachineCatalog,
} from '../../scripts/cms/translations.mjs';
import { createZip } from '../../scripts/cms/zip.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
};

const readSources = (folder: string): Map<string, string> =>
  new Map([...readFolder(join(ROOT, folder))].map(([name, content]) => [name, content.toString()]));

const wordpress = readSources('integrations/wordpress');
const mediawiki = readSources('integrations/mediawiki');
const php = [...wordpress].filter(([name]) => name.endsWith('.php'));

/** `file: line` of each line that matches. */
const findLines = (pattern: RegExp, files: Iterable<readonly [string, string]>): string[] =>
  [...files].flatMap(([name, source]) =>
    source
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${name}: ${line.trim()}`),
  );

suite('the WordPress plug-in', () => {
  test('has the version of the package in all places', () => {
    const read = (name: string): string => wordpress.get(name) ?? '';
    assert.match(read('ubik-chat.php'), new RegExp(`^ \\* Version: +${version}$`, 'm'));
    assert.match(read('ubik-chat.php'), new RegExp(`'UBIK_CHAT_VERSION', '${version}'`));
    assert.match(read('readme.txt'), new RegExp(`^Stable tag: ${version}$`, 'm'));
    assert.equal((JSON.parse(read('block/block.json')) as { version: string }).version, version);
  });

  test('has the same requirements in its header and in its readme', () => {
    for (const field of ['Requires at least', 'Requires PHP', 'License']) {
      const [header, readme] = ['ubik-chat.php', 'readme.txt'].map(
        (name) =>
          new RegExp(`^(?: \\* )?${field}: +(.+)$`, 'm').exec(wordpress.get(name) ?? '')?.[1],
      );
      assert.ok(header);
      assert.equal(header, readme, field);
    }
  });

  test('does nothing when a file is requested directly', () => {
    const unguarded = php.filter(
      ([, source]) => !/^defined\( '(?:ABSPATH|WP_UNINSTALL_PLUGIN)' \) \|\| exit;$/m.test(source),
    );
    assert.deepEqual(
      unguarded.map(([name]) => name),
      [],
    );
  });

  test('escapes what it prints', () => {
    const unescaped = findLines(/\becho (?!'|"<select \$common>"|esc_\w+\(|wp_kses_post\()/, php);
    assert.deepEqual(
      unescaped.filter((line) => !line.includes('phpcs:ignore')),
      [],
    );
  });

  test('unslashes and sanitizes what a request contains', () => {
    const raw = findLines(/\$_(?:GET|POST|COOKIE|REQUEST|SERVER)\b/, php);
    const allowed =
      /isset\([^)]*\) \? (?:(?:Settings::)?sanitize_\w+|esc_url_raw)\( wp_unslash\(|isset\( \$_GET\['settings-updated'\] \)|!== \$_SERVER\['REQUEST_METHOD'\]|\$_COOKIE\[ self::COOKIE \] = /;
    assert.deepEqual(
      raw.filter((line) => !allowed.test(line)),
      [],
    );
  });

  test('uses no function that plug-ins must not use, and no syntax newer than PHP 7.4', () => {
    const forbidden =
      /\b(?:eval|exec|system|passthru|shell_exec|base64_decode|curl_\w+|file_get_contents|var_dump|print_r|error_log)\s*\(|\?->|\bmatch\s*\(|\bstr_(?:contains|starts_with|ends_with)\(|\bfn\s*\(|\benum\b/;
    assert.deepEqual(findLines(forbidden, php), []);
  });

  test('has every text in its own text domain', () => {
    const calls = findLines(/\b(?:__|_e|esc_html__|esc_html_e|esc_attr__)\(/, [
      ...php,
      ...[...wordpress].filter(([name]) => name.endsWith('.js')),
    ]);
    assert.ok(calls.length > 40);
    assert.deepEqual(
      calls.filter((line) => !line.includes("'ubik-chat'")),
      [],
    );
  });

  test('is translated completely', () => {
    const texts = [...wordpress]
      .filter(([name]) => /\.(?:php|js)$/.test(name))
      .flatMap(([, source]) => findTexts(source));
    const blockTexts = findBlockTexts(wordpress.get('block/block.json') ?? '');
    const catalogs = [...wordpress].filter(([name]) => name.endsWith('.po'));
    assert.equal(catalogs.length, 6);
    for (const [name, source] of catalogs) {
      const catalog = readCatalog(source);
      const difference = compareCatalog([...texts, ...blockTexts.values()], catalog);
      assert.deepEqual(difference, { missing: [], unused: [] }, name);
    }
  });

  test('deletes every option that it stores', () => {
    const stored = [
      ...(wordpress.get('includes/class-settings.php') ?? '').matchAll(
        /const \w*OPTION\s+= '(\w+)'/g,
      ),
    ];
    assert.equal(stored.length, 3);
    for (const [, name] of stored) {
      assert.ok(wordpress.get('uninstall.php')?.includes(`delete_option( '${name ?? ''}' )`), name);
    }
  });
});

suite('the MediaWiki extension', () => {
  test('has the version of the package', () => {
    const manifest = JSON.parse(mediawiki.get('extension.json') ?? '{}') as { version?: string };
    assert.equal(manifest.version, version);
  });

  test('uses classes of MediaWiki by their namespaced names, because newer versions have no global ones, and no interfaces of hooks, which move', () => {
    const sources = [...mediawiki].filter(([name]) => name.endsWith('.php'));
    assert.ok(findLines(/^use MediaWiki\\Html\\Html;$/, sources).length > 0);
    assert.deepEqual(findLines(/^use (?:\w+|.*Hook);|[^\w\\'"]\\[A-Z]\w+::/, sources), []);
  });

  test('has the same messages in every language', () => {
    const languages = [...mediawiki].filter(([name]) => name.startsWith('i18n/'));
    assert.equal(languages.length, 8);
    const english = Object.keys(JSON.parse(mediawiki.get('i18n/en.json') ?? '{}') as object);
    for (const [name, source] of languages) {
      assert.deepEqual(Object.keys(JSON.parse(source) as object), english, name);
    }
  });
});

test('a zip file contains its files with their date, and is the same for the same files', () => {
  const files = new Map([
    ['b/two.txt', 'two '.repeat(100)],
    ['a.txt', 'one'],
  ]);
  const date = new Date('2026-11-29T17:30:42Z');
  const zip = createZip(files, date);
  assert.deepEqual(createZip(new Map([...files].reverse()), date), zip);
  const contents = new Map<string, string>();
  // Reads the local headers, which begin with this signature and have 30 bytes before the name.
  for (let at = 0; zip.readUInt32LE(at) === 0x04034b50;) {
    // In the format of MS-DOS: years since 1980, and seconds divided by two.
    const [time, day] = [zip.readUInt16LE(at + 10), zip.readUInt16LE(at + 12)];
    assert.deepEqual([1980 + (day >> 9), (day >> 5) & 15, day & 31], [2026, 11, 29]);
    assert.deepEqual([time >> 11, (time >> 5) & 63, (time & 31) * 2], [17, 30, 42]);
    const size = zip.readUInt32LE(at + 18);
    const start = at + 30 + zip.readUInt16LE(at + 26);
    const name = zip.subarray(at + 30, start).toString();
    contents.set(name, inflateRawSync(zip.subarray(start, start + size)).toString());
    at = start + size;
  }
  assert.deepEqual(contents, new Map([...files].sort()));
});

test('a machine catalogue has its texts in the order of their bytes', () => {
  const texts = new Map([
    ['Zebra', 'Zebra'],
    ['Apple', 'Apfel'],
  ]);
  const catalog = writeMachineCatalog('de_DE', texts, new Map([['block title', 'Apple']]));
  // The header has the number of texts at byte 8, and the positions of the tables of keys and translations at bytes 12 and 16.
  const count = catalog.readUInt32LE(8);
  const read = (table: number, index: number): string => {
    const at = catalog.readUInt32LE(table) + index * 8;
    const offset = catalog.readUInt32LE(at + 4);
    return catalog.subarray(offset, offset + catalog.readUInt32LE(at)).toString();
  };
  const entries = Array.from({ length: count }, (_, index) => [read(12, index), read(16, index)]);
  assert.deepEqual(entries.slice(1), [
    ['Apple', 'Apfel'],
    ['Zebra', 'Zebra'],
    ['block title\u0004Apple', 'Apfel'],
  ]);
});
