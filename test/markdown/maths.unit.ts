import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFormulas } from '../../src/markdown/extras/maths.js';

/** A string that counts calls of `startsWith`. */
function createCountingString(source: string): { text: string; calls(): number } {
  let calls = 0;
  const text = Object.assign(Object(source) as string, {
    startsWith(prefix: string, at: number) {
      calls += 1;
      return source.startsWith(prefix, at);
    },
  });
  return { text, calls: () => calls };
}

test('findFormulas takes linear time for unclosed delimiters', () => {
  for (const delimiter of ['\\(', '\\[', '$a ', '$$a ', '\\(a$b ', '$$\\[']) {
    const { text, calls } = createCountingString(delimiter.repeat(2000));
    findFormulas(text);
    assert.ok(calls() < 20 * text.length, `${delimiter}: ${calls() / text.length} for each letter`);
  }
});

test('findFormulas finds a formula after an unclosed one', () => {
  const text = 'an \\(open one and $x$, then \n\n\\(y\\) and \\[z\\] and $$ w';
  const found = findFormulas(text).map(({ source }) => source);
  assert.deepEqual(found, ['x', 'y', 'z']);
});

test('findFormulas skips formulas in code, but not after an unclosed backtick', () => {
  const sources = (text: string): string[] => findFormulas(text).map(({ source }) => source);
  assert.deepEqual(sources('`$a$` and ``b `$b$` b`` and $c$'), ['c']);
  assert.deepEqual(sources('`$a$ and $b$'), ['a', 'b']);
  // The code span would be longer than the limit of a formula.
  assert.deepEqual(sources(`\`$a$${' '.repeat(5000)}\``), ['a']);
});
