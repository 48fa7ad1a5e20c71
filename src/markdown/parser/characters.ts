import { MAX_SPAN } from './limits.js';

/** What CommonMark calls Unicode whitespace; the borders of the text count as such. */
export function isSpace(character: string): boolean {
  return character.trim() === '';
}

const PUNCTUATION = /[\p{P}\p{S}\ue000\ue001]/u;

/** What CommonMark calls Unicode punctuation (symbols included, since 0.31), and the signs around a mark of the host. */
export function isPunctuation(character: string): boolean {
  return PUNCTUATION.test(character);
}

/** The whole character that ends before `index`, or an empty string at the start. */
export function characterBefore(text: string, index: number): string {
  const code = text.charCodeAt(index - 1);
  return characterAt(text, code >= 0xdc00 && code <= 0xdfff ? index - 2 : index - 1);
}

/** The whole character that begins at `index`, or an empty string beyond the text. */
export function characterAt(text: string, index: number): string {
  const code = text.codePointAt(index);
  return code === undefined ? '' : String.fromCodePoint(code);
}

/** White space of the source. */
export const BLANKS = ' \n\t';

/** A text without the signs at its end. A regular expression would look at each run of them again and again. */
export function trimEnd(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

const MARKS = new RegExp(
  `\\ue000[^\\ue000\\ue001]{0,${MAX_SPAN - 2}}\\ue001|[\\ue000\\ue001]`,
  'g',
);

/** A text without marks of the host, for where none can stand. */
export function stripMarks(text: string): string {
  return text.replace(MARKS, '');
}

/** Where the mark begins that a growing text may end in; the length of the text when there is none. */
export function partialMarkStart(text: string): number {
  const at = text.lastIndexOf('\ue000');
  const grows = at >= 0 && text.length - at < MAX_SPAN && !text.includes('\ue001', at);
  return grows ? at : text.length;
}
