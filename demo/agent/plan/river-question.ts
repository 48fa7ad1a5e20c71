import type { Json } from '../json.js';
import type { RiverNames } from '../tools/river-database.js';
import { containsName, wordsOf } from './words.js';

/** The query for a question that names no rivers. */
export const TOP_RIVERS: RiverQuery = {
  kind: 'ranking',
  measure: 'length_km',
  ascending: false,
  limit: 10,
  rivers: [],
  countries: [],
  cities: [],
  mouth: null,
};

/** A measure of a river: a column of the table. */
export type Measure = 'length_km' | 'discharge_m3s' | 'basin_km2';

/** A parsed question about the sample database. */
export type RiverQuery = {
  readonly kind:
    | 'ranking'
    | 'facts'
    | 'crossings'
    | 'cities'
    | 'river-of-city'
    | 'count'
    | 'capital'
    | 'by-country';
  readonly measure: Measure | null;
  readonly ascending: boolean;
  readonly limit: number;
  readonly rivers: readonly string[];
  readonly countries: readonly string[];
  readonly cities: readonly string[];
  readonly mouth: string | null;
} & { readonly [name: string]: Json };

const MEASURES: readonly (readonly [RegExp, Measure])[] = [
  [/\b(?:discharge|flow rate|water|volume|m3|cubic)\b/u, 'discharge_m3s'],
  [/\b(?:basin|area|drains?|drainage|catchment|km2|square)\b/u, 'basin_km2'],
  [/\b(?:long|longest|longer|length|short|shortest|kilomet\w*|km)\b/u, 'length_km'],
];

const NUMBERS: ReadonlyMap<string, number> = new Map(
  ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'].map((word, index) => [
    word,
    index + 2,
  ]),
);

/** Returns the measure that a text names, or null. */
export function readMeasure(text: string): Measure | null {
  const plain = wordsOf(text).join(' ');
  return MEASURES.find(([pattern]) => pattern.test(plain))?.[1] ?? null;
}

/** Returns the number of results that a text asks for, or null. */
export function readLimit(text: string): number | null {
  const plain = wordsOf(text).join(' ');
  const [, word = ''] =
    /\b(?:top|first|only|the)?\s*(\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)\b/u.exec(
      plain,
    ) ?? [];
  const number = NUMBERS.get(word) ?? Number(word);
  return Number.isInteger(number) && number > 0 && number <= 60 ? number : null;
}

/** Returns the names of the database that occur in a text. */
export function readNames(
  text: string,
  known: RiverNames,
): { rivers: string[]; countries: string[]; cities: string[]; mouth: string | null } {
  const named = (all: readonly string[]): string[] =>
    all.filter((name) => containsName(text, name));
  const mouth = known.mouths.find((name) => name.includes(' ') && containsName(text, name)) ?? null;
  return {
    rivers: named(known.rivers),
    countries: named(known.countries),
    cities: named(known.cities),
    mouth,
  };
}

/** Parses a question about rivers; returns null for a question about anything else. */
export function readRiverQuestion(text: string, known: RiverNames): RiverQuery | null {
  const plain = wordsOf(text).join(' ');
  const found = readNames(text, known);
  const measure = readMeasure(text);
  const query = (kind: RiverQuery['kind'], more: Partial<RiverQuery> = {}): RiverQuery => ({
    kind,
    measure,
    ascending: /\b(?:shortest|smallest|least|shorter)\b/u.test(plain),
    limit: readLimit(text) ?? 10,
    ...found,
    ...more,
  });
  const aboutRivers = /\brivers?\b/u.test(plain);
  if (/\bcapitals?\b/u.test(plain) && (found.countries.length > 0 || found.rivers.length > 0)) {
    return query('capital');
  }
  if (aboutRivers && /\bhow many\b|\bnumber of\b|\bcount\b/u.test(plain)) {
    return query(
      /\b(?:per|each|by) country\b|\bwhich countr/u.test(plain) ? 'by-country' : 'count',
    );
  }
  if (found.rivers.length > 0 && /\bcountr\w*\b/u.test(plain)) return query('crossings');
  if (found.rivers.length > 0 && /\b(?:cit(?:y|ies)|towns?)\b/u.test(plain)) return query('cities');
  if (aboutRivers && found.cities.length > 0) return query('river-of-city');
  if (found.rivers.length > 0 && asksForFacts(plain, measure)) return query('facts');
  if (aboutRivers && asksForRanking(plain, found, measure)) return query('ranking');
  return null;
}

function asksForFacts(plain: string, measure: Measure | null): boolean {
  return (
    measure !== null ||
    /\b(?:compare|rivers?|flows?|mouth|where|big|large|versus|vs)\b/u.test(plain)
  );
}

function asksForRanking(
  plain: string,
  found: { countries: readonly string[]; mouth: string | null },
  measure: Measure | null,
): boolean {
  const superlative =
    /\b(?:biggest|largest|greatest|smallest|longest|shortest|mightiest|most|top|list|all)\b/u;
  return (
    superlative.test(plain) ||
    measure !== null ||
    found.countries.length > 0 ||
    found.mouth !== null
  );
}

/** Whether a ranking names no measure: "big" can mean length, discharge or basin. */
export function lacksMeasure(query: RiverQuery, text: string): boolean {
  const plain = wordsOf(text).join(' ');
  return (
    query.kind === 'ranking' &&
    query.measure === null &&
    /\b(?:biggest|largest|greatest|smallest|mightiest)\b/u.test(plain)
  );
}
