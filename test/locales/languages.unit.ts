import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { DEFAULT_MESSAGES } from '../../src/errors.js';
import type { LocaleText } from '../../src/locales/locale.js';
import { formsOf, LANGUAGES, readEnglish, readLanguage } from '../helpers/locale-files.js';

/** The placeholders of a text in alphabetical order. */
const placeholdersIn = (text: string): string => (text.match(/\{\w+\}/g) ?? []).sort().join();

/** Arabic forms for 0, 1 and 2 may use a word instead of the number. */
const isExact = (form: string, lang: string): boolean =>
  lang === 'ar' && ['zero', 'one', 'two'].includes(form);

/** Approximate width of a text in Latin letters: a Chinese or Japanese character counts twice. */
const widthOf = (text: LocaleText): number =>
  Math.max(
    ...formsOf(text).map((form) => {
      const characters = form.replace(/\{\w+\}/g, '0000').replace(/\p{M}/gu, '');
      return characters.length + (characters.match(/[\u3000-\u9fff\uff00-\uffef]/g)?.length ?? 0);
    }),
  );

/** The strings that every other language needs: the English ones and a message for every error code. */
const english = await readEnglish();
for (const [code, sentence] of Object.entries(DEFAULT_MESSAGES)) {
  if (!english.has(`error_${code}`)) english.set(`error_${code}`, sentence);
}

for (const lang of LANGUAGES) {
  const strings = await readLanguage(lang);
  const categories = new Intl.PluralRules(lang).resolvedOptions().pluralCategories;

  suite(`strings in ${lang}`, () => {
    test('are complete and have no unknown names', () => {
      const missing = [...english.keys()].filter((name) => !strings.has(name));
      const unused = [...strings.keys()].filter((name) => !english.has(name));
      assert.deepEqual({ missing, unused }, { missing: [], unused: [] });
    });

    test('have the same placeholders as in English', () => {
      const wrong = [...strings].filter(([name, text]) => {
        const expected = placeholdersIn(formsOf(english.get(name) ?? '').at(-1) ?? '');
        return Object.entries(typeof text === 'string' ? { other: text } : text).some(
          ([form, one]) => {
            const withoutCount = isExact(form, lang)
              ? expected.replace(/\{count\},?/, '')
              : expected;
            const found = placeholdersIn(one);
            return found !== expected && found !== withoutCount;
          },
        );
      });
      assert.deepEqual(wrong, []);
    });

    test('have all plural forms of the language or one text, and one text where English has one', () => {
      const wrong = [...strings].filter(
        ([name, text]) =>
          typeof text === 'object' &&
          (typeof english.get(name) === 'string' ||
            Object.keys(text).sort().join() !== [...categories].sort().join()),
      );
      assert.deepEqual(wrong, []);
    });

    test('are not empty, untranslated or padded with spaces', () => {
      // Short words may be the same in both languages.
      const isSame = (name: string, text: string): boolean =>
        text === english.get(name) && /[a-z]{4}.* .*[a-z]{4}/i.test(text.replace(/\{\w+\}/g, ''));
      const wrong = [...strings].filter(([name, text]) =>
        formsOf(text).some((one) => !one || one.trim() !== one || isSame(name, one)),
      );
      assert.deepEqual(wrong, []);
    });

    test('are not much longer than in English', () => {
      // At most 60 % longer, and 11 letters more for the translations of short words.
      const wrong = [...strings].filter(
        ([name, text]) => widthOf(text) > widthOf(english.get(name) ?? '') * 1.6 + 11,
      );
      assert.deepEqual(wrong, []);
    });
  });
}
