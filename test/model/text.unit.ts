import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GrowingText } from '../../src/model/text.js';
import { createRandom, pickIndex } from '../helpers/seeded-random.js';

test('GrowingText reads appended text from any position', () => {
  const text = new GrowingText('Hello');
  text.append(', ');
  text.append('world');
  assert.equal(text.read(), 'Hello, world');
  assert.equal(text.read(5), ', world');
  assert.equal(text.read(12), '');
  assert.equal(text.length, 12);
});

test('GrowingText increases its revision with a truncation only', () => {
  const text = new GrowingText('Hello');
  text.append('!');
  assert.equal(text.revision, 0);
  text.truncate(2);
  assert.equal(text.revision, 1);
  assert.equal(text.read(), 'He');
  text.truncate(2);
  assert.equal(text.revision, 1, 'a truncation at the end removes nothing');
});

test('GrowingText behaves like a string, and knows the unchanged length since each revision', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = createRandom(seed);
    const text = new GrowingText();
    let expected = '';
    const seen: { revision: number; text: string }[] = [];
    for (let round = 0; round < 40; round += 1) {
      seen.push({ revision: text.revision, text: expected });
      if (random() < 0.7) {
        const piece = 'abcdefgh'.slice(0, pickIndex(random, 9));
        text.append(piece);
        expected += piece;
      } else {
        const at = pickIndex(random, expected.length + 1);
        text.truncate(at);
        expected = expected.slice(0, at);
      }
      assert.equal(text.read(), expected, `seed ${String(seed)}`);
      const from = pickIndex(random, expected.length + 2);
      assert.equal(text.read(from), expected.slice(from));
    }
    for (const earlier of seen) {
      const kept = Math.min(text.unchangedLength(earlier.revision), earlier.text.length);
      assert.ok(expected.startsWith(earlier.text.slice(0, kept)), `seed ${String(seed)}`);
    }
  }
});

test('unchangedLength returns the lowest truncation, and the length without one', () => {
  const text = new GrowingText('0123456789');
  const before = text.revision;
  assert.equal(text.unchangedLength(before), 10);
  text.truncate(4);
  text.append('abcdef');
  text.truncate(8);
  assert.equal(text.unchangedLength(before), 4);
  assert.equal(text.unchangedLength(before + 1), 8);
  assert.equal(text.unchangedLength(text.revision), 8);
});

test('GrowingText reads each of 50,000 appended pieces', () => {
  const text = new GrowingText();
  for (let index = 0; index < 50_000; index += 1) {
    const from = text.length;
    const piece = `piece ${String(index)}`;
    text.append(piece);
    assert.equal(text.read(from), piece);
  }
});
