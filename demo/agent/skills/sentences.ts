import { hasChinese, keywordsOf, stemOf, wordsOf } from '../plan/words.js';
import { escapeTags } from '../json.js';

/** Maximum number of sentences of a quotation. */
const MAX_SENTENCES = 2;

/** Maximum length of a quotation of several sentences, in characters. A single sentence may be longer. */
const MAX_EXCERPT_LENGTH = 340;

/** A Chinese sentence ends with its mark: no space follows. */
const AFTER_CHINESE_SENTENCE = /(?<=[。！？][”’」』）]?)(?![。！？”’」』）])/u;

/** A sentence and its relevance. */
export interface FittingSentence {
  readonly text: string;
  readonly score: number;
}

/**
 * Returns the sentences of a passage as plain text: without code blocks, tables, list markers and link targets. Very short and very long ones are
 * left out.
 */
export function sentencesOf(text: string): string[] {
  return text
    .replaceAll(/(```|~~~)[\s\S]*?(?:\1|$)/gu, '\n\n')
    .split(PARAGRAPH)
    .flatMap(sentencesOfParagraph);
}

/** Where a paragraph or a list item begins. */
const PARAGRAPH = /\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)/u;

function sentencesOfParagraph(text: string): string[] {
  const plain = text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replaceAll(/^\s*(?:[-*+]|\d+[.)]|>)\s+/gmu, '')
    .replaceAll(/^\|.*\|\s*$/gmu, ' ')
    .replaceAll(/\*{1,3}([^\s*](?:[^*]*[^\s*])?)\*{1,3}/gu, '$1')
    // Removes tags, except those in code spans and those of the protocol.
    .replaceAll(/`[^`\n]*`|<[^>\n]{1,200}>/gu, (found) => (/^(?:`|<<)/u.test(found) ? found : ''))
    .replaceAll(/\s+/gu, ' ');
  // In other scripts a mark ends a sentence only before white space, a closing quotation mark or the end: "3.5" and "example.org" are not split.
  return plain
    .split(AFTER_CHINESE_SENTENCE)
    .flatMap(
      (part) => part.match(/[^.!?]+(?:[.!?](?![\s"”’)]|$)[^.!?]*)*[.!?]+["”’)]?|[^.!?]+$/gu) ?? [],
    )
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= minLengthOf(sentence) && sentence.length <= 420);
}

/** Length from which a text counts as a sentence: a Chinese one says as much with a third of the characters. */
function minLengthOf(sentence: string): number {
  return hasChinese(sentence) ? 8 : 25;
}

/** Joins sentences as their script does: with a space, but not after a Chinese mark. */
function joinSentences(sentences: readonly string[]): string {
  return sentences.join(' ').replaceAll(/(?<=[。！？][”’」』）]?) (?=\p{Script=Han})/gu, '');
}

/** Returns up to `count` of the most relevant sentences of a text, in document order. Tags in them are escaped. */
export function bestSentences(text: string, question: string, count: number): FittingSentence[] {
  const wanted = new Set(keywordsOf(question).map(stemOf));
  const sentences = sentencesOf(text).map((sentence) => ({
    sentence,
    stems: new Set(wordsOf(sentence).map(stemOf)),
  }));
  // The more sentences contain a word, the less it distinguishes them.
  const weights = [...wanted].map((stem) => ({
    stem,
    weight: 1 / Math.max(1, sentences.filter(({ stems }) => stems.has(stem)).length),
  }));
  const scored = sentences.map(({ sentence, stems }, place) => {
    const hits = weights.filter(({ stem }) => stems.has(stem));
    const weight = hits.reduce((sum, each) => sum + each.weight, hits.length);
    return {
      text: escapeTags(sentence),
      score: weight / Math.sqrt(Math.max(1, wanted.size)),
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
 * Returns the best excerpt of a passage: its most relevant sentence, and the one that follows it if the excerpt does not become too long.
 *
 * @returns An empty string if no sentence is relevant.
 */
export function bestExcerpt(text: string, question: string): string {
  const all = sentencesOf(text).map(escapeTags);
  const [best] = bestSentences(text, question, 1);
  if (best === undefined) return '';
  const excerpt: string[] = [];
  for (const sentence of all.slice(all.indexOf(best.text))) {
    if (
      excerpt.length === MAX_SENTENCES ||
      joinSentences([...excerpt, sentence]).length > MAX_EXCERPT_LENGTH
    )
      break;
    excerpt.push(sentence);
  }
  return excerpt.length === 0 ? best.text : joinSentences(excerpt);
}

/** Share of the keywords of a question that a text contains, from 0 to 1. */
export function coverageOf(text: string, question: string): number {
  const wanted = [...new Set(keywordsOf(question).map(stemOf))];
  const own = new Set(wordsOf(text).map(stemOf));
  return wanted.filter((stem) => own.has(stem)).length / Math.max(1, wanted.length);
}

/** Share of the words of a question that a passage must have; with fewer it is about something else. */
const LEAST_COVERAGE = 0.6;

/** The same for a Chinese question, whose words are overlapping pairs of characters: some pairs always span two words. */
const LEAST_CHINESE_COVERAGE = 0.34;

/**
 * Whether a passage is about a question: it has most of the words, and one of its sentences, together with the title, has half of them. For
 * a Chinese question, the sentences do not count.
 *
 * @param required Words of the question that the text of the passage must have. If there are any, one sentence, together with the title,
 *   must have all words of the question.
 */
export function isRelevant(
  passage: { readonly title: string; readonly text: string },
  question: string,
  required: readonly string[] = [],
): boolean {
  const least = required.length > 0 ? 1 : 0.5;
  if (required.length > 0 && coverageOf(passage.text, required.join(' ')) < 1) return false;
  const whole = coverageOf(`${passage.title} ${passage.text}`, question);
  if (hasChinese(question)) return whole >= LEAST_CHINESE_COVERAGE;
  if (whole < LEAST_COVERAGE) return false;
  return sentencesOf(passage.text).some(
    (sentence) => coverageOf(`${passage.title} ${sentence}`, question) >= least,
  );
}
