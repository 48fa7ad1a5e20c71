/**
 * `encodeURIComponent` for texts from the network, injective for every string: half a surrogate pair, at which the platform's function
 * throws a `URIError`, becomes the three bytes that UTF-8 would give it (WTF-8), which no valid text has.
 */
export function encodeComponent(text: string): string {
  return text.replace(/\p{Surrogate}|\P{Surrogate}+/gu, (piece) =>
    /^\p{Surrogate}$/u.test(piece) ? encodeHalf(piece.charCodeAt(0)) : encodeURIComponent(piece),
  );
}

function encodeHalf(unit: number): string {
  return [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]
    .map((byte) => `%${byte.toString(16).toUpperCase()}`)
    .join('');
}
