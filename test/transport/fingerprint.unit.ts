import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprint } from '../../src/transport/fingerprint.js';

const LONG = '{"content":"the same words again and again","step":1,"type":"response_chunk"}'.repeat(
  8,
);

test('is the same for equal texts', () => {
  assert.equal(fingerprint(`${LONG.slice(0, 20)}${LONG.slice(20)}`), fingerprint(LONG));
});

test('is short for long texts, and the text itself for short ones', () => {
  assert.ok(fingerprint('x'.repeat(1 << 20)).length < 40);
  assert.equal(fingerprint('{"a":1}'), '{"a":1}');
});

test('tells 300,000 texts apart that differ in one place', () => {
  const seen = new Set<string>();
  let count = 0;
  for (let at = 0; at < LONG.length; at += 4) {
    for (let unit = 0; unit < 2000; unit++, count++) {
      const other = String.fromCharCode(unit * 32 + 1);
      seen.add(fingerprint(LONG.slice(0, at) + other + LONG.slice(at + 1)));
    }
  }
  // A place may be replaced by itself.
  assert.ok(count - seen.size <= LONG.length / 4, `${count - seen.size} of ${count} met`);
});

test('tells texts apart that differ in order, in length, or in zeros at the end', () => {
  const texts = Array.from({ length: 200 }, (_, length) => '\0'.repeat(600 + length));
  const words = Array.from({ length: 100 }, (_, index) => `word${index} `);
  for (let turn = 0; turn < 100; turn++) {
    texts.push([...words.slice(turn), ...words.slice(0, turn)].join(''));
  }
  assert.equal(new Set(texts.map(fingerprint)).size, texts.length);
});
