/** One word, number or sign of a question. */
export interface Token {
  /** As it is in the question. */
  readonly text: string;
  /** In lower case, without diacritics, except the French "où" ("where"), since "ou" means "or". */
  readonly plain: string;
  /** Whether it is a number or begins with one, such as "1st". */
  readonly isNumber: boolean;
}

/**
 * In this order: decimals without a leading zero, ordinals ("1st", "2e"), numbers whose thousands are separated by spaces, other numbers,
 * units with a slash or exponent, words, operators of two characters, any other single character.
 */
const TOKEN =
  /(?<![\p{L}\p{N}])[.,]\d+|\d+(?:st|nd|rd|th|er|[eèé]re|[eèé]me|e)(?![\p{L}\p{M}])|\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?![\d.])(?:,\d+)?|\d(?:[\d.,'’]*\d)?|m[³3]\/s|km[²2]|[\p{L}\p{M}\p{N}]+|>=|<=|\*\*|[^\s\p{L}\p{M}\p{N}]/gu;

/** Punctuation, which means nothing in a question, except in expressions. */
const PUNCTUATION = /^[\p{P}\p{Z}`´]$/u;

/** The punctuation of arithmetic expressions. `+`, `=`, `<`, `>` and `^` are symbols to Unicode, not punctuation. */
const ARITHMETIC_PUNCTUATION = /^[%/()*-]$/u;

/** A hyphen inside a word: the parts of "twenty-five" are words. */
const HYPHEN = /(?<=\p{L})[-\u2010\u2011](?=\p{L})/gu;

/** Splits a question into words, numbers and signs; a number keeps its separators. Punctuation is left out, except the signs of an expression. */
export function tokenize(text: string): Token[] {
  return (text.replaceAll(HYPHEN, ' ').match(TOKEN) ?? [])
    .filter((each) => !PUNCTUATION.test(each) || ARITHMETIC_PUNCTUATION.test(each))
    .map((each) => ({
      text: each,
      plain: /^où$/iu.test(each.normalize()) ? 'où' : toPlain(each),
      isNumber: /^[.,]?\d/u.test(each),
    }));
}

/** Returns a text in lower case without diacritics; letters that Unicode does not decompose are replaced. */
export function toPlain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('œ', 'oe');
}

/** Returns a name as the words of a phrase: plain, with single spaces. */
export function toPhrase(text: string): string {
  return tokenize(text)
    .filter((token) => !ARITHMETIC_PUNCTUATION.test(token.text))
    .map((token) => token.plain)
    .join(' ');
}

/** Writing of numbers: `1,234.5`, or `1.234,5` with a comma before the decimals. */
export type NumberStyle = 'point' | 'comma';

/**
 * Reads a number with separators. The last separator begins the decimals when both kinds occur. A single kind separates thousands if only
 * groups of three digits follow it, and if it is the separator of thousands in this style or occurs several times. If it occurs several
 * times without such groups, the text is not a number, and the result is null.
 */
export function readNumber(text: string, style: NumberStyle): number | null {
  const digits = text.replaceAll(/[ \u00a0\u202f'’]/gu, '');
  const points = digits.split('.').length - 1;
  const commas = digits.split(',').length - 1;
  if (points > 0 && commas > 0) {
    const decimal = digits.lastIndexOf('.') > digits.lastIndexOf(',') ? '.' : ',';
    return toNumber(digits, decimal);
  }
  if (points + commas === 0) return toNumber(digits, '.');
  const separator = points > 0 ? '.' : ',';
  const isGrouped = new RegExp(`^[1-9]\\d{0,2}(?:[${separator}]\\d{3})+$`, 'u').test(digits);
  const thousands = style === 'point' ? ',' : '.';
  if (points + commas > 1)
    return isGrouped ? toNumber(digits, separator === '.' ? ',' : '.') : null;
  if (isGrouped && separator === thousands) return toNumber(digits, separator === '.' ? ',' : '.');
  return toNumber(digits, separator);
}

function toNumber(digits: string, decimal: '.' | ','): number | null {
  const other = decimal === '.' ? ',' : '.';
  const value = Number(digits.replaceAll(other, '').replace(decimal, '.'));
  return Number.isFinite(value) ? value : null;
}
