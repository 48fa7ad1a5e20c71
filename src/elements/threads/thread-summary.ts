import { firstUnits } from '../../dom/truncate.js';
import type { Locale } from '../../locales/locale.js';
import type { Json, Key } from '../../model/json.js';

/** Longest title that is rendered, in UTF-16 units. */
const MAX_TITLE_LENGTH = 200;

function fieldOf(summary: Json | undefined, name: string): Json {
  if (typeof summary !== 'object' || summary === null || Array.isArray(summary)) return null;
  return (summary as { readonly [name: string]: Json })[name] ?? null;
}

/** Returns when a thread was last changed, else when it was created, in ms since the epoch; 0 when the service sends neither. */
export function updatedAtOf(summary: Json | undefined): number {
  const time = fieldOf(summary, 'updatedAt') ?? fieldOf(summary, 'createdAt');
  return typeof time === 'number' ? time : 0;
}

/**
 * Returns the title of a thread, or the start of a long one, in one line, with control characters, line separators and bidi controls replaced
 * by spaces; empty when it has none.
 */
export function titleOf(summary: Json | undefined): string {
  const title = fieldOf(summary, 'title');
  if (typeof title !== 'string') return '';
  // U+2028 and U+2029 separate lines; the other characters embed, override or isolate a direction.
  return firstUnits(title, MAX_TITLE_LENGTH)
    .replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
}

/** Returns the names of the tools that are enabled in a thread; empty when the service does not send them. */
export function toolsOf(summary: Json | undefined): readonly string[] {
  const tools = fieldOf(summary, 'tools');
  return (Array.isArray(tools) ? (tools as readonly Json[]) : []).flatMap((tool) => {
    const name = fieldOf(tool, 'name');
    return typeof name === 'string' ? [name] : [];
  });
}

/** Returns the flags that the service sends for a thread in its list. */
export function flagsOf(summary: Json | undefined): {
  readonly isRunning: boolean;
  readonly isUnread: boolean;
  readonly hasFailed: boolean;
} {
  return {
    isRunning: fieldOf(summary, 'isRunning') === true,
    isUnread: fieldOf(summary, 'isUnread') === true,
    hasFailed: fieldOf(summary, 'hasFailed') === true,
  };
}

/** Returns the ids of the threads, the most recently changed one first. */
export function sortThreads(threads: ReadonlyMap<Key, Json>): readonly Key[] {
  const times = Array.from(threads, ([id, summary]) => ({ id, time: updatedAtOf(summary) }));
  return times.sort((left, right) => right.time - left.time).map(({ id }) => id);
}

/** Returns a text without case and diacritics, for comparison in a search. */
export function normalizeForSearch(text: string, { lang }: Locale): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase(lang);
}
