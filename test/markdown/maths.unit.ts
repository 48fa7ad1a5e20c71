import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFormulas } from '../../src/markdown/extras/maths.js';

/** A text that counts how often it is looked at. */
function countLooks(source: string): { text: string; looks(): number } {
  let looks = 0;
  const text = Object.assign(Object(source) as string, {
    startsWith(sign: string, at: number) {
      looks += 1;
      return source.startsWith(sign, at);
    },
  });
  return { text, looks: () => looks };
}

test('Formulas that never end are looked for once, not once for each beginning', () => {
  for (const sign of ['\\(', '\\[', '$a ', '$$a ', '\\(a$b ', '$$\\[']) {
    const { text, looks } = countLooks(sign.repeat(2000));
    findFormulas(text);
    assert.ok(looks() < 20 * text.length, `${sign}: ${looks() / text.length} for each letter`);
  }
});

test('A formula is found behind one that never ends', () => {
  const text = 'an \\(open one and $x$, then \n\n\\(y\\) and \\[z\\] and $$ w';
  const found = findFormulas(text).map(({ source }) => source);
  assert.deepEqual(found, ['x', 'y', 'z']);
});

test('Formulas in code are none, and code that does not end is no code', () => {
  const sources = (text: string): string[] => findFormulas(text).map(({ source }) => source);
  assert.deepEqual(sources('`$a$` and ``b `$b$` b`` and $c$'), ['c']);
  assert.deepEqual(sources('`$a$ and $b$'), ['a', 'b']);
  // The code would be longer than a formula may be.
  assert.deepEqual(sources(`\`$a$${' '.repeat(5000)}\``), ['a']);
});
