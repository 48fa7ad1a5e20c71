const UNICODE_PUNCTUATION = /[\p{P}\p{S}]/u;
const UNICODE_SPACE = /\s/u;
const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/;

/** Whether a character may be escaped by a backslash. */
export function isAsciiPunctuation(character: string): boolean {
  return ASCII_PUNCTUATION.test(character);
}

/** What CommonMark calls Unicode whitespace; the borders of the text count as such. */
export function isUnicodeSpace(character: string): boolean {
  return character === '' || UNICODE_SPACE.test(character);
}

/** What CommonMark calls Unicode punctuation (symbols included, since 0.31), and the signs around a mark of the host. */
export function isUnicodePunctuation(character: string): boolean {
  return UNICODE_PUNCTUATION.test(character) || character === '\ue000' || character === '\ue001';
}

/** The whole character that ends before `index`, or an empty string at the start. */
export function characterBefore(text: string, index: number): string {
  if (index <= 0) return '';
  const code = text.charCodeAt(index - 1);
  const isLow = code >= 0xdc00 && code <= 0xdfff && index > 1;
  return isLow ? text.slice(index - 2, index) : text.charAt(index - 1);
}

/** The whole character that begins at `index`, or an empty string at the end. */
export function characterAt(text: string, index: number): string {
  const code = text.codePointAt(index);
  return code === undefined ? '' : String.fromCodePoint(code);
}

/** A letter or digit of ASCII. */
export function isAsciiWord(character: string): boolean {
  return /^[0-9a-z]$/i.test(character);
}
