import type { AnswerLanguage } from '../query/languages.js';
import type { DataQuery } from '../query/query.js';
import { readItems } from '../query/read-items.js';
import { readQuestion, type Reading } from '../query/read-question.js';
import type { Schema } from '../query/schema.js';
import { translateChinese } from './chinese-question.js';
import { hasChinese, keywordsOf } from './words.js';

/** Tables that a question can be about. */
export interface DataSource {
  /** Id of the document with the tables; null for the sample database. */
  readonly id: string | null;
  readonly schema: Schema;
}

/** A question about data that was understood as a whole. */
export type DataQuestion = {
  /** Id of the document that the question is about; null for the sample database. */
  readonly source: string | null;
  readonly query: DataQuery;
};

/** The result of reading a question as one about data. */
export type DataReading =
  | { readonly kind: 'query'; readonly question: DataQuestion }
  /** The question names a table or a value of the data, and parts of the question were not understood. */
  | {
      readonly kind: 'unclear';
      readonly parts: readonly string[];
      /** Words without a meaning in the data. A document answers in place of the data only when it contains them. */
      readonly keywords: readonly string[];
    }
  /** The question names no table or value of the data. The parts are those that were not applied. */
  | { readonly kind: 'other'; readonly parts: readonly string[] };

/** Number of characters that are read: the cost of reading grows faster than the length. */
const MAX_READ_LENGTH = 2000;

/** Reads a question about data. The first source for which all of it is understood answers it. */
export function readDataQuestion(question: string, sources: readonly DataSource[]): DataReading {
  const text = question.slice(0, MAX_READ_LENGTH);
  const { english, unknown } = translateChinese(text);
  const readings = sources.map((source) => ({
    source,
    reading: readQuestion(english, source.schema),
  }));
  if (unknown.length === 0) {
    for (const { source, reading } of readings) {
      if (reading.query === null || reading.unapplied.length > 0) continue;
      return { kind: 'query', question: { source: source.id, query: reading.query } };
    }
  }
  const about = readings
    .map(({ reading }) => reading)
    .filter((reading) => reading.isAbout)
    .sort((one, other) => one.unapplied.length - other.unapplied.length);
  const [best] = about;
  if (best === undefined) {
    return { kind: 'other', parts: [...unknown, ...(readings.at(-1)?.reading.unapplied ?? [])] };
  }
  const parts = [...unknown, ...partsOf(best, unknown.length, text)];
  const words = [...unknown, ...best.unknown];
  // A single letter says nothing that a document could be about.
  const isSearchable = words.every((word) => word.length > 1 || hasChinese(word));
  const keywords = isSearchable ? keywordsOf(words.join(' ')) : [];
  return { kind: 'unclear', parts, keywords };
}

/**
 * Returns the parts that were not applied. When all were, but do not form a query, the question itself is the only part.
 *
 * @param untranslated Number of Chinese parts without a translation. If there are any, they are named instead, so none is returned.
 */
function partsOf(reading: Reading, untranslated: number, question: string): readonly string[] {
  if (untranslated > 0) return [];
  if (reading.unapplied.length > 0) return reading.unapplied;
  return [question.trim().slice(0, 200)];
}

/**
 * Returns the language of the answer to a question: Chinese if it has Chinese characters, else whichever of English, German and French
 * gives a meaning to most of its words. Only the beginning of a long question counts, as for the plan of the answer.
 */
export function answerLanguageOf(question: string): AnswerLanguage {
  const text = question.slice(0, MAX_READ_LENGTH);
  return hasChinese(text) ? 'zh' : readItems(text, NO_TABLES).language;
}

const NO_TABLES: Schema = { tables: [], links: [], names: new Map(), words: new Map() };
