/**
 * Like `encodeURIComponent`, but accepts every string: a lone surrogate, for which that function throws a `URIError`, is encoded as
 * three bytes (WTF-8). Different strings have different encodings, because valid UTF-8 never contains those bytes.
 */
export function encodeComponent(text: string): string {
  return text.replace(/\p{Surrogate}|\P{Surrogate}+/gu, (piece) =>
    /^\p{Surrogate}$/u.test(piece)
      ? encodeSurrogate(piece.charCodeAt(0))
      : encodeURIComponent(piece),
  );
}

function encodeSurrogate(unit: number): string {
  return [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]
    .map((byte) => `%${byte.toString(16).toUpperCase()}`)
    .join('');
}
