import type { NamedValue, Schema } from './schema.js';
import { ALSO_WORDS } from './place-names.js';
import { readNumber, tokenize, type Token } from './tokens.js';
import { VOCABULARIES, type ReadLanguage } from './vocabulary.js';

/** A part of a question with a meaning. */
export interface Item {
  /** The name of the meaning, as in the vocabulary; `name` for a value of the schema, `number` for a number. */
  readonly kind: string;
  readonly args: readonly string[];
  /** Indexes of its first token and of the token after its last one. */
  readonly from: number;
  readonly to: number;
  /** The values that a `name` can mean; empty for other kinds. */
  readonly values: readonly NamedValue[];
  /** The value of a `number`; 0 for other kinds. */
  readonly number: number;
}

/** The parts of a question that have a meaning, and the tokens that have none. */
export interface ReadItems {
  readonly language: ReadLanguage;
  readonly tokens: readonly Token[];
  /** In the order of the question, without fillers. */
  readonly items: readonly Item[];
  /** Indexes of the tokens without a meaning. */
  readonly unknown: readonly number[];
}

/** Number of words of the longest phrase that is looked up. */
const LONGEST_PHRASE = 6;

/** Signs that separate names and words. */
const SEPARATORS = new Set(['/', '(', ')']);

/** Finds the parts of a question that have a meaning, in the language that gives a meaning to most of its words. */
export function readItems(question: string, schema: Schema): ReadItems {
  const tokens = tokenize(question).filter((token) => !SEPARATORS.has(token.text));
  const readings = (['en', 'de', 'fr'] as const).map((language) =>
    readIn(language, language === 'fr' ? restoreAccent(tokens) : tokens, schema),
  );
  // The first language wins among equal ones.
  return readings.reduce((best, each) => (each.unknown.length < best.unknown.length ? each : best));
}

/** French words that may follow "où" at the beginning of a question, in addition to the verbs of the vocabulary. */
const AFTER_WHERE = new Set(['est', 'sont', 'se']);

/** Kinds of meanings that French verbs have. */
const VERB = /^(?:verb$|relation:(?:into|through))/u;

/** Reads a French "ou" before a verb at the beginning of a question as "où" ("where"), because "or" cannot be there. */
function restoreAccent(tokens: readonly Token[]): readonly Token[] {
  const [first, second, ...rest] = tokens;
  if (first?.plain !== 'ou' || second === undefined) return tokens;
  const isVerb =
    AFTER_WHERE.has(second.plain) || VERB.test(VOCABULARIES.fr.get(second.plain) ?? '');
  return isVerb ? [{ ...first, plain: 'où' }, second, ...rest] : tokens;
}

function readIn(language: ReadLanguage, tokens: readonly Token[], schema: Schema): ReadItems {
  const items: Item[] = [];
  const unknown: number[] = [];
  let from = 0;
  while (from < tokens.length) {
    const found = findPhrase(language, tokens, from, schema);
    if (found === null) {
      unknown.push(from);
      from += 1;
      continue;
    }
    items.push(...found.items.filter((item) => item.kind !== 'filler'));
    from = found.to;
  }
  return { language, tokens, items, unknown };
}

function findPhrase(
  language: ReadLanguage,
  tokens: readonly Token[],
  from: number,
  schema: Schema,
): { readonly items: readonly Item[]; readonly to: number } | null {
  const first = tokens[from];
  if (first?.isNumber === true) return readDigits(language, first, from);
  for (let length = Math.min(LONGEST_PHRASE, tokens.length - from); length > 0; length -= 1) {
    const to = from + length;
    const part = tokens.slice(from, to);
    const phrase = part.map((token) => token.plain).join(' ');
    const values = schema.names.get(phrase);
    const isName = !ALSO_WORDS.has(phrase) || /^\p{Lu}/u.test(part[0]?.text ?? '');
    if (values !== undefined && isName) {
      return { items: [createItem('name', [], from, to, { values })], to };
    }
    const meaning = schema.words.get(phrase) ?? VOCABULARIES[language].get(phrase);
    if (meaning !== undefined) return { items: parseMeaning(meaning, from, to), to };
  }
  return null;
}

function readDigits(
  language: ReadLanguage,
  token: Token,
  from: number,
): { readonly items: readonly Item[]; readonly to: number } | null {
  const ordinal = /^(\d+)(?:st|nd|rd|th|er|e|eme)$/u.exec(token.plain)?.[1];
  const to = from + 1;
  if (ordinal !== undefined) return { items: [createItem('ordinal', [ordinal], from, to)], to };
  const number = /^[\d.,'’ \u00a0\u202f]+$/u.test(token.text)
    ? readNumber(token.text, language === 'en' ? 'point' : 'comma')
    : null;
  return number === null ? null : { items: [createItem('number', [], from, to, { number })], to };
}

function parseMeaning(meaning: string, from: number, to: number): Item[] {
  return meaning.split('+').map((each) => {
    const [kind = '', ...args] = each.split(':');
    return createItem(kind, args, from, to, kind === 'number' ? { number: Number(args[0]) } : {});
  });
}

function createItem(
  kind: string,
  args: readonly string[],
  from: number,
  to: number,
  more: Partial<Pick<Item, 'values' | 'number'>> = {},
): Item {
  return { kind, args, from, to, values: [], number: 0, ...more };
}

/** Kinds of items that need not be applied: they only connect others. */
const CONNECTING = new Set(['which', 'verb', 'than', 'and', 'but', 'all']);

/** Returns the parts of a question that were not applied, as they are in the question. Parts with at most one other token between them are joined. */
export function listUnapplied(read: ReadItems, isUsed: (item: Item) => boolean): string[] {
  const missing = new Set(read.unknown);
  for (const token of read.unknown) {
    // "From Switzerland": an unknown word says something about the name after it.
    const name = read.items.find((item) => item.kind === 'name' && item.from > token);
    if (name === undefined || name.from - token > 2) continue;
    for (let next = name.from; next < name.to; next += 1) missing.add(next);
  }
  for (const item of read.items) {
    if (CONNECTING.has(item.kind) || isUsed(item)) continue;
    for (let token = item.from; token < item.to; token += 1) missing.add(token);
  }
  const parts: string[] = [];
  // So far before index 0 that the first part is not joined to it.
  let last = -3;
  for (const token of [...missing].sort((one, other) => one - other)) {
    const isNear = token - last <= 2;
    const text = read.tokens
      .slice(isNear ? last + 1 : token, token + 1)
      .map((each) => each.text)
      .join(' ');
    if (isNear) parts.push(`${parts.pop() ?? ''} ${text}`);
    else parts.push(text);
    last = token;
  }
  return parts;
}
