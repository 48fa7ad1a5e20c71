const WORD = /\S+\s*|\s+/gu;

/** A chunk ends after the word with which it has this many characters. */
const MIN_LENGTH = 14;

/** Splits a text into chunks of a few words, like a language model, never inside a word. */
export function* splitIntoChunks(text: string): Generator<string> {
  let chunk = '';
  for (const [word] of text.matchAll(WORD)) {
    chunk += word;
    if (chunk.length < MIN_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
