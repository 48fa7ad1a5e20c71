const PIECE = /\S+\s*|\s+/gu;
const ABOUT = 14;

/** Splits a text into chunks of a few words, like a language model, never inside a character. */
export function* splitIntoChunks(text: string): Generator<string> {
  let piece = '';
  for (const [word] of text.matchAll(PIECE)) {
    piece += word;
    if (piece.length < ABOUT) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
