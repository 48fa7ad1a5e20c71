import type { Suggestion } from './composer-options.js';

const MAX_SUGGESTIONS = 50;
/** Longest query, including the trigger character. Limits the text that is searched for each typed character. */
const MAX_QUERY = 64;

/** A trigger character and a query at the caret, for which suggestions can be offered. */
export interface Trigger {
  readonly character: '/' | '@';
  /** Index of the trigger character in the text. */
  readonly start: number;
  /** The text between the trigger character and the caret. */
  readonly query: string;
}

/**
 * Finds the trigger at the caret: a command at the beginning of the message, or a name after an `@` that is not part of an e-mail address.
 * Null when there is none.
 */
export function findTrigger(text: string, caret: number): Trigger | null {
  // Includes the character before the longest query, because it decides whether an `@` is part of an e-mail address.
  const before = text.slice(Math.max(0, caret - MAX_QUERY - 1), caret);
  const [, name] = /(?<![\w.+-])@([^\s@]*)$/.exec(before) ?? [];
  if (name !== undefined && name.length < MAX_QUERY)
    return { character: '@', start: caret - name.length - 1, query: name };
  const isCommand = caret <= MAX_QUERY && /^\/\S*$/.test(before);
  return isCommand ? { character: '/', start: 0, query: before.slice(1) } : null;
}

/** Returns the first valid suggestions of a value from the host page. */
export function readSuggestions(value: unknown, limit = MAX_SUGGESTIONS): readonly Suggestion[] {
  const all = Array.isArray(value) ? (value as unknown[]) : [];
  return all
    .filter((one) => typeof (one as Partial<Suggestion> | null)?.name === 'string')
    .slice(0, limit) as Suggestion[];
}

/**
 * Returns the suggestions that match a query, in this order: the name starts with it, the name contains it, the description contains it
 * (only if the query has at least three characters).
 */
export function filterSuggestions(all: unknown, query: string): readonly Suggestion[] {
  const needle = query.toLocaleLowerCase();
  /** Returns 3 for a suggestion that does not match. */
  const rankOf = ({ name, description }: Suggestion): number => {
    const candidate = name.toLocaleLowerCase();
    if (candidate.startsWith(needle)) return 0;
    if (candidate.includes(needle)) return 1;
    const isDescribed = needle.length > 2 && description?.toLocaleLowerCase().includes(needle);
    return isDescribed ? 2 : 3;
  };
  const ranked = readSuggestions(all, Infinity)
    .map((one) => ({ one, rank: rankOf(one) }))
    .filter(({ rank }) => rank < 3)
    .sort((first, second) => first.rank - second.rank);
  return ranked.slice(0, MAX_SUGGESTIONS).map(({ one }) => one);
}
