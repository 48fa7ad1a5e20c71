/** An HTTP date in ms since the epoch; null for any other text. */
export function parseDate(value: string | null): number | null {
  // A date begins with the name of a day; other forms are not allowed, though `Date.parse` takes them.
  const time = /^[A-Z][a-z]{2,8},? /.test(value ?? '') ? Date.parse(value ?? '') : NaN;
  return Number.isNaN(time) ? null : time;
}

/** When an answer was made, by the clock of the service; null where the page may not read it (`Access-Control-Expose-Headers`). */
export function readAnswerDate(headers: Headers): number | null {
  return parseDate(headers.get('date'));
}
