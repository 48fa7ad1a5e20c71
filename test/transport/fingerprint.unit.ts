import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprint } from '../../src/transport/fingerprint.js';
import { isExhaustive } from '../helpers/sample.js';

const LONG = '{"content":"the same words again and again","step":1,"type":"response_chunk"}'.repeat(
  8,
);

test('fingerprint is equal for equal texts', () => {
  assert.equal(fingerprint(`${LONG.slice(0, 20)}${LONG.slice(20)}`), fingerprint(LONG));
});

test('fingerprint is short for a long text and the text itself for a short one', () => {
  assert.ok(fingerprint('x'.repeat(1 << 20)).length < 40);
  assert.equal(fingerprint('{"a":1}'), '{"a":1}');
});

test('fingerprint differs for texts that differ in one character', () => {
  const seen = new Set<string>();
  let count = 0;
  const step = isExhaustive ? 4 : 16;
  for (let at = 0; at < LONG.length; at += step) {
    for (let unit = 0; unit < 2000; unit++, count++) {
      const other = String.fromCharCode(unit * 32 + 1);
      seen.add(fingerprint(LONG.slice(0, at) + other + LONG.slice(at + 1)));
    }
  }
  // At each position, at most one replacement is the original character, which leaves the text unchanged.
  assert.ok(count - seen.size <= LONG.length / step, `${count - seen.size} of ${count} collide`);
});

test('fingerprint differs for texts that differ in order, length or trailing NULs', () => {
  const texts = Array.from({ length: 200 }, (_, length) => '\0'.repeat(600 + length));
  const words = Array.from({ length: 100 }, (_, index) => `word${index} `);
  for (let turn = 0; turn < 100; turn++) {
    texts.push([...words.slice(turn), ...words.slice(0, turn)].join(''));
  }
  assert.equal(new Set(texts.map(fingerprint)).size, texts.length);
});
