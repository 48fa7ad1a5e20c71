import type { Suggestion } from '../writing-options.js';

/** Suggestions that are shown at most. */
const SHOWN = 50;
/** Letters after a sign that are looked at. */
const LONGEST = 64;

/** What somebody is writing that something can be offered for. */
export interface Trigger {
  readonly sign: '/' | '@';
  /** Where the sign stands. */
  readonly start: number;
  /** What is written after it, up to the caret. */
  readonly query: string;
}

/** What is written at the caret: a command at the beginning of the message, or a name after `@` that belongs to no address. */
export function findTrigger(text: string, caret: number): Trigger | null {
  const before = text.slice(Math.max(0, caret - LONGEST), caret);
  const [, name] = /(?:^|[^\w.+-])@([^\s@]*)$/.exec(before) ?? [];
  if (name !== undefined) return { sign: '@', start: caret - name.length - 1, query: name };
  const isCommand = caret > 0 && caret <= LONGEST && /^\/\S*$/.test(before);
  return isCommand ? { sign: '/', start: 0, query: before.slice(1) } : null;
}

/** What a page offers may be anything: the first of those that are suggestions. */
export function readSuggestions(offered: unknown, most = SHOWN): readonly Suggestion[] {
  const all = Array.isArray(offered) ? (offered as unknown[]) : [];
  return all
    .filter((one) => typeof (one as Partial<Suggestion> | null)?.name === 'string')
    .slice(0, most) as Suggestion[];
}

/** Those that fit: first the ones that begin so, then those in which a word does, or that say so. */
export function filterSuggestions(all: unknown, query: string): readonly Suggestion[] {
  const wanted = query.toLocaleLowerCase();
  const rankOf = ({ name, description }: Suggestion): number => {
    const low = name.toLocaleLowerCase();
    if (low.startsWith(wanted)) return 0;
    if (low.includes(wanted)) return 1;
    const isTold = wanted.length > 2 && description?.toLocaleLowerCase().includes(wanted);
    return isTold ? 2 : 3;
  };
  const ranked = readSuggestions(all, Infinity)
    .map((one) => ({ one, rank: rankOf(one) }))
    .filter(({ rank }) => rank < 3)
    .sort((first, second) => first.rank - second.rank);
  return ranked.slice(0, SHOWN).map(({ one }) => one);
}
