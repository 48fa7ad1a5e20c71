import { en } from './en.js';

/** Name of one text of the interface. */
export type StringName = keyof typeof en;

/** A text: one sentence, or one for each plural form of the language; `other` is always there. */
export type LocaleText =
  string | ({ readonly other: string } & { readonly [Rule in Intl.LDMLPluralRule]?: string });

/** The texts of a language. */
export type Strings = { readonly [Name in StringName]: LocaleText };

/** What is filled into a text. Numbers are written as the language writes them; `count` chooses the plural form. */
export type Values = Readonly<Record<string, string | number>>;

const BASE = new Map<string, LocaleText>(Object.entries(en));
const registered = new Map<string, Map<string, LocaleText>>();
const listeners = new Set<() => void>();
const cache = new Map<string, Locale>();

/** The words, numbers and times of one language. */
export class Locale {
  /** BCP 47 tag. */
  readonly lang: string;
  readonly #texts: ReadonlyMap<string, LocaleText>;
  readonly #number: Intl.NumberFormat;
  readonly #plural: Intl.PluralRules;

  constructor(lang: string, texts: ReadonlyMap<string, LocaleText>) {
    this.lang = lang;
    this.#texts = texts;
    this.#number = new Intl.NumberFormat(lang);
    this.#plural = new Intl.PluralRules(lang);
  }

  /** A text with its values filled in; English where this language lacks it. */
  readonly text = (name: StringName, values: Values = {}): string => this.#fill(name, values);

  /** A text by a name that is made up from data, such as a tool's; undefined when there is none. */
  find(name: string): string | undefined {
    return this.#texts.has(name) || BASE.has(name) ? this.#fill(name, {}) : undefined;
  }

  /** A length of time, given in ms: "1.2s", "2m 5s". */
  duration(ms: number): string {
    const seconds = Math.max(0, ms) / 1000;
    const minutes = Math.floor(seconds / 60);
    if (minutes === 0) return this.#unit('second', seconds, seconds < 10 ? 1 : 0);
    return `${this.#unit('minute', minutes, 0)} ${this.#unit('second', Math.floor(seconds % 60), 0)}`;
  }

  /** A share, 0 … 100. */
  percent(value: number): string {
    return new Intl.NumberFormat(this.lang, { style: 'percent' }).format(value / 100);
  }

  /** A size in bytes or characters: "12 kB". */
  size(bytes: number): string {
    return this.#unit('kilobyte', Math.ceil(bytes / 1000), 0);
  }

  /** A moment, given in ms since the epoch: its time, and its date too unless it lies on the day of `now`. */
  moment(at: number, now: number): string {
    const sameDay = new Date(at).toDateString() === new Date(now).toDateString();
    const options: Intl.DateTimeFormatOptions = { timeStyle: 'short' };
    if (!sameDay) options.dateStyle = 'medium';
    return new Intl.DateTimeFormat(this.lang, options).format(at);
  }

  #unit(unit: string, value: number, maximumFractionDigits: number): string {
    return new Intl.NumberFormat(this.lang, {
      style: 'unit',
      unit,
      unitDisplay: unit === 'kilobyte' ? 'short' : 'narrow',
      maximumFractionDigits,
    }).format(value);
  }

  #fill(name: string, values: Values): string {
    const text = this.#texts.get(name) ?? BASE.get(name) ?? name;
    const { count } = values;
    const form =
      typeof text === 'string'
        ? text
        : (text[typeof count === 'number' ? this.#plural.select(count) : 'other'] ?? text.other);
    return form.replace(/\{(\w+)\}/g, (hole, key: string) => {
      const value = Object.hasOwn(values, key) ? values[key] : undefined;
      return typeof value === 'number' ? this.#number.format(value) : (value ?? hole);
    });
  }
}

/**
 * Adds a language, or replaces single texts of one. What is missing is shown in English. Elements on the page follow at once.
 *
 * @example
 * registerLocale('en-GB', { send: 'Post' });
 */
export function registerLocale(lang: string, strings: Partial<Strings>): void {
  const name = lang.toLowerCase();
  const texts = registered.get(name) ?? new Map<string, LocaleText>();
  for (const [key, text] of Object.entries(strings)) texts.set(key, text);
  registered.set(name, texts);
  cache.clear();
  listeners.forEach((listener) => {
    listener();
  });
}

/**
 * The texts for a language tag: the nearest registered language ("fr-CA" finds "fr"), else English. Numbers and times follow
 * the tag as it is. A tag that is none counts as English.
 */
export function findLocale(tag: string): Locale {
  const known = cache.get(tag);
  if (known) return known;
  const locale = createLocale(tag);
  cache.set(tag, locale);
  return locale;
}

/** Calls back when a language was added; returns the way to stop it. */
export function onLocaleChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function createLocale(tag: string): Locale {
  const texts = new Map<string, LocaleText>();
  const pieces = tag.toLowerCase().split('-');
  for (let length = 1; length <= pieces.length; length++) {
    registered.get(pieces.slice(0, length).join('-'))?.forEach((text, key) => texts.set(key, text));
  }
  try {
    return new Locale(Intl.getCanonicalLocales(tag)[0] ?? 'en', texts);
  } catch {
    // Not a language tag. The page wrote it; a chat in English is better than none.
    return new Locale('en', texts);
  }
}
