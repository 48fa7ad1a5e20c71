import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const GALLERY = `${ROOT}demo/pages/gallery/`;

const read = (file: string): string => readFileSync(file, 'utf8');
const cases = readdirSync(`${GALLERY}cases`).map((file) => read(`${GALLERY}cases/${file}`));
const all = [...cases, read(`${GALLERY}kit/make.mjs`), read(`${GALLERY}kit/write.mjs`)].join('\n');

/** Returns the first group of every match of a pattern in a text. */
function findAll(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name]) => name ?? '');
}

test('gallery shows every element', () => {
  const tags = findAll(read(`${ROOT}custom-elements.json`), /"tagName": "([\w-]+)"/g);
  assert.ok(tags.length >= 10);
  assert.deepEqual(
    tags.filter((tag) => !all.includes(`make('${tag}'`)),
    [],
  );
});

test('gallery shows every kind of part', () => {
  const kinds = findAll(read(`${ROOT}src/model/part.ts`), /readonly kind: '([\w-]+)';/g);
  assert.ok(kinds.includes('text'));
  const live = read(`${GALLERY}kit/live.mjs`);
  // A citation is a mark in a text, not a part.
  assert.deepEqual(
    kinds.filter((kind) => kind !== 'citation' && !`${all}${live}`.includes(`kind: '${kind}'`)),
    [],
  );
});

test('gallery lists every module of cases', () => {
  const index = read(`${GALLERY}cases.mjs`);
  const modules = readdirSync(`${GALLERY}cases`);
  assert.deepEqual(
    modules.filter((file) => !index.includes(`'./cases/${file}'`)),
    [],
  );
});
