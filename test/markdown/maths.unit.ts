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
