const PIECE = /\S+\s*|\s+/gu;

/** A chunk ends after the word with which it has this many characters. */
const MIN_LENGTH = 14;

/** Splits a text into chunks of a few words, like a language model, never inside a word. */
export function* splitIntoChunks(text: string): Generator<string> {
  let piece = '';
  for (const [word] of text.matchAll(PIECE)) {
    piece += word;
    if (piece.length < MIN_LENGTH) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
