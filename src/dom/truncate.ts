/** Longest grapheme cluster that is kept whole, in UTF-16 units. Emoji sequences have up to 35. Limits the text that is segmented. */
const MAX_CLUSTER = 64;

/** Matches the two UTF-16 units of one character. */
export const SURROGATE_PAIR = /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/;

let segmenter: Intl.Segmenter | undefined;

/**
 * Returns the start of the grapheme cluster that contains the UTF-16 unit at a position: the character as the user perceives it, with
 * its marks and joined emoji. The position is returned when a cluster starts there, or when it is not within the text. Browsers without
 * `Intl.Segmenter` keep only surrogate pairs whole.
 */
export function clusterStart(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return at;
  const from = Math.max(0, at - MAX_CLUSTER);
  if (!('Segmenter' in Intl)) return at - Number(SURROGATE_PAIR.test(text.slice(at - 1, at + 1)));
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const cluster = segmenter.segment(text.slice(from, at + MAX_CLUSTER)).containing(at - from);
  return from + (cluster?.index ?? at - from);
}

/** Returns the first `length` UTF-16 units of a text, or fewer if a grapheme cluster would be split. */
export function firstUnits(text: string, length: number): string {
  return text.slice(0, clusterStart(text, length));
}

/** Truncates a text to `length` UTF-16 units and an ellipsis, without splitting a grapheme cluster. */
export function truncate(text: string, length: number): string {
  return text.length <= length ? text : `${firstUnits(text, length)}…`;
}
