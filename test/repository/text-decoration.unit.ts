import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';

const SOURCES = new URL('../../src/', import.meta.url);

suite('style sheets in src', () => {
  test('use text-decoration only with a line, because Safari ignores the shorthand', () => {
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
