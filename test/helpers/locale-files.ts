import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import type { LocaleText } from '../../src/locales/locale.js';

/** Strings by name. */
type Texts = Readonly<Record<string, LocaleText>>;

/** The folder of the locales. */
const FOLDER = new URL('../../src/locales/', import.meta.url);
const files = readdirSync(FOLDER);

/** Tags of the languages of the package besides English. */
export const LANGUAGES = files
  .filter((file) => /^[a-z]{2}\.ts$/.test(file) && file !== 'en.ts')
  .map((file) => file.replace('.ts', ''));

/** The English strings by name; of the messages of error codes, only those that `en.ts` has. Throws if two files have different texts for a name. */
export async function readEnglish(): Promise<Map<string, LocaleText>> {
  const all = new Map<string, LocaleText>();
  for (const file of files.filter((name) => /^en(?:-\w+)*\.ts$/.test(name))) {
    const module = (await import(`../../src/locales/${file}`)) as Record<string, Texts>;
    for (const strings of Object.values(module)) {
      for (const [name, text] of Object.entries(strings)) {
        assert.deepEqual(all.get(name) ?? text, text, `${name} in ${file}`);
        all.set(name, text);
      }
    }
  }
  return all;
}

/** The strings of another language by name. */
export async function readLanguage(lang: string): Promise<Map<string, LocaleText>> {
  const { strings } = (await import(`../../src/locales/${lang}.ts`)) as { strings: Texts };
  return new Map(Object.entries(strings));
}

/** All plural forms of a string. */
export const formsOf = (text: LocaleText): string[] =>
  typeof text === 'string' ? [text] : Object.values(text);
