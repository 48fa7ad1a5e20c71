import { addLanguage, type LocaleText } from './locale.js';
import { fileFor } from './tag.js';

/** What the file of a language has in it. */
interface LanguageFile {
  readonly words: Readonly<Record<string, LocaleText>>;
}

/** The languages that come with the package besides English. Each is a file that is fetched when an element asks for it. */
const FILES = new Map<string, () => Promise<LanguageFile>>([
  ['ar', () => import('./ar.js')],
  ['de', () => import('./de.js')],
  ['es', () => import('./es.js')],
  ['fr', () => import('./fr.js')],
  ['ja', () => import('./ja.js')],
  ['zh', () => import('./zh.js')],
]);

const fetched = new Map<string, Promise<void>>();

/**
 * Fetches the words of a language, once; the elements are told by `onLocaleChange`. Nothing is there to wait for when the language
 * has no file. Rejects when it cannot be fetched; the next call tries again.
 */
export function fetchLanguage(tag: string): Promise<void> | undefined {
  const lang = fileFor(tag);
  const fetch = FILES.get(lang);
  if (!fetch) return undefined;
  let arrival = fetched.get(lang);
  if (!arrival) {
    arrival = fetch().then(
      ({ words }) => {
        addLanguage(lang, words);
      },
      (error: unknown) => {
        fetched.delete(lang);
        throw error;
      },
    );
    fetched.set(lang, arrival);
  }
  return arrival;
}
