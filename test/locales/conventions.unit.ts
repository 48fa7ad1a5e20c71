import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { LocaleText } from '../../src/locales/locale.js';
import { findBubbleStrings, BUBBLE_STRINGS } from '../../src/locales/bubble-strings.js';
import { DIAGRAM_STRINGS, findDiagramStrings } from '../../src/locales/diagram-strings.js';
import { formsOf, LANGUAGES, readEnglish, readLanguage } from '../helpers/locale-files.js';

/** Punctuation of other languages, and breaking spaces where the language has none. */
const FORBIDDEN: Readonly<Record<string, RegExp>> = {
  en: /\.\.\.|"|\s[:;!?]/,
  ar: /\.\.\.|["“”„;?]|,/,
  de: /\.\.\.|["'”]|[^\u00a0]…|\s[:;!?]/,
  es: /\.\.\.|["'“”]|^[^¿]*\?|^[^¡]*!|\s[:;!?]/,
  fr: /\.\.\.|["'“”]|[^\u00a0]:|[^\u202f][;!?]|«[^\u00a0]|[^\u00a0]»/,
  ja: /\.\.\.|["'(),:;?!]|[\u3000-\u9fff] [\u3000-\u9fff]/,
  zh: /\.\.\.|["'(),:;?!]|[\u3000-\u9fff] [\u3000-\u9fff]/,
};

/** Visible labels and accessible names of the same buttons: the name contains the label (WCAG 2.5.3). */
const LABELS_AND_NAMES: readonly (readonly [label: string, name: string])[] = [
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

/** A text with values in its placeholders. */
const withValues = (text: string): string => text.replace(/\{\w+\}/g, 'x');

for (const lang of ['en', ...LANGUAGES]) {
  const strings = lang === 'en' ? await readEnglish() : await readLanguage(lang);
  suite(`strings in ${lang}`, () => {
    test('use the punctuation and spaces of the language', () => {
      const wrong = [...strings].filter(([, text]) =>
        formsOf(text).some((form) => FORBIDDEN[lang]?.test(withValues(form))),
      );
      assert.deepEqual(wrong, []);
    });

    test('have accessible names that contain the visible label', () => {
      const wrong = LABELS_AND_NAMES.filter(
        ([label, name]) => !plain(strings.get(name)).includes(plain(strings.get(label))),
      );
      assert.deepEqual(wrong, []);
    });

    test('use the same launcher label before and after the chat is loaded', () => {
      assert.equal(BUBBLE_STRINGS.get(lang)?.open, strings.get('openChat'));
    });

    test('have texts of diagrams, with the punctuation of the language', () => {
      const texts = Object.values({ ...DIAGRAM_STRINGS.get(lang) });
      assert.equal(texts.length, Object.keys(findDiagramStrings('en')).length);
      assert.deepEqual(
        texts.filter((text) => text === '' || FORBIDDEN[lang]?.test(text)),
        [],
      );
      assert.equal(new Set(texts).size, texts.length);
    });
  });
}

suite('strings of a bubble whose chat is not loaded', () => {
  test('are in the language that the chat will have', () => {
    const labelOf = (tag: string): string => findBubbleStrings(tag).open;
    assert.equal(labelOf('de-AT'), 'Chat öffnen');
    assert.equal(labelOf('DE'), 'Chat öffnen');
    for (const tag of ['zh', 'zh-CN', 'zh-SG', 'zh-Hans']) assert.equal(labelOf(tag), '打开聊天');
    for (const tag of ['zh-TW', 'zh-HK', 'zh-Hant', 'pt', '', 'no tag']) {
      assert.equal(labelOf(tag), 'Open chat');
    }
  });
});
