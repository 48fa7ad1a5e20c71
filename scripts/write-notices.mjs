/**
 * Writes the licences of the packages in `dist/bundle/`: a banner in each file, and `THIRD-PARTY-NOTICES.txt` with the full texts, in the
 * folder that a site deploys. No other folder of the package contains code of other packages. The packages of a file are read from its source
 * map. Classic scripts are marked as UTF-8.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from './run-command.mjs';

/** @typedef {{ name: string, version: string, license: string, text: string }} Package */

const FOLDER = join(ROOT, 'dist/bundle');
const NOTICES = 'THIRD-PARTY-NOTICES.txt';

/** @param {string} file @returns {any} */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

const own = readJson(join(ROOT, 'package.json'));

/** @type {Map<string, Package>} By folder: two versions of a package are two entries. */
const packages = new Map();

/** The licences, as in their repositories, of packages that contain none. */
const LICENCES = new Map([
  [
    '@cfworker/json-schema',
    `MIT License

Copyright (c) 2020 Jeremy Danyow

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
  ],
]);

/** @param {string} folder */
function readPackage(folder) {
  const { name, version, license } = readJson(join(folder, 'package.json'));
  const known = LICENCES.get(name);
  if (known) return { name, version, license, text: known };
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file || !license) {
    throw new Error(
      `${name} is bundled but has no licence text. Remove the package, or let readPackage return its licence and text.`,
    );
  }
  const text = readFileSync(join(folder, file), 'utf8').trim();
  // A choice of licences is in parentheses: (MPL-2.0 OR Apache-2.0).
  return { name, version, license: license.replace(/^\(|\)$/g, ''), text };
}

/**
 * The packages that a bundled file contains, by the sources in its map.
 *
 * @param {string} map
 * @param {readonly string[]} sources
 */
function listPackages(map, sources) {
  /** @type {Set<Package>} */
  const found = new Set();
  for (const source of sources) {
    const path = resolve(map, '..', source);
    const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
    if (!folder) continue;
    if (!packages.has(folder)) packages.set(folder, readPackage(folder));
    found.add(/** @type {Package} */ (packages.get(folder)));
  }
  return [...found].sort((left, right) => left.name.localeCompare(right.name));
}

/**
 * The first character of the classic scripts. A browser decodes a script without a charset in its content type in the encoding of the page,
 * which is not UTF-8 on older sites; a byte order mark takes precedence over that encoding. Modules are always UTF-8.
 */
const BYTE_ORDER_MARK = '\uFEFF';

/** @param {readonly Package[]} contained */
function formatBanner(contained) {
  const names = contained.map(({ name, version, license }) => `${name} ${version} (${license})`);
  const parts = [`${own.name} ${own.version} (${own.license})`, ...names];
  return `/*! ${parts.join(', ')}${names.length > 0 ? `; see ${NOTICES}` : ''} */\n`;
}

/** @param {readonly Package[]} all */
function formatNotices(all) {
  const head = `The files in bundle/ of ${own.name} ${own.version} contain the following packages.\n`;
  const entries = all.map(
    ({ name, version, license, text }) =>
      `${'-'.repeat(78)}\n${name} ${version} (${license})\n\n${text}\n`,
  );
  return [head, ...entries].join('\n');
}

for (const entry of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })) {
  if (!entry.endsWith('.js.map')) continue;
  const map = join(FOLDER, entry);
  const content = readJson(map);
  const banner = formatBanner(listPackages(map, content.sources));
  const file = map.slice(0, -'.map'.length);
  // The classic script and the module are the same code and share one map.
  for (const path of [file, file.replace(/js$/, 'mjs')]) {
    if (readdirSync(join(path, '..')).includes(path.replace(/.*\//, ''))) {
      const mark = path.endsWith('.min.js') ? BYTE_ORDER_MARK : '';
      writeFileSync(path, mark + banner + readFileSync(path, 'utf8'));
    }
  }
  // The banner is one line, which moves all others down by one.
  writeFileSync(map, JSON.stringify({ ...content, mappings: `;${content.mappings}` }));
}

const sorted = [...packages.values()].sort((left, right) => left.name.localeCompare(right.name));
writeFileSync(join(FOLDER, NOTICES), formatNotices(sorted));
