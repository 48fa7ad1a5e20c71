import type { actionStrings } from './en-actions.js';
import type { branchStrings } from './en-branches.js';
import type { checkpointStrings } from './en-checkpoints.js';
import type { dataStrings } from './en-data.js';
import type { debugStrings } from './en-debug.js';
import type { documentStrings } from './en-documents.js';
import type { errorStrings } from './en-errors.js';
import type { formStrings } from './en-forms.js';
import type { keyboardStrings } from './en-keys.js';
import type { linkStrings } from './en-links.js';
import type { markdownStrings } from './en-markdown.js';
import type { menuStrings } from './en-menu.js';
import type { messageStrings } from './en-messages.js';
import type { optionStrings } from './en-options.js';
import type { passageStrings } from './en-passage.js';
import type { queueStrings } from './en-queue.js';
import type { requestStrings } from './en-requests.js';
import type { restoredStrings } from './en-restored.js';
import type { shortcutStrings } from './en-shortcuts.js';
import type { sidePanelStrings } from './en-side-panels.js';
import type { speechStrings } from './en-speech.js';
import type { threadStrings } from './en-threads.js';
import type { toolStrings } from './en-tools.js';
import type { announcementStrings } from './en-announcements.js';
import type { summaryStrings } from './en-summary.js';
import type { usageStrings } from './en-usage.js';
import type { windowStrings } from './en-window.js';
import type { composerStrings } from './en-composer.js';
import type { chartStrings } from './en-chart.js';
import type { pageStrings } from './en-page.js';
import type { gateStrings } from './en-gate.js';
import type { pageToolStrings } from './en-page-tools.js';
import type { sourceStrings } from './en-sources.js';
import { en } from './en.js';
import { languageFileFor, isRightToLeft } from './tag.js';

type EnglishStrings = typeof en &
  typeof actionStrings &
  typeof branchStrings &
  typeof checkpointStrings &
  typeof dataStrings &
  typeof debugStrings &
  typeof documentStrings &
  typeof errorStrings &
  typeof formStrings &
  typeof keyboardStrings &
  typeof linkStrings &
  typeof markdownStrings &
  typeof menuStrings &
  typeof messageStrings &
  typeof optionStrings &
  typeof passageStrings &
  typeof queueStrings &
  typeof requestStrings &
  typeof restoredStrings &
  typeof shortcutStrings &
  typeof sidePanelStrings &
  typeof speechStrings &
  typeof threadStrings &
  typeof toolStrings &
  typeof announcementStrings &
  typeof summaryStrings &
  typeof usageStrings &
  typeof windowStrings &
  typeof composerStrings &
  typeof chartStrings &
  typeof pageStrings &
  typeof gateStrings &
  typeof pageToolStrings &
  typeof sourceStrings;

/** Name of one string of the interface. */
export type StringName = keyof EnglishStrings;

/** A string, or one string for each plural category of the language, of which `other` is required. */
export type LocaleText =
  | string
  | ({ readonly other: string } & { readonly [Rule in Intl.LDMLPluralRule]?: string });

/**
 * The strings of a language. `error_…` is the message for an error code (by default the English one of `UbikError`), `tool_…` is the label
 * of a tool (by default its name split into words), `option_…` is that of a message option (by default the title in its schema).
 */
export type Strings = { readonly [Name in StringName]: LocaleText } & {
  readonly [name: `error_${string}` | `tool_${string}` | `option_${string}`]: LocaleText;
};

/** The strings in a language file. A test compares their names with the English ones. */
export type LanguageStrings = Readonly<Record<string, LocaleText>>;

/** Values for the placeholders of a string. Numbers are formatted in the language; `count` selects the plural form. */
export type Values = Readonly<Record<string, string | number>>;

type Texts = ReadonlyMap<string, LocaleText>;

/** English, the fallback for missing strings. */
const DEFAULTS = new Map<string, LocaleText>(Object.entries(en));
/** Number of the strings that every page needs. `DEFAULTS` grows as files are loaded, which must not change a page's `lang` attributes. */
const ESSENTIAL_COUNT = DEFAULTS.size;
/** Strings that were added by `registerLocale`, by language tag. */
const registered = new Map<string, Texts>();
/** Strings from the package's language files, by language. */
const bundled = new Map<string, Texts>();
const listeners = new Set<() => void>();
const cache = new Map<string, Locale>();

/** The strings of one language, and its number and time formats. */
export class Locale {
  /** BCP 47 tag, for `Intl` formatters. */
  readonly lang: string;
  /** Whether the language is written from right to left. */
  readonly isRightToLeft: boolean;
  /**
   * The `lang` attribute of the interface: English when the requested language has no strings, or only a few. Undefined when it equals the
   * language of the page, so that no attribute is needed.
   */
  readonly uiLang: string | undefined;
  /** The `lang` attribute of texts by users and agents inside the interface: that of the page. Undefined when `uiLang` is. */
  readonly contentLang: string | undefined;
  readonly #texts: Texts;
  #times: Intl.DateTimeFormat | undefined;

  /** `pageLang` is the language that the page declares; empty when it declares none. */
  constructor(lang: string, texts: Texts, pageLang: string) {
    this.lang = lang;
    this.isRightToLeft = isRightToLeft(lang);
    this.#texts = texts;
    // If a page has registered only a few strings of a language, the interface is still English.
    const isTranslated = /^en\b/.test(lang) || texts.size * 2 > ESSENTIAL_COUNT;
    const uiLang = isTranslated ? lang : 'en';
    if (pageLang.toLowerCase() === uiLang.toLowerCase()) return;
    this.uiLang = uiLang;
    this.contentLang = pageLang;
  }

  /** Returns a string with its placeholders replaced. Falls back to English. */
  readonly text = (name: StringName, values: Values = {}): string =>
    this.find(name, values) ?? name;

  /** Returns a string whose name is built from data, such as the name of a tool; undefined when there is none. */
  find(name: string, values: Values = {}): string | undefined {
    const own = this.#texts.get(name);
    let text = own ?? DEFAULTS.get(name);
    if (typeof text === 'object') {
      const rules = new Intl.PluralRules(own ? this.lang : 'en');
      text = text[rules.select(Number(values['count']))] ?? text.other;
    }
    return text?.replace(/\{(\w+)\}/g, (placeholder, key: string) => {
      const value = Object.hasOwn(values, key) ? values[key] : placeholder;
      return typeof value === 'number' ? this.#number(value) : this.#isolate(value ?? placeholder);
    });
  }

  /** Isolates a value in right-to-left text, so that punctuation at its end stays at its end (Unicode Bidi, FSI … PDI). */
  #isolate(value: string): string {
    return this.isRightToLeft && value ? `\u2068${value}\u2069` : value;
  }

  /** Joins texts to a list, such as "a, b, c"; isolates each like a value of a string. */
  list(texts: readonly string[], options: Intl.ListFormatOptions): string {
    return new Intl.ListFormat(this.lang, options).format(texts.map((text) => this.#isolate(text)));
  }

  /** Formats a duration in ms: "1.2s", "2m 5s". In languages other than English, a space precedes the unit where the language requires one. */
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

  /** Formats the time of day of a timestamp (ms since the epoch), to the second. */
  timeOfDay(at: number): string {
    this.#times ??= new Intl.DateTimeFormat(this.lang, { timeStyle: 'medium' });
    return this.#times.format(at);
  }

  /** Formats a percentage, 0 … 100. */
  percent(value: number): string {
    return this.#number(value / 100, { style: 'percent' });
  }

  /** Formats a size in bytes or characters, rounded up to whole kilobytes: "12 kB". */
  size(bytes: number): string {
    return this.#number(Math.ceil(bytes / 1000), { style: 'unit', unit: 'kilobyte' });
  }

  #number(value: number, options?: Intl.NumberFormatOptions): string {
    // Creating the first formatter takes longer than a frame, and a small integer in English needs none.
    const isPlain = !options && /^en(-\w\w)?$/.test(this.lang) && value >= 0 && value < 1000;
    if (isPlain && Number.isInteger(value)) return `${value}`;
    return new Intl.NumberFormat(this.lang, options).format(value);
  }
}

/**
 * Adds a language, or overrides strings of a language, including those of the package. Missing strings fall back to English. Elements on
 * the page update immediately.
 *
 * @example
 * registerLocale('en-GB', { send: 'Post' });
 */
export function registerLocale(lang: string, strings: Partial<Strings>): void {
  const name = lang.toLowerCase();
  const texts = new Map(registered.get(name));
  for (const [key, text] of Object.entries(strings)) if (text) texts.set(key, text);
  registered.set(name, texts);
  notifyListeners();
}

/** Adds the strings of a language file. Those of `registerLocale` take precedence, whichever are added first. */
export function addLanguageStrings(lang: string, strings: LanguageStrings): void {
  bundled.set(lang, new Map(Object.entries(strings)));
  notifyListeners();
}

function notifyListeners(): void {
  cache.clear();
  for (const listener of listeners) listener();
}

/**
 * Returns the locale for a language tag: the strings of the nearest language ("fr-CA" finds "fr"), else English; number and time formats of
 * the whole tag. An invalid tag counts as English. `pageLang` is the language that the page declares, by default the tag; empty when the
 * page declares none.
 */
export function findLocale(tag: string, pageLang = tag): Locale {
  const key = pageLang === tag ? tag : `${tag} ${pageLang}`;
  let locale = cache.get(key);
  if (!locale) cache.set(key, (locale = createLocale(tag, pageLang)));
  return locale;
}

/** Adds the English strings of a lazy-loaded file. Call this before anything in the file renders. */
export function addDefaultStrings(
  strings: Readonly<Partial<Record<StringName, LocaleText>>>,
): void {
  for (const [name, text] of Object.entries(strings)) DEFAULTS.set(name, text);
}

/** Calls `listener` when strings of a language were added, but not for {@link addDefaultStrings}. Returns the function that unsubscribes it. */
export function onLocaleChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function createLocale(tag: string, pageLang: string): Locale {
  const texts = new Map(bundled.get(languageFileFor(tag)));
  let prefix = '';
  for (const subtag of tag.toLowerCase().split('-')) {
    prefix += subtag;
    registered.get(prefix)?.forEach((text, key) => texts.set(key, text));
    prefix += '-';
  }
  try {
    return new Locale(Intl.getCanonicalLocales(tag)[0] ?? 'en', texts, pageLang);
  } catch {
    // The host page has set an invalid tag: fall back to English instead of throwing.
    return new Locale('en', texts, pageLang);
  }
}
