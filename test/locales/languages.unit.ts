import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { DEFAULT_MESSAGES } from '../../src/errors.js';
import type { LocaleText } from '../../src/locales/locale.js';
import { formsOf, LANGUAGES, readEnglish, readWords } from '../helpers/locale-files.js';

/** `{name}` and `{count}`, in order of the alphabet. */
const holesIn = (text: string): string => (text.match(/\{\w+\}/g) ?? []).sort().join();

/** Forms for exactly one or two may say so in a word instead of a number. */
const isExact = (form: string, lang: string): boolean =>
  lang === 'ar' && ['zero', 'one', 'two'].includes(form);

/** About how wide a text is, in letters of English: a sign of Chinese or Japanese is as wide as two. */
const widthOf = (text: LocaleText): number =>
  Math.max(
    ...formsOf(text).map((form) => {
      const signs = form.replace(/\{\w+\}/g, '0000').replace(/\p{M}/gu, '');
      return signs.length + (signs.match(/[\u3000-\u9fff\uff00-\uffef]/g)?.length ?? 0);
    }),
  );

/** Words that only English can do without: all of them, and a sentence for every error that has one. */
const english = await readEnglish();
for (const [code, sentence] of Object.entries(DEFAULT_MESSAGES)) {
  if (!english.has(`error_${code}`)) english.set(`error_${code}`, sentence);
}

for (const lang of LANGUAGES) {
  const words = await readWords(lang);
  const categories = new Intl.PluralRules(lang).resolvedOptions().pluralCategories;

  suite(`the words in ${lang}`, () => {
    test('are all there, and none that nobody says', () => {
      const missing = [...english.keys()].filter((name) => !words.has(name));
      const unused = [...words.keys()].filter((name) => !english.has(name));
      assert.deepEqual({ missing, unused }, { missing: [], unused: [] });
    });

    test('have the same holes as in English', () => {
      const wrong = [...words].filter(([name, text]) => {
        const wanted = holesIn(formsOf(english.get(name) ?? '').at(-1) ?? '');
        return Object.entries(typeof text === 'string' ? { other: text } : text).some(
          ([form, one]) => {
            const told = isExact(form, lang) ? wanted.replace(/\{count\},?/, '') : wanted;
            const found = holesIn(one);
            return found !== wanted && found !== told;
          },
        );
      });
      assert.deepEqual(wrong, []);
    });

    test('have the plural forms of the language, where English has two', () => {
      const wrong = [...words].filter(
        ([name, text]) =>
          typeof text === 'object' &&
          (typeof english.get(name) === 'string' ||
            Object.keys(text).sort().join() !== [...categories].sort().join()),
      );
      assert.deepEqual(wrong, []);
    });

    test('are not left empty, not left in English, and not padded', () => {
      // Words that are the same in many languages, and those that are nothing but holes.
      const isSame = (name: string, text: string): boolean =>
        text === english.get(name) && /[a-z]{4}.* .*[a-z]{4}/i.test(text.replace(/\{\w+\}/g, ''));
      const wrong = [...words].filter(([name, text]) =>
        formsOf(text).some((one) => !one || one.trim() !== one || isSame(name, one)),
      );
      assert.deepEqual(wrong, []);
    });

    test('are not much longer than in English', () => {
      const wrong = [...words].filter(
        ([name, text]) => widthOf(text) > widthOf(english.get(name) ?? '') * 1.6 + 11,
      );
      assert.deepEqual(wrong, []);
    });
  });
}
