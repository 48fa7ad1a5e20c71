import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeFormula, toCsvLine } from '../../src/markdown/extras/table-text.js';

test('escapeFormula keeps signed numbers in the formats of all languages, with currency, percent sign or exponent', () => {
  for (const number of [
    ...['-5', '+5', '－5', '-.5', '-1,200.5', '-1.200,5', '-1 200,5', '-1’200', '- 5'],
    ...['-12 %', '+3%', '-5 €', '"-5"', '-$1,200', '-€ 7', '-1e-7', '-1.5E+10'],
  ]) {
    assert.equal(escapeFormula(number), number);
  }
});

test('escapeFormula puts an apostrophe before what a spreadsheet would evaluate', () => {
  for (const formula of [
    ...[
      '=1+1',
      '@x',
      '\t=1',
      '"=1+1"',
      ' "@x',
      '＝1',
      '-x',
      '-1+1',
      '+1-2',
      '-1e5+A1',
      '-A1',
      '-1 x',
      '-',
    ],
    ...['-5 €;=1', '-5%*2', '+cmd|x', '-1\n=2', '-(1)'],
  ]) {
    assert.equal(escapeFormula(formula), `'${formula}`);
  }
  assert.equal(escapeFormula('a-1'), 'a-1');
});

test('toCsvLine writes no formula after a character that separates cells in some locales', () => {
  for (const [text, cell] of [
    ['a;=1+1;b', `"a;'=1+1;b"`],
    ['a;"=1+1', `"a;'""=1+1"`],
    ['a; @x', `"a;' @x"`],
    ['a\n=1+1', `"a\n'=1+1"`],
    ['a\r\n-x', `"a\r\n'-x"`],
    ['a\t@x', `"a\t'@x"`],
    ['-5 €;=1', `"-5 €;'=1"`],
  ] as const) {
    assert.equal(toCsvLine([text]), `${cell}\r\n`);
  }
});

test('toCsvLine adds only quotation marks to a text with separators that has no formula', () => {
  for (const text of ['a; b', 'a;-5', 'a;;b', 'a\tb', 'a,=b', 'a\n b']) {
    assert.equal(toCsvLine([text]), `"${text}"\r\n`);
  }
  assert.equal(toCsvLine(['a = b']), 'a = b\r\n');
  assert.equal(toCsvLine(['a "b"']), '"a ""b"""\r\n');
});

test('toCsvLine writes no formula after a signed number, in whose locale the comma may be the decimal separator', () => {
  for (const [texts, line] of [
    [['-5', '1+x!A0'], '-5,"1+x!A0"'],
    [['+5 €', '*x|y', '=1'], `+5 €,"*x|y",'=1`],
    [['－5', '-3', '1+x'], '－5,"-3",1+x'],
    [['"-5"', '1'], '"""-5""","1"'],
    [['-5', '1;2'], '-5,"1;2"'],
    [['-5', ''], '-5,""'],
  ] as const) {
    assert.equal(toCsvLine(texts), `${line}\r\n`);
  }
});

test('toCsvLine adds no quotation marks after a text or a number without a sign', () => {
  for (const texts of [['5', '1+x'], ['a-5', '1'], ['-5'], ['', '-5', '1']])
    assert.equal(toCsvLine(texts), `${texts.join(',')}\r\n`);
  assert.equal(toCsvLine(['-x', '1']), "'-x,1\r\n");
});
