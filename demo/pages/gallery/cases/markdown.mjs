/** @import { Case } from '../cases.mjs' */
import {
  ALERTS,
  ARABIC_ELEMENTS,
  CODE,
  ELEMENTS,
  LONG_WORDS,
  MATHS,
  PROSE,
  RIVERS,
  WIDE_TABLE,
} from '../fixtures/texts.mjs';
import { make } from '../kit/make.mjs';

/**
 * @param {string} name @param {string} title @param {string} content
 * @param {Partial<HTMLElementTagNameMap['ubik-markdown']>} [more] @returns {Case}
 */
const text = (name, title, content, more) => ({
  name: `markdown-${name}`,
  title,
  make: (look) => make('ubik-markdown', look, { content, ...more }),
});

/** @type {readonly Case[]} */
export const markdown = [
  text('prose', 'Headings, lists, block quotes, footnotes', PROSE),
  text('code', 'Code blocks', CODE),
  text('table', 'Table', RIVERS),
  text('wide-table', 'Table of thirty columns', WIDE_TABLE),
  text('maths', 'Formulas', MATHS),
  text('alerts', 'Alerts', ALERTS),
  text('arabic', 'Alert, disclosure and keys from right to left', ARABIC_ELEMENTS, { lang: 'ar' }),
  text('elements', 'HTML elements: line breaks in cells, keys, marked text, disclosures', ELEMENTS),
  text('words', 'Unbreakable words', LONG_WORDS),
  text(
    'images',
    'Remote image that loads on request',
    '![A map of Europe](https://rivers.example/map.png)',
  ),
  text(
    'unfinished',
    'Streaming: unclosed emphasis and link',
    'A **bold** word, a [link](https://riv',
    {
      streaming: true,
    },
  ),
  text(
    'half-table',
    'Streaming: incomplete table',
    '| river | km |\n| --- | ---: |\n| Danube | 28',
    {
      streaming: true,
    },
  ),
];
