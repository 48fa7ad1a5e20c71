import { keyWordsOf, stemOf, wordsOf } from '../plan/words.js';
import { quoteSafely } from '../json.js';

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
    .replaceAll(/<[^>\n]{1,200}>/gu, (tag) => (tag.startsWith('<<') ? tag : ''))
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
