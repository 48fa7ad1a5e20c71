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

const sourcesOf = (text: string): string[] => findFormulas(text).map(({ source }) => source);

test('findFormulas takes linear time for unclosed delimiters', () => {
  for (const delimiter of ['\\(', '\\[', '$a ', '$$a ', '\\(a$b ', '$$\\[']) {
    const { text, calls } = createCountingString(delimiter.repeat(2000));
    findFormulas(text);
    assert.ok(calls() < 20 * text.length, `${delimiter}: ${calls() / text.length} for each letter`);
  }
});

test('findFormulas finds a formula after an unclosed one', () => {
  const text = 'an \\(open one and $x$, then \n\n\\(y\\) and \\[z\\] and $$ w';
  assert.deepEqual(sourcesOf(text), ['x', 'y', 'z']);
});

test('findFormulas skips formulas in code, but not after an unclosed backtick', () => {
  assert.deepEqual(sourcesOf('`$a$` and ``b `$b$` b`` and $c$'), ['c']);
  assert.deepEqual(sourcesOf('`$a$ and $b$'), ['a', 'b']);
  // The code span would be longer than the limit of a formula.
  assert.deepEqual(sourcesOf(`\`$a$${' '.repeat(5000)}\``), ['a']);
});

test('findFormulas returns the range, the source and the display of each kind of formula', () => {
  assert.deepEqual(findFormulas('a $x$ b'), [{ start: 2, end: 5, source: 'x', isDisplay: false }]);
  assert.deepEqual(findFormulas('$$ y $$'), [{ start: 0, end: 7, source: 'y', isDisplay: true }]);
  assert.deepEqual(findFormulas('\\[z\\]'), [{ start: 0, end: 5, source: 'z', isDisplay: true }]);
  assert.deepEqual(findFormulas('\\( w \\)'), [
    { start: 0, end: 7, source: 'w', isDisplay: false },
  ]);
});

test('findFormulas takes neither prices nor words nor addresses for formulas', () => {
  for (const text of [
    '$5 and $6',
    'US$x$',
    '$x$y',
    '$x$$',
    '$ x$',
    '$x $',
    'https://a.test/?a=$x$',
    '$$$$',
    '$$ $$',
    '\\(\\)',
    '\\$x$',
    '$a\n\nb$',
    '$$a\n\nb$$',
  ]) {
    assert.deepEqual(sourcesOf(text), [], text);
  }
  assert.deepEqual(sourcesOf('($x$), $y$.'), ['x', 'y']);
  assert.deepEqual(sourcesOf('$a\\$b$ and $a\nb$'), ['a\\$b', 'a\nb']);
});

test('findFormulas finds no closing delimiter in the URL of a link', () => {
  assert.deepEqual(sourcesOf('From $5: [prices](x.test/?max=$)'), []);
  assert.deepEqual(sourcesOf('\\(see [a](b_\\(c\\))\\)'), ['see [a](b_\\(c\\))']);
});

test('findFormulas takes neither the URL nor the title of a link for formulas, but finds those in its text', () => {
  for (const text of [
    '[a](https://x.test/b_\\(c\\))',
    '![a](<https://x.test/\\(c\\) \\[d\\]>)',
    '[a](x.test/(-$b$-(c)) "from $5 to $d$")',
    "[a](\n x.test '\\(b\\)' )",
    '[a]( (-$b$-) (\\[c\\]) )',
    '<https://x.test/\\(c\\)>',
    '[from $5](x.test/?max=$)',
  ]) {
    assert.deepEqual(sourcesOf(text), [], text);
    assert.deepEqual(sourcesOf(`[$x$](y) ${text} $z$`), ['x', 'z'], text);
  }
  for (const text of [
    '[0,1](\\(x\\) in it)',
    '[a](b(\\(x\\)',
    '[a](b "\\(x\\))',
    '[a](<b \\(x\\))',
    '<a \\(x\\)>',
    '[a\\](\\(x\\))',
  ]) {
    assert.deepEqual(sourcesOf(text), ['x'], text);
  }
});

test('findFormulas finds formulas of at most 4,095 units', () => {
  assert.equal(sourcesOf(`\\(${'x'.repeat(4095)}\\)`).length, 1);
  assert.equal(sourcesOf(`\\(${'x'.repeat(4096)}\\)`).length, 0);
});
