/** A range of a text, in UTF-16 units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Number of UTF-16 units at the end of the citing text that are compared. */
const MAX_CITING = 600;
/** Number of UTF-16 units at the beginning of the passage that are compared. */
const MAX_PASSAGE = 1_000_000;
/** Maximum number of comparisons of words, so that a long passage does not block the page. */
const MAX_COMPARISONS = 60_000_000;
/** Minimum number of words of a quotation. Fewer equal words in a row may be a coincidence. */
const MIN_WORDS = 4;
/** Minimum length of a quotation, in UTF-16 units. */
const MIN_LENGTH = 8;
/**
 * Matches a word. In scripts without spaces, each character with its marks is a word. The two Japanese marks for long vowels are listed by
 * their code points, because Unicode assigns them to no single script.
 */
const WORD =
  /(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\u30fc\uff70])[\p{L}\p{M}\p{N}])+|[\p{L}\p{M}\p{N}]\p{M}*/gu;

interface Word extends TextRange {
  readonly text: string;
}

/**
 * Finds the range of a passage that the text before a citation quotes: the longest run of words that occurs in both, ignoring case and
 * separators. Returns null if it has fewer than four words or eight UTF-16 units.
 */
export function findQuote(passage: string, citingText: string): TextRange | null {
  const words = [...wordsOf(citingText.slice(-MAX_CITING))];
  let best: TextRange | null = null;
  let longest = MIN_WORDS - 1;
  const starts: number[] = [];
  // At index n + 1, for word n of the citing text: number of words of the common run that ends there and at the previous word of the passage.
  let lengths = new Uint16Array(words.length + 1);
  // The same for the current word of the passage.
  let nextLengths = new Uint16Array(words.length + 1);
  for (const { text, start, end } of wordsOf(passage.slice(0, MAX_PASSAGE))) {
    starts.push(start);
    if (starts.length * words.length > MAX_COMPARISONS) break;
    for (const [at, word] of words.entries()) {
      const length = word.text === text ? (lengths[at] ?? 0) + 1 : 0;
      nextLengths[at + 1] = length;
      if (length <= longest) continue;
      const first = starts[starts.length - length] ?? start;
      if (end - first < MIN_LENGTH) continue;
      longest = length;
      best = { start: first, end };
    }
    [lengths, nextLengths] = [nextLengths, lengths];
  }
  return best;
}

function* wordsOf(text: string): Generator<Word> {
  for (const { 0: word, index } of text.matchAll(WORD))
    yield { text: word.toLowerCase(), start: index, end: index + word.length };
}
