/** @import { Case } from '../cases.mjs' */
import { CODE, LONG_WORDS, MATHS, PROSE, RIVERS, WIDE_TABLE } from '../fixtures/texts.mjs';
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
  text('prose', 'Headings, lists, quotations, notes', PROSE),
  text('code', 'Code', CODE),
  text('table', 'A table', RIVERS),
  text('wide-table', 'A table of thirty columns', WIDE_TABLE),
  text('maths', 'Maths', MATHS),
  text('words', 'Long words', LONG_WORDS),
  text(
    'images',
    'Images that load on request',
    '![A map of Europe](https://rivers.example/map.png)',
  ),
  text('unfinished', 'Incomplete text', 'A **bold** word, a [link](https://riv', {
    streaming: true,
  }),
  text('half-table', 'Half a table', '| river | km |\n| --- | ---: |\n| Danube | 28', {
    streaming: true,
  }),
];
