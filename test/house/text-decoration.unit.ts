import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';

const SOURCES = new URL('../../src/', import.meta.url);

suite('The looks of the elements', () => {
  test('are drawn in Safari, which takes nothing but a line for text-decoration', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
    const found = files
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        const source = readFileSync(new URL(file, SOURCES), 'utf8');
        return [...source.matchAll(/text-decoration:\s*[\w-]+\s+[^;}]+/g)].map(([rule]) => rule);
      });
    assert.deepEqual(found, []);
  });
});
