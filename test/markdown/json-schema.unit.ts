import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateBySchema } from '../../src/markdown/extras/json-schema.js';

const SCHEMA = {
  type: 'object',
  required: ['row'],
  additionalProperties: false,
  properties: {
    row: { type: 'integer', minimum: 1 },
    guests: { type: 'array', items: { $ref: '#/$defs/guest' } },
  },
  $defs: { guest: { type: 'object', properties: { name: { type: 'string', minLength: 1 } } } },
};

test('validateBySchema accepts a value that matches', () => {
  assert.equal(validateBySchema({ row: 3, guests: [{ name: 'Ada' }] }, SCHEMA), '');
});

test('validateBySchema names the innermost value that does not match', () => {
  assert.match(validateBySchema({ guests: [] }, SCHEMA), /^#: .*row/);
  assert.match(validateBySchema({ row: 0 }, SCHEMA), /^#\/row: /);
  assert.match(
    validateBySchema({ row: 1, guests: [{}, { name: '' }] }, SCHEMA),
    /^#\/guests\/1\/name: /,
  );
  assert.match(validateBySchema('row', SCHEMA), /^#: .*string/);
});

test('validateBySchema treats `__proto__` as a property like any other', () => {
  const input = JSON.parse('{"row":1,"__proto__":{"row":"x"}}') as object;
  assert.notEqual(validateBySchema(input, SCHEMA), '');
  assert.equal(Object.hasOwn(Object.prototype, 'row'), false);
});
