import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  PrefixComparison,
  type ComparedSide,
} from '../../../../src/backends/data-agent/projection/prefix-comparison.js';
import { seedsUpTo } from '../../../helpers/sample.js';
import { createRandom, pickIndex, pickOne } from '../../../helpers/seeded-random.js';

suite('comparison of two growing texts', () => {
  test('matches while one text is a prefix of the other', () => {
    const comparison = new PrefixComparison();
    comparison.append('final', 'North ho');
    comparison.append('step', 'North');
    assert.ok(comparison.matches);
    comparison.append('step', ' holds the most');
    assert.ok(comparison.matches);
    comparison.append('final', 'lds a lot');
    assert.ok(!comparison.matches);
  });

  test('stays unmatched after a difference', () => {
    const comparison = new PrefixComparison();
    comparison.append('step', 'a');
    comparison.append('final', 'b');
    comparison.append('step', 'b');
    assert.ok(!comparison.matches);
  });

  test('ignores leading white space', () => {
    const comparison = new PrefixComparison();
    comparison.append('step', '\n');
    assert.ok(!comparison.hasText('step'));
    comparison.append('step', ' a');
    comparison.append('final', 'a b');
    assert.ok(comparison.matches && comparison.hasText('step') && comparison.hasText('final'));
  });

  test('has the same result as a comparison of the whole texts', () => {
    for (const seed of seedsUpTo(5000)) {
      const random = createRandom(seed);
      const comparison = new PrefixComparison();
      const texts = { step: '', final: '' };
      for (let piece = 0; piece < 12; piece += 1) {
        const side = pickOne<ComparedSide>(random, ['step', 'final']);
        // Few letters, so that long texts match by chance.
        const letters = pickOne(random, ['a', 'aa', 'aaa', 'ab', ' ']);
        const text = letters.slice(0, 1 + pickIndex(random, letters.length));
        texts[side] += text;
        comparison.append(side, text);
        const [left, right] = [texts.step.trimStart(), texts.final.trimStart()];
        const expected = left.startsWith(right) || right.startsWith(left);
        assert.equal(comparison.matches, expected, `seed ${String(seed)}`);
      }
    }
  });
});
