import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { LocaleText } from '../../src/locales/locale.js';
import { findPlaceholderStrings, PLACEHOLDER_STRINGS } from '../../src/locales/placeholder.js';
import { formsOf, LANGUAGES, readEnglish, readWords } from '../helpers/locale-files.js';

/** Signs of other languages, and spaces at which a line must not end or that are none of the language. */
const UNWANTED: Readonly<Record<string, RegExp>> = {
  en: /\.\.\.|"|\s[:;!?]/,
  ar: /\.\.\.|["“”„;?]|,/,
  de: /\.\.\.|["'”]|[^\u00a0]…|\s[:;!?]/,
  es: /\.\.\.|["'“”]|^[^¿]*\?|^[^¡]*!|\s[:;!?]/,
  fr: /\.\.\.|["'“”]|[^\u00a0]:|[^\u202f][;!?]|«[^\u00a0]|[^\u00a0]»/,
  ja: /\.\.\.|["'(),:;?!]|[\u3000-\u9fff] [\u3000-\u9fff]/,
  zh: /\.\.\.|["'(),:;?!]|[\u3000-\u9fff] [\u3000-\u9fff]/,
};

/** Names that are heard, with the words that are seen on the same button: whoever speaks to a page says what is seen (WCAG 2.5.3). */
const SEEN_AND_HEARD: readonly (readonly [seen: string, heard: string])[] = [
  ['attach', 'documentAttach'],
  ['documentLink', 'documentLinkOf'],
  ['documentUploadAgain', 'documentUploadAgainOf'],
  ['retry', 'uploadRetry'],
];

const plain = (text: LocaleText | undefined): string =>
  formsOf(text ?? '')
    .join()
    .replace(/\s*…|\{\w+\}/g, '')
    .toLowerCase();

/** A text as it is shown: a value stands where the holes are. */
const shown = (text: string): string => text.replace(/\{\w+\}/g, 'x');

for (const lang of ['en', ...LANGUAGES]) {
  const words = lang === 'en' ? await readEnglish() : await readWords(lang);
  suite(`the words in ${lang}`, () => {
    test('have the signs and the spaces of the language', () => {
      const wrong = [...words].filter(([, text]) =>
        formsOf(text).some((one) => UNWANTED[lang]?.test(shown(one))),
      );
      assert.deepEqual(wrong, []);
    });

    test('of a button are heard as they are seen', () => {
      const wrong = SEEN_AND_HEARD.filter(
        ([seen, heard]) => !plain(words.get(heard)).includes(plain(words.get(seen))),
      );
      assert.deepEqual(wrong, []);
    });

    test('that stand there before the chat is fetched are those of the chat', () => {
      assert.equal(PLACEHOLDER_STRINGS.get(lang)?.open, words.get('openChat'));
    });
  });
}

suite('the words before the chat is fetched', () => {
  test('are those of the language that the chat will speak', () => {
    const opens = (tag: string): string => findPlaceholderStrings(tag).open;
    assert.equal(opens('de-AT'), 'Chat öffnen');
    assert.equal(opens('DE'), 'Chat öffnen');
    for (const tag of ['zh', 'zh-CN', 'zh-SG', 'zh-Hans']) assert.equal(opens(tag), '打开聊天');
    for (const tag of ['zh-TW', 'zh-HK', 'zh-Hant', 'pt', '', 'no tag']) {
      assert.equal(opens(tag), 'Open chat');
    }
  });
});
