import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseContent } from '../../../../src/backends/ubik/content/content-parser.js';
import { printParts, readContentFixtures } from './content-fixtures.js';

for (const { name, text, parts: printed } of readContentFixtures()) {
  test(`content parser reads the fixture ${name}`, () => {
    assert.equal(printParts(parseContent(text)), printed);
  });
}
