import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toSpokenText } from '../../src/elements/announcements/spoken-text.js';

test('toSpokenText removes Markdown syntax', () => {
  assert.equal(
    toSpokenText('## _Two_ __rivers__\n\n- **Rhine**, `Elbe`'),
    'Two rivers Rhine, Elbe',
  );
  assert.equal(toSpokenText('See [the list](https://example.com).'), 'See the list.');
  assert.equal(toSpokenText('[a](b_(c)) ![d](e) [f] (g)'), 'a d [f] (g)');
  assert.equal(toSpokenText('\n Two  rivers.\n'), 'Two rivers.');
});

test('toSpokenText keeps underscores within words, which are no emphasis', () => {
  assert.equal(toSpokenText('Call `web_search` or a__b.'), 'Call web_search or a__b.');
  assert.equal(toSpokenText('a__ b'), 'a b');
  assert.equal(toSpokenText('_größe_in_km_ and länge_2'), 'größe_in_km and länge_2');
});

test('toSpokenText keeps signs of multiplication, a single tilde and escaped characters', () => {
  assert.equal(toSpokenText('2 * 3 = 6, 2*3*4, *n* * (n + 1)'), '2 * 3 = 6, 2*3*4, n * (n + 1)');
  assert.equal(toSpokenText('2**3 = 2 ** 3 = **8**'), '2**3 = 2 ** 3 = 8');
  assert.equal(toSpokenText('Call \\_private and **_bold_**'), 'Call _private and bold');
  assert.equal(toSpokenText('About ~5 km, not ~~7~~ **8** km'), 'About ~5 km, not 7 8 km');
  assert.equal(toSpokenText('5 \\* 3 costs \\$5 \\_net\\_'), '5 * 3 costs $5 _net_');
  assert.equal(
    toSpokenText('It is *5 times* faster.\n    * nested'),
    'It is 5 times faster. nested',
  );
});
