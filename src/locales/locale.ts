import type { branchWords } from './en-branches.js';
import type { checkpointWords } from './en-checkpoints.js';
import type { documentWords } from './en-documents.js';
import type { formWords } from './en-forms.js';
import type { keyWords } from './en-keys.js';
import type { linkWords } from './en-links.js';
import type { markdownWords } from './en-markdown.js';
import type { menuWords } from './en-menu.js';
import type { messageWords } from './en-messages.js';
import type { queueWords } from './en-queue.js';
import type { sideWords } from './en-sides.js';
import type { speechWords } from './en-speech.js';
import type { threadWords } from './en-threads.js';
import type { voiceWords } from './en-voice.js';
import type { windowWords } from './en-window.js';
import type { writingWords } from './en-writing.js';
import { en } from './en.js';
import { fileFor, isRightToLeft } from './tag.js';

type Words = typeof en &
  typeof branchWords &
  typeof checkpointWords &
  typeof documentWords &
  typeof formWords &
  typeof keyWords &
  typeof linkWords &
  typeof markdownWords &
  typeof menuWords &
  typeof messageWords &
  typeof queueWords &
  typeof sideWords &
  typeof speechWords &
  typeof threadWords &
  typeof voiceWords &
  typeof windowWords &
  typeof writingWords;

/** Name of one text of the interface. */
export type StringName = keyof Words;

/** A text: one sentence, or one for each plural form of the language; `other` is always there. */
export type LocaleText =
  | string
  | ({ readonly other: string } & { readonly [Rule in Intl.LDMLPluralRule]?: string });

/**
 * The texts of a language. `error_…` is a sentence for an error's code, by default the English one of `UbikError`; `tool_…` is what
 * a tool is called, by default its own name in words.
 */
export type Strings = { readonly [Name in StringName]: LocaleText } & {
  readonly [name: `error_${string}` | `tool_${string}`]: LocaleText;
};

/** What is filled into a text. Numbers are written as the language writes them; `count` chooses the plural form. */
export type Values = Readonly<Record<string, string | number>>;

type Texts = ReadonlyMap<string, LocaleText>;

/** English, which stands in for what a language lacks. */
const BASE = new Map<string, LocaleText>(Object.entries(en));
/** What was registered, by language tag. */
const registered = new Map<string, Texts>();
/** What came with the files of languages. */
const supplied = new Map<string, Texts>();
const listeners = new Set<() => void>();
const cache = new Map<string, Locale>();

/** The words, numbers and times of one language. */
export class Locale {
  /** BCP 47 tag, for formatters that are needed seldom. */
  readonly lang: string;
  /** Whether the language is written from right to left. */
  readonly isRightToLeft: boolean;
  /**
   * `lang` for the words: the language that they are in, which is English where there are none of the language that was asked for.
   * Undefined where it is that of the page around, so that nothing is to be said.
   */
  readonly uiLang: string | undefined;
  /** `lang` for what people and agents have written, amid such words: what the page says. Undefined where the words have none. */
  readonly contentLang: string | undefined;
  readonly #texts: Texts;
  #times: Intl.DateTimeFormat | undefined;

  /** `said`: what the page says of its language; empty when it says nothing. */
  constructor(lang: string, texts: Texts, said: string) {
    this.lang = lang;
    this.isRightToLeft = isRightToLeft(lang);
    this.#texts = texts;
    // A page may have replaced a few words alone.
    const isSpoken = /^en\b/.test(lang) || texts.size * 2 > BASE.size;
    const spoken = isSpoken ? lang : 'en';
    if (said.toLowerCase() === spoken.toLowerCase()) return;
    this.uiLang = spoken;
    this.contentLang = said;
  }

  /** A text with its values filled in; English where this language lacks it. */
  readonly text = (name: StringName, values: Values = {}): string =>
    this.find(name, values) ?? name;

  /** A text by a name that is made up from data, such as a tool's; undefined when there is none. */
  find(name: string, values: Values = {}): string | undefined {
    const own = this.#texts.get(name);
    let text = own ?? BASE.get(name);
    if (typeof text === 'object') {
      const rules = new Intl.PluralRules(own ? this.lang : 'en');
      text = text[rules.select(Number(values['count']))] ?? text.other;
    }
    return text?.replace(/\{(\w+)\}/g, (hole, key: string) => {
      const value = Object.hasOwn(values, key) ? values[key] : hole;
      return typeof value === 'number' ? this.#number(value) : this.#setApart(value ?? hole);
    });
  }

  /** Words of somebody else in words from right to left: the signs at their end are theirs, and stand at their end. */
  #setApart(value: string): string {
    return this.isRightToLeft && value ? `\u2068${value}\u2069` : value;
  }

  /** A length of time, given in ms: "1.2s", "2m 5s". Other languages than English keep a space before the unit. */
  duration(ms: number): string {
    const seconds = Math.max(0, ms) / 1000;
    const unitDisplay = this.lang.startsWith('en') ? 'narrow' : 'short';
    const unit = (name: string, value: number, maximumFractionDigits: number): string =>
      this.#number(value, {
        style: 'unit',
        unit: name,
        unitDisplay,
        maximumFractionDigits,
      });
    if (seconds < 60) return unit('second', seconds, seconds < 10 ? 1 : 0);
    const pieces = [
      unit('minute', Math.floor(seconds / 60), 0),
      unit('second', Math.floor(seconds % 60), 0),
    ];
    return new Intl.ListFormat(this.lang, { type: 'unit', style: 'narrow' }).format(pieces);
  }

  /** The time of day of an instant (ms since the epoch), to the second. */
  timeOfDay(at: number): string {
    this.#times ??= new Intl.DateTimeFormat(this.lang, { timeStyle: 'medium' });
    return this.#times.format(at);
  }

  /** A share, 0 … 100. */
  percent(value: number): string {
    return this.#number(value / 100, { style: 'percent' });
  }

  /** A size in bytes or characters: "12 kB". */
  size(bytes: number): string {
    return this.#number(Math.ceil(bytes / 1000), { style: 'unit', unit: 'kilobyte' });
  }

  #number(value: number, options?: Intl.NumberFormatOptions): string {
    // The first formatter costs a page more than a frame, and a small number in English is its digits.
    const isDigits = !options && /^en(-\w\w)?$/.test(this.lang) && value >= 0 && value < 1000;
    if (isDigits && Number.isInteger(value)) return `${value}`;
    return new Intl.NumberFormat(this.lang, options).format(value);
  }
}

/**
 * Adds a language, or replaces single texts of one, also of those that come with the package. What is missing is shown in English.
 * Elements on the page follow at once.
 *
 * @example
 * registerLocale('en-GB', { send: 'Post' });
 */
export function registerLocale(lang: string, strings: Partial<Strings>): void {
  const name = lang.toLowerCase();
  const texts = new Map(registered.get(name));
  for (const [key, text] of Object.entries(strings)) if (text) texts.set(key, text);
  registered.set(name, texts);
  tellListeners();
}

/** Takes in the words of a language that came with its file. What was registered goes before them, whichever was first. */
export function addLanguage(lang: string, words: Readonly<Record<string, LocaleText>>): void {
  supplied.set(lang, new Map(Object.entries(words)));
  tellListeners();
}

function tellListeners(): void {
  cache.clear();
  for (const listener of listeners) listener();
}

/**
 * The texts for a language tag: the nearest registered language ("fr-CA" finds "fr"), else English. Numbers and times follow
 * the tag as it is. A tag that is none counts as English. `said` is what the page says of its language, where that is another thing
 * than what was asked for: empty when it says nothing.
 */
export function findLocale(tag: string, said = tag): Locale {
  const key = said === tag ? tag : `${tag} ${said}`;
  let locale = cache.get(key);
  if (!locale) cache.set(key, (locale = createLocale(tag, said)));
  return locale;
}

/** Adds the English words of a file that is fetched later. Whoever draws by them has asked for that file. */
export function addWords(words: Readonly<Partial<Record<StringName, LocaleText>>>): void {
  for (const [name, text] of Object.entries(words)) BASE.set(name, text);
}

/** Calls back when a language was added; returns the way to stop it. */
export function onLocaleChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function createLocale(tag: string, said: string): Locale {
  const texts = new Map(supplied.get(fileFor(tag)));
  let name = '';
  for (const piece of tag.toLowerCase().split('-')) {
    name += piece;
    registered.get(name)?.forEach((text, key) => texts.set(key, text));
    name += '-';
  }
  try {
    return new Locale(Intl.getCanonicalLocales(tag)[0] ?? 'en', texts, said);
  } catch {
    // Not a language tag. The page wrote it; a chat in English is better than none.
    return new Locale('en', texts, said);
  }
}
