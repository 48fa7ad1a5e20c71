/** Whether a unit is a blank within a line. Other white space (no-break spaces, form feeds) is text. */
export function isBlankUnit(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 13;
}

/** Whether a text holds nothing but blanks and line breaks. */
export function isBlankText(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit !== 10 && !isBlankUnit(unit)) return false;
  }
  return true;
}

/**
 * A text without the blanks and line breaks around it. Not `trim()`: that takes more kinds of white space, and what it took would
 * change where a line begins for the rules of code.
 */
export function trimBlanks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isOuter(text.charCodeAt(from))) from += 1;
  while (to > from && isOuter(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function isOuter(unit: number): boolean {
  return unit === 10 || isBlankUnit(unit);
}
