import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findQuote } from '../../src/elements/passage/find-quote.js';

function quoted(passage: string, sentence: string): string | null {
  const found = findQuote(passage, sentence);
  return found && passage.slice(found.start, found.end);
}

test('findQuote finds the common words of passage and sentence, ignoring separators', () => {
  const passage = 'Herons fish. The grey heron\nnests in “tall” trees, often in colonies.';
  const cases: readonly [string, string | null][] = [
    ['It says that the grey heron nests in tall trees', 'The grey heron\nnests in “tall” trees'],
    ['The GREY heron nests', 'The grey heron\nnests'],
    ['the grey heron', null],
    ['Nothing of it stands there', null],
    ['', null],
  ];
  for (const [sentence, expected] of cases)
    assert.equal(quoted(passage, sentence), expected, sentence);
});

test('findQuote returns the longest sequence, not the first', () => {
  const passage = 'one two three four. one two three four five six. four five six seven.';
  assert.equal(quoted(passage, 'one two three four five six'), 'one two three four five six');
});

test('findQuote finds words of any script', () => {
  assert.equal(
    quoted('… ينقسم النهر إلى ثلاثة فروع قبل المصب.', 'قيل إن النهر إلى ثلاثة فروع'),
    'النهر إلى ثلاثة فروع',
  );
});

test('findQuote finds at least eight characters of scripts without spaces', () => {
  const cases: readonly [string, string, string | null][] = [
    [
      '前言。退款需要在收到商品后十四天内提出申请，逾期不受理。',
      '根据手册，退款需要在收到商品后十四天内提出申请',
      '退款需要在收到商品后十四天内提出申请',
    ],
    ['退款需要审批，商品需要检查。', '退款需要时间', null],
    ['请在十四天内申请退款', '必须十四天内申请退款', '十四天内申请退款'],
    ['请在十四天内申请退款', '必须十四天内申请退', null],
    [
      '最初に、返金は十四日以内に申請してください。',
      'つまり返金は十四日以内に申請',
      '返金は十四日以内に申請',
    ],
    ['ลูกค้าขอคืนเงินได้ภายในสิบสี่วัน', 'จึงขอคืนเงินได้ภายในสิบสี่วันเท่านั้น', 'ขอคืนเงินได้ภายในสิบสี่วัน'],
    ['见PDF文件第十二页的说明', '参考PDF文件第十二页', 'PDF文件第十二页'],
    ['次にサーバー API を設定する', 'サーバーAPIを設定', 'サーバー API を設定'],
    // A vowel mark belongs to its consonant.
    ['เขาถามว่ากี่บาทต่อกิโลกรัม', 'เพราะที่บาทต่อกิโลกรัม', 'บาทต่อกิโลกรัม'],
  ];
  for (const [passage, sentence, expected] of cases)
    assert.equal(quoted(passage, sentence), expected, sentence);
});

test('findQuote bounds the comparisons of a long passage in a script without spaces', () => {
  const quote = '退款需要在收到商';
  // Has 600 characters, so the limit of 60 million comparisons is reached with a passage of 100,000.
  const citing = `${'乙'.repeat(592)}${quote}`;
  const before = (length: number): string => '甲'.repeat(length);
  assert.equal(quoted(`${before(100_000 - 8)}${quote}`, citing), quote);
  assert.equal(quoted(`${before(100_000 - 7)}${quote}`, citing), null);
});

test('findQuote finds a quotation at the end of a long text', () => {
  const passage = `${'word after word and so on '.repeat(20_000)}the very last words of it`;
  assert.equal(quoted(passage, 'as in the very last words of it'), 'the very last words of it');
});

test('findQuote returns the first of equally long sequences', () => {
  const passage = 'one two three four. And one two three four.';
  assert.deepEqual(findQuote(passage, 'one two three four'), { start: 0, end: 18 });
});

test('findQuote ignores case, but not letters that are only equal in capitals', () => {
  const passage = 'Die Maße sind groß genug.';
  assert.equal(quoted(passage, 'DIE MAßE SIND GROß'), 'Die Maße sind groß');
  assert.equal(quoted(passage, 'Die Masse sind gross'), null);
});

test('findQuote compares the first million characters of the passage', () => {
  const quote = 'one two three four';
  const before = (length: number): string => '.'.repeat(length);
  const fits = 1_000_000 - quote.length;
  assert.equal(quoted(`${before(fits)}${quote}`, quote), quote);
  assert.equal(quoted(`${before(fits + 1)}${quote}`, quote), null);
});

test('findQuote compares the last 600 characters of the citing text', () => {
  const quote = 'one two three four';
  assert.equal(quoted(quote, `${quote} ${'z '.repeat(290)}`), quote);
  assert.equal(quoted(quote, `${quote} ${'z '.repeat(300)}`), null);
});
