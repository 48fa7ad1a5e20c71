const ORDINALS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
];

/**
 * Finds an ordinal in a text: "the second", "number 3", "2nd", "the last".
 *
 * @param plain The words of the text, joined by spaces.
 * @param count Number of items that the ordinal can refer to.
 * @returns An index from 0, or null.
 */
export function readOrdinal(plain: string, count: number): number | null {
  if (count === 0) return null;
  if (/\blast\b/u.test(plain)) return count - 1;
  const word = ORDINALS.findIndex((ordinal) => new RegExp(`\\b${ordinal}\\b`, 'u').test(plain));
  const digits = /\b(\d{1,2})(?:st|nd|rd|th)?\b/u.exec(plain)?.[1];
  const index = word >= 0 ? word : digits === undefined ? -1 : Number(digits) - 1;
  return index >= 0 && index < count ? index : null;
}
