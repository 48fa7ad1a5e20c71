import type { Locale } from '../../locales/locale.js';
import type { Json, Key } from '../../model/json.js';

/** Characters of a title that are shown; the rest would only cost. */
const LONGEST = 200;

/** A stretch of time under one heading. */
export interface DateGroup {
  readonly key: string;
  readonly words: string;
}

function fieldOf(summary: Json | undefined, name: string): Json {
  if (typeof summary !== 'object' || summary === null || Array.isArray(summary)) return null;
  return (summary as { readonly [name: string]: Json })[name] ?? null;
}

/** When a thread was last changed, ms since the epoch; 0 when nobody says. */
export function timeOf(summary: Json | undefined): number {
  const time = fieldOf(summary, 'updatedAt') ?? fieldOf(summary, 'createdAt');
  return typeof time === 'number' ? time : 0;
}

/** Its title as one line of text, without what would turn or hide other text; empty when it has none. */
export function titleOf(summary: Json | undefined): string {
  const title = fieldOf(summary, 'title');
  if (typeof title !== 'string') return '';
  return title
    .slice(0, LONGEST)
    .replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
}

/** The names of the tools that are active in a thread; empty when the service does not say. */
export function toolsOf(summary: Json | undefined): readonly string[] {
  const tools = fieldOf(summary, 'tools');
  return (Array.isArray(tools) ? (tools as readonly Json[]) : []).flatMap((tool) => {
    const name = fieldOf(tool, 'name');
    return typeof name === 'string' ? [name] : [];
  });
}

/** The ids of threads, the last changed first. */
export function sortThreads(threads: ReadonlyMap<Key, Json>): readonly Key[] {
  const time = (id: Key): number => timeOf(threads.get(id));
  return [...threads.keys()].sort((left, right) => time(right) - time(left));
}

/** A text as it is compared in a search. */
export function foldText(text: string, { lang }: Locale): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase(lang);
}

/** Today, yesterday, the week before, then months. */
export class DateGroups {
  readonly #locale: Locale;
  readonly #starts: readonly number[];
  readonly #named = new Map<number, DateGroup>();
  readonly #months: Intl.DateTimeFormat;
  readonly #days: Intl.RelativeTimeFormat;

  /** `now` in ms since the epoch. */
  constructor(locale: Locale, now: number) {
    this.#locale = locale;
    this.#starts = [0, 1, 7].map((days) => startOfDay(now, days));
    this.#months = new Intl.DateTimeFormat(locale.lang, { month: 'long', year: 'numeric' });
    this.#days = new Intl.RelativeTimeFormat(locale.lang, { numeric: 'auto' });
  }

  /** The group of an instant, ms since the epoch; 0: it has none. */
  of(time: number): DateGroup {
    const { text } = this.#locale;
    if (time === 0) return { key: '', words: text('threadsUndated') };
    const [today = 0, yesterday = 0, week = 0] = this.#starts;
    if (time >= today) return { key: 'today', words: this.#days.format(0, 'day') };
    if (time >= yesterday) return { key: 'yesterday', words: this.#days.format(-1, 'day') };
    if (time >= week) return { key: 'week', words: text('threadsWeek') };
    const date = new Date(time);
    const month = date.getFullYear() * 12 + date.getMonth();
    // Thousands of threads have some months.
    let group = this.#named.get(month);
    if (!group) {
      group = { key: `${month}`, words: this.#months.format(date) };
      this.#named.set(month, group);
    }
    return group;
  }
}

/** The beginning of a day some days ago, in the person's time zone. */
function startOfDay(now: number, days: number): number {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - days).getTime();
}
