/** A stretch of a text, in UTF-16 units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Characters of a sentence that are compared, the last ones, and of a passage. */
const MAX_CITING = 600;
const MAX_PASSAGE = 1_000_000;
/** Words that stand together by chance are no quotation. */
const MIN_WORDS = 4;

interface Word extends TextRange {
  readonly text: string;
}

/**
 * Where a passage says what was said in front of its citation: the longest run of words that both have, whatever their case and
 * what stands between them. Null when they share less than four words in a row.
 */
export function findQuote(passage: string, citingText: string): TextRange | null {
  const words = wordsOf(citingText.slice(-MAX_CITING));
  let best: TextRange | null = null;
  let longest = MIN_WORDS - 1;
  const starts: number[] = [];
  // For each word of the sentence: how many words up to it end at the passage's present word.
  let runs = new Uint16Array(words.length + 1);
  let next = new Uint16Array(words.length + 1);
  for (const { text, start, end } of wordsOf(passage.slice(0, MAX_PASSAGE))) {
    starts.push(start);
    for (const [at, word] of words.entries()) {
      const run = word.text === text ? (runs[at] ?? 0) + 1 : 0;
      next[at + 1] = run;
      if (run <= longest) continue;
      longest = run;
      best = { start: starts[starts.length - run] ?? start, end };
    }
    [runs, next] = [next, runs];
  }
  return best;
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    text: word.toLowerCase(),
    start: index,
    end: index + word.length,
  }));
}
