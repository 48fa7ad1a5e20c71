import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprint } from '../../src/stream/fingerprint.js';
import { createRandom, pickIndex } from '../helpers/seeded-random.js';

test('is the same for equal texts', () => {
  const text = '{"content":"wörd 🧪","timestamp":"2026-01-01T00:00:00Z"}';
  assert.equal(fingerprint(`${text.slice(0, 20)}${text.slice(20)}`), fingerprint(text));
});

test('is short for long texts, and the text itself for short ones', () => {
  assert.ok(fingerprint('x'.repeat(1 << 20)).length < 20);
  assert.equal(fingerprint('{"a":1}'), '{"a":1}');
});

test('never takes a short text for the fingerprint of a long one', () => {
  const long = fingerprint('x'.repeat(100));
  assert.notEqual(fingerprint(long), long);
});

test('tells 300,000 texts apart that differ in one place', () => {
  const base = '{"content":"the same words again and again","step":1,"type":"response_chunk"}';
  const seen = new Set<string>();
  let count = 0;
  for (let at = 0; at < base.length; at++) {
    for (let unit = 0; unit < 4000; unit++, count++) {
      seen.add(
        fingerprint(base.slice(0, at) + String.fromCharCode(unit * 16 + 1) + base.slice(at + 1)),
      );
    }
  }
  assert.ok(
    count - seen.size <= base.length,
    'only a place that was replaced by itself may repeat',
  );
});

test('tells texts apart that differ in order, in length, or in zeros at the end', () => {
  const texts = Array.from({ length: 200 }, (_, length) => '\0'.repeat(length));
  const words = Array.from({ length: 60 }, (_, index) => `word${index} `);
  for (let turn = 0; turn < 60; turn++)
    texts.push([...words.slice(turn), ...words.slice(0, turn)].join(''));
  assert.equal(new Set(texts.map(fingerprint)).size, texts.length);
});

test('changes about half of its bits with every bit of the text', () => {
  const random = createRandom(1);
  const bits = (text: string) =>
    Array.from(fingerprint(text).slice(-8).split(''), (unit) =>
      unit.charCodeAt(0).toString(2).padStart(16, '0'),
    ).join('');
  let changed = 0;
  for (let round = 0; round < 2000; round++) {
    const text = Array.from({ length: 64 }, () =>
      String.fromCharCode(pickIndex(random, 65536)),
    ).join('');
    const at = pickIndex(random, 64);
    const unit = text.charCodeAt(at) ^ (1 << pickIndex(random, 16));
    const other = text.slice(0, at) + String.fromCharCode(unit) + text.slice(at + 1);
    const before = bits(text);
    const flipped = Array.from(bits(other)).filter((bit, index) => bit !== before[index]).length;
    assert.ok(flipped > 30 && flipped < 98, `${flipped} of 128 bits`);
    changed += flipped;
  }
  assert.ok(Math.abs(changed / 2000 - 64) < 1, `${changed / 2000} bits on average`);
});
