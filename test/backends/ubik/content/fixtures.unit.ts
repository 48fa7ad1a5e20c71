import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseContent } from '../../../../src/backends/ubik/content/content-parser.js';
import { readContentFixtures } from './content-fixtures.js';
import { outlineOf } from './outline.js';

for (const { name, text, outline } of readContentFixtures()) {
  test(`reads ${name}`, () => {
    assert.equal(outlineOf(parseContent(text)), outline);
  });
}
