import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Parser } from 'htmlparser2';
import { escapeHtml } from '../../src/dom/escape-html.js';
import { createRandom, pickIndex, pickOne } from '../helpers/seeded-random.js';

/** Texts that would end an element or an attribute, or become another text, if they were not escaped. */
const HOSTILE = [
  '<script>act()</script>',
  '</template></ubik-transcript><img src=x onerror=act()>',
  '"><svg onload=act()>',
  '" autofocus onfocus="act()',
  "' onfocus='act()",
  '<!-- --><!--> <![CDATA[ ]]>',
  '&lt;b&gt; &amp;lt; &#60;b&#x3e; &notit; &copy',
  '</title></style></textarea></noscript>',
  '<\u0000script>act()</script>',
  '<img/src=`x`onerror=act()>',
  '\u2028<b>\u2029 \ud800 \udfff \uffff',
  'a=b`c',
];

/** Reads HTML with an independent parser: tags, attributes and texts. */
function parse(html: string): { tags: string[]; attributes: string[]; text: string } {
  const tags: string[] = [];
  const attributes: string[] = [];
  let text = '';
  const parser = new Parser({
    onopentag: (name, given) => {
      tags.push(name);
      attributes.push(...Object.entries(given).map(([key, value]) => `${key}=${value}`));
    },
    ontext: (data) => (text += data),
    oncomment: () => tags.push('#comment'),
    onprocessinginstruction: () => tags.push('#instruction'),
  });
  parser.end(html);
  return { tags, attributes, text };
}

const expected = (text: string): string => text.replaceAll('\0', '\uFFFD');

function check(text: string): void {
  const content = parse(`<p>${escapeHtml(text)}</p>`);
  assert.deepEqual(content, { tags: ['p'], attributes: [], text: expected(text) });
  const attribute = parse(`<p title="${escapeHtml(text)}"></p>`);
  assert.deepEqual(attribute, { tags: ['p'], attributes: [`title=${expected(text)}`], text: '' });
}

for (const text of HOSTILE) {
  test(`escaped text is one text and one attribute: ${JSON.stringify(text)}`, () => {
    check(text);
  });
}

test('escaped text is one text and one attribute for random combinations', () => {
  const random = createRandom(7);
  const pieces = [
    ...HOSTILE,
    '<',
    '>',
    '&',
    '"',
    "'",
    '`',
    '=',
    '/',
    '!',
    '-',
    '\n',
    ';',
    '#',
    'x',
  ];
  for (let round = 0; round < 2000; round += 1) {
    const length = 1 + pickIndex(random, 8);
    check(Array.from({ length }, () => pickOne(random, pieces)).join(''));
  }
});
