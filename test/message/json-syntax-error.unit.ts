import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findJsonSyntaxError } from '../../src/message/request/validate-json.js';
import { createRandom, pickOne } from '../helpers/seeded-random.js';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('findJsonSyntaxError returns the position of the first unexpected token', () => {
  const faults: readonly (readonly [text: string, at: number])[] = [
    ['{"a": 1,}', 8],
    ['[1,]', 3],
    ['[,1]', 1],
    ['{,}', 1],
    ['{"a" 1}', 5],
    ['{"a": 1 "b": 2}', 8],
    ['{1: 2}', 1],
    ['{"a":}', 5],
    ['[1}', 2],
    ['{]', 1],
    ['1 2', 2],
    ['1,', 1],
    ['  nul', 2],
    ['01', 0],
    ['[1.]', 1],
    ['"a\nb"', 0],
    [':', 0],
    [']', 0],
    ['[1] ]', 4],
    ['{"a":1}}', 7],
  ];
  for (const [text, at] of faults) assert.equal(findJsonSyntaxError(text), at, text);
});

test('findJsonSyntaxError returns the end of a text that is incomplete', () => {
  for (const text of [
    '',
    '  ',
    '{',
    '[',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '[1,',
    '[[1]',
    '[1 ',
  ]) {
    assert.equal(findJsonSyntaxError(text), text.length, text);
  }
});

test('findJsonSyntaxError finds an error exactly when JSON.parse rejects the text', () => {
  const random = createRandom(4);
  const tokens = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"\\n"',
    '-1.5e3',
    'true',
    'null',
    ' ',
    '\n',
    'x',
  ];
  let valid = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const length = 1 + (round % 7);
    const text = Array.from({ length }, () => pickOne(random, tokens)).join('');
    const fault = findJsonSyntaxError(text);
    assert.equal(fault === null, isJson(text), JSON.stringify(text));
    if (fault === null) valid += 1;
  }
  assert.ok(valid > 500, `only ${String(valid)} of the texts are JSON`);
});
