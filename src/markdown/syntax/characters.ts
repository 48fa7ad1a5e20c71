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
