import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createJsonScan,
  scanJson,
  standingOf,
} from '../../../../src/backends/ubik/tags/split/json-scan.js';
import { createRandom, pickIndex, pickOne } from '../../../helpers/seeded-random.js';

const PIECES = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '"a"',
  '"\\n"',
  '\\',
  '\\u00e9',
  '\\u00g',
  '0',
  '12',
  '-',
  '.5',
  'e+1',
  'E',
  'true',
  'fals',
  'null',
  ' ',
  '\n',
  '\t',
  'x',
  '😀',
  '\u0001',
  '01',
];

const VALUES = [
  '{"a": [1, -2.5e-3, "b\\"c\\u0041", true, null], "d": {}}',
  '[]',
  '"x"',
  '0',
  '-0.0',
  ' [ ] ',
  'null',
  '{"a":{"b":[[]]}}',
];

function standingAfter(text: string): string {
  const scan = createJsonScan();
  scanJson(scan, text);
  return standingOf(scan);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('knows a whole value as JSON.parse does', () => {
  for (let seed = 1; seed <= 30_000; seed += 1) {
    const random = createRandom(seed);
    const length = 1 + pickIndex(random, 8);
    const text = Array.from({ length }, () => pickOne(random, PIECES)).join('');
    assert.equal(standingAfter(text) === 'complete', isJson(text), JSON.stringify(text));
  }
});

test('no beginning of a value is broken, and what is broken stays so', () => {
  for (const value of VALUES) {
    for (let end = 0; end <= value.length; end += 1) {
      assert.notEqual(standingAfter(value.slice(0, end)), 'broken', value.slice(0, end));
      assert.equal(standingAfter(value.slice(0, end)) === 'complete', isJson(value.slice(0, end)));
    }
    assert.equal(standingAfter(`${value}x${value}`), 'broken');
  }
});

test('tells the inside of a string from the rest', () => {
  for (const text of ['"', '["a', '{"a', '{"a": "b\\', '"\\u00']) {
    assert.equal(standingAfter(text), 'string', text);
  }
  for (const text of ['', '[', '{"a"', '{"a":', '[1,', 'tru', '-']) {
    assert.equal(standingAfter(text), 'partial', text);
  }
});

test('a value nested too deep is broken, not followed', () => {
  assert.equal(standingAfter('['.repeat(512) + ']'.repeat(512)), 'complete');
  assert.equal(standingAfter('['.repeat(513)), 'broken');
});

test('stops at the unit that breaks the value', () => {
  assert.equal(scanJson(createJsonScan(), '{"a": nul}   '), 10);
});
