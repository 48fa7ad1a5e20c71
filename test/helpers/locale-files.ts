import { readdirSync } from 'node:fs';
import type { LocaleText } from '../../src/locales/locale.js';

/** Texts by name. */
type Texts = Readonly<Record<string, LocaleText>>;

/** The folder of the strings. */
const FOLDER = new URL('../../src/locales/', import.meta.url);
const files = readdirSync(FOLDER);

/** The languages that come with the package besides English, by their tags. */
export const LANGUAGES = files
  .filter((file) => /^[a-z]{2}\.ts$/.test(file) && file !== 'en.ts')
  .map((file) => file.replace('.ts', ''));

/** The words of the interface in English, by their names, without those of errors' codes. */
export async function readEnglish(): Promise<Map<string, LocaleText>> {
  const all = new Map<string, LocaleText>();
  for (const file of files.filter((name) => /^en(?:-\w+)*\.ts$/.test(name))) {
    const module = (await import(`../../src/locales/${file}`)) as Record<string, Texts>;
    for (const words of Object.values(module)) {
      for (const [name, text] of Object.entries(words)) all.set(name, text);
    }
  }
  return all;
}

/** All words of another language. */
export async function readWords(lang: string): Promise<Map<string, LocaleText>> {
  const { strings } = (await import(`../../src/locales/${lang}.ts`)) as { strings: Texts };
  return new Map(Object.entries(strings));
}

/** A text in each of its plural forms. */
export const formsOf = (text: LocaleText): string[] =>
  typeof text === 'string' ? [text] : Object.values(text);
