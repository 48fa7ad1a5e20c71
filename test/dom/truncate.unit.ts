import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { clusterStart, firstUnits, truncate } from '../../src/dom/truncate.js';

const { Segmenter } = Intl;

afterEach(() => Object.assign(Intl, { Segmenter }));

/** Grapheme clusters of more than one UTF-16 unit. */
const CLUSTERS = {
  'surrogate pair': '😀',
  'combining mark': 'e\u0301',
  'consonant with a vowel sign': 'कि',
  'joined emoji': '👨\u200d👩\u200d👧\u200d👦',
  'emoji with a skin tone': '👍🏽',
  'variation selector': '☀\ufe0f',
  flag: '🇩🇪',
};

for (const [name, cluster] of Object.entries(CLUSTERS)) {
  test(`truncate does not split a grapheme cluster (${name})`, () => {
    for (const before of ['', 'abc', '😀', '🇩🇪', 'x'.repeat(100)]) {
      const text = `${before}${cluster}z`;
      const end = before.length + cluster.length;
      for (let at = before.length + 1; at < end; at += 1) {
        assert.equal(clusterStart(text, at), before.length);
        assert.equal(firstUnits(text, at), before);
        assert.equal(truncate(text, at), `${before}…`);
      }
      assert.equal(truncate(text, end), `${before}${cluster}…`);
      assert.equal(truncate(text, end + 1), text);
    }
  });
}

test('truncate returns a text of the given length unchanged', () => {
  assert.equal(truncate('abc', 3), 'abc');
  assert.equal(truncate('abcd', 3), 'abc…');
});

test('clusterStart returns a position outside of the text unchanged', () => {
  for (const at of [-5, 0, 2, 7]) assert.equal(clusterStart('😀', at), at);
});

test('truncate splits a cluster that is longer than any emoji sequence', () => {
  const marks = '\u0301'.repeat(1000);
  assert.ok(truncate(`e${marks}`, 500).length > 400);
});

test('truncate keeps surrogate pairs whole without Intl.Segmenter', () => {
  Reflect.deleteProperty(Intl, 'Segmenter');
  assert.equal(truncate('ab😀c', 3), 'ab…');
  assert.equal(truncate('ab😀c', 4), 'ab😀…');
  assert.equal(truncate('😀c', 1), '…');
  assert.equal(truncate('abc', 2), 'ab…');
});
