import { addLanguageStrings, type LanguageStrings } from './locale.js';
import { languageFileFor } from './tag.js';

/** The module of a language. */
interface LanguageModule {
  readonly strings: LanguageStrings;
}

/** The languages of the package besides English. Each is one module, which is loaded when an element first needs it. */
const LOADERS = new Map<string, () => Promise<LanguageModule>>([
  ['ar', () => import('./ar.js')],
  ['de', () => import('./de.js')],
  ['es', () => import('./es.js')],
  ['fr', () => import('./fr.js')],
  ['ja', () => import('./ja.js')],
  ['zh', () => import('./zh.js')],
]);

const loading = new Map<string, Promise<void>>();

/**
 * Loads the strings of a language once; `onLocaleChange` then notifies the elements. Returns undefined when the package has no file for the
 * language. Rejects when the file cannot be loaded; the next call tries again.
 */
export function loadLanguage(tag: string): Promise<void> | undefined {
  const lang = languageFileFor(tag);
  const load = LOADERS.get(lang);
  if (!load) return undefined;
  let promise = loading.get(lang);
  if (!promise) {
    promise = load().then(
      ({ strings }) => {
        addLanguageStrings(lang, strings);
      },
      (error: unknown) => {
        loading.delete(lang);
        throw error;
      },
    );
    loading.set(lang, promise);
  }
  return promise;
}
