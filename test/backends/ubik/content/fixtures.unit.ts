import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseContent } from '../../../../src/backends/ubik/content/content-parser.js';
import { readContentFixtures } from './content-fixtures.js';
import { printParts } from './outline.js';

for (const { name, text, parts: outline } of readContentFixtures()) {
  test(`reads ${name}`, () => {
    assert.equal(printParts(parseContent(text)), outline);
  });
}
