import { keyWordsOf, stemOf, wordsOf } from '../plan/words.js';
import { quoteSafely } from '../json.js';

/** About as many characters as somebody reads as one quotation. */
const EXCERPT = 340;

/** A sentence and how well it fits. */
export interface FittingSentence {
  readonly text: string;
  readonly score: number;
}

/** The sentences of a passage as plain words: no code, no lists' marks, no links. */
export function sentencesOf(text: string): string[] {
  const plain = text
    .replaceAll(/(```|~~~)[\s\S]*?(?:\1|$)/gu, ' ')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replaceAll(/^\s*(?:[-*+]|\d+[.)]|>)\s+/gmu, '')
    .replaceAll(/^\|.*\|\s*$/gmu, ' ')
    .replaceAll(/\*{1,3}([^\s*](?:[^*]*[^\s*])?)\*{1,3}/gu, '$1')
    // Tags go, but not those that are shown as code, and not those of the protocol.
    .replaceAll(/`[^`\n]*`|<[^>\n]{1,200}>/gu, (found) => (/^(?:`|<<)/u.test(found) ? found : ''))
    .replaceAll(/\s+/gu, ' ');
  return (plain.match(/[^.!?]+(?:[.!?](?![\s"”’)]|$)[^.!?]*)*[.!?]+["”’)]?|[^.!?]+$/gu) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= 25 && sentence.length <= 420);
}

/** The sentences of a text that fit a question best, in the order of the text. */
export function bestSentences(text: string, question: string, count: number): FittingSentence[] {
  const wanted = new Set(keyWordsOf(question).map(stemOf));
  const scored = sentencesOf(text).map((sentence, place) => {
    const stems = new Set(wordsOf(sentence).map(stemOf));
    const hits = [...wanted].filter((stem) => stems.has(stem)).length;
    return {
      text: quoteSafely(sentence),
      score: hits / Math.sqrt(Math.max(1, wanted.size)),
      place,
    };
  });
  return scored
    .filter((sentence) => sentence.score > 0)
    .sort((one, other) => other.score - one.score || one.place - other.place)
    .slice(0, count)
    .sort((one, other) => one.place - other.place);
}

/**
 * The best part of a passage: its most fitting sentence and what follows it, together at most three sentences.
 *
 * @returns an empty text when no sentence fits.
 */
export function bestExcerpt(text: string, question: string): string {
  const all = sentencesOf(text).map(quoteSafely);
  const [best] = bestSentences(text, question, 1);
  if (best === undefined) return '';
  const excerpt: string[] = [];
  for (const sentence of all.slice(all.indexOf(best.text))) {
    if (excerpt.length === 3 || `${excerpt.join(' ')} ${sentence}`.length > EXCERPT) break;
    excerpt.push(sentence);
  }
  return excerpt.length === 0 ? best.text : excerpt.join(' ');
}

/** How much of a question a text speaks about, from 0 to 1. */
export function coverageOf(text: string, question: string): number {
  const wanted = [...new Set(keyWordsOf(question).map(stemOf))];
  const own = new Set(wordsOf(text).map(stemOf));
  return wanted.filter((stem) => own.has(stem)).length / Math.max(1, wanted.length);
}
