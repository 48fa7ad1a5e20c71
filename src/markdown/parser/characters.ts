import { MAX_SPAN } from './limits.js';

/** Whether a character is Unicode whitespace in the sense of CommonMark. The start and end of the text (an empty string) count as such. */
export function isSpace(character: string): boolean {
  return character.trim() === '';
}

const PUNCTUATION = /[\p{P}\p{S}\ue000\ue001]/u;

/** Whether a character is Unicode punctuation in the sense of CommonMark (since 0.31 with symbols), or a delimiter of an inline mark. */
export function isPunctuation(character: string): boolean {
  return PUNCTUATION.test(character);
}

/** Returns the code point that ends before `index`, or an empty string at the start. */
export function characterBefore(text: string, index: number): string {
  const code = text.charCodeAt(index - 1);
  return characterAt(text, code >= 0xdc00 && code <= 0xdfff ? index - 2 : index - 1);
}

/** Returns the code point that begins at `index`, or an empty string beyond the text. */
export function characterAt(text: string, index: number): string {
  const code = text.codePointAt(index);
  return code === undefined ? '' : String.fromCodePoint(code);
}

/** Space, line feed and tab, which CommonMark strips from lines; not all Unicode whitespace, see {@link isSpace}. */
export const BLANKS = ' \n\t';

/** Removes characters of `set` from the end. A regular expression would take quadratic time for a text with many runs of them. */
export function trimEnd(text: string, set: string): string {
  let end = text.length;
  while (end > 0 && set.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

const MARKS = new RegExp(
  `\\ue000[^\\ue000\\ue001]{0,${MAX_SPAN - 2}}\\ue001|[\\ue000\\ue001]`,
  'g',
);

/** Removes inline marks from a text, for contexts in which they are not allowed. */
export function stripMarks(text: string): string {
  return text.replace(MARKS, '');
}

/** Returns the position of an incomplete inline mark at the end of a text; the length of the text when there is none. */
export function partialMarkStart(text: string): number {
  const at = text.lastIndexOf('\ue000');
  const isPartial = at >= 0 && text.length - at < MAX_SPAN && !text.includes('\ue001', at);
  return isPartial ? at : text.length;
}
