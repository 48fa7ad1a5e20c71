import { expect } from '@open-wc/testing';
import { shrinkMarkup, shrinkSheet } from '../../scripts/shrink-styles.mjs';
import { baseStyles } from '../../src/elements/styles/base.js';
import { frameStyles, chatHostStyles } from '../../src/elements/styles/chat.js';
import { messageStyles } from '../../src/elements/styles/message.js';
import { partStyles } from '../../src/message/parts/part-views.js';
import { tokenStyles } from '../../src/elements/styles/tokens.js';
import { markdownCss } from '../../src/markdown/styles.js';

const SHEETS = {
  tokens: tokenStyles.cssText,
  base: baseStyles.cssText,
  chat: chatHostStyles.cssText,
  frame: frameStyles.cssText,
  message: messageStyles.cssText,
  parts: partStyles.map(({ cssText }) => cssText).join('\n'),
  markdown: markdownCss,
};

/**
 * The rules of a style sheet. Normalizes what browsers serialize as written in `var()`, custom properties and conditions: spaces beside
 * commas, parentheses and colons, and the zero before a decimal point.
 */
function readRules(text: string): string[] {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return [...sheet.cssRules].map((rule) =>
    rule.cssText
      .replace(/\s+/g, ' ')
      .replace(/(?<=\() | (?=[),])|(?<=,) /g, '')
      .replace(/(?<=\([\w-]+:)\s+/g, '')
      .replace(/(?<![\w.])0\./g, '.'),
  );
}

describe('minified style sheets', () => {
  for (const [name, text] of Object.entries(SHEETS)) {
    it(`have the same rules as their source: ${name}`, () => {
      const shrunk = shrinkSheet(text);
      expect(shrunk.length).to.be.lessThan(text.length);
      expect(readRules(text)).not.to.have.length(0);
      expect(readRules(shrunk)).to.deep.equal(readRules(text));
    });
  }

  for (const [text, expected] of [
    [
      "a :hover { content: 'x  ;  }'; width: calc(1px + 0.5em) } @media (width > 1px) { c { margin: 0 -0.5em; } }",
      "a :hover{content:'x  ;  }';width:calc(1px + .5em)}@media (width>1px){c{margin:0 -.5em}}",
    ],
    [':is( a ) b :not( c ) > d { top: 0 }', ':is(a) b :not(c)>d{top:0}'],
    [
      'a { top: 0; /* one */ left: 1px !important; /* two */ } /* three */ b { top: 0; /* four */ }',
      'a{top:0;left:1px!important}b{top:0}',
    ],
  ] as const) {
    it(`keep strings, sums, descendant combinators, and what is between comments: ${expected}`, () => {
      expect(readRules(shrinkSheet(text))).to.deep.equal(readRules(text));
      expect(shrinkSheet(text)).to.equal(expected);
    });
  }
});

describe('minified templates', () => {
  it('lose the indentation of tags and attributes but not of text', () => {
    const markup = [
      '<p',
      '  class="a"',
      '  preserveAspectRatio="none"',
      '  @click=${act}',
      '  >',
      '  one',
      '    two ${x}',
      '  ${y}',
      '</p>',
    ];
    expect(shrinkMarkup(markup.join('\n'))).to.equal(
      [
        '<p',
        'class="a"',
        'preserveAspectRatio="none"',
        '@click=${act}',
        '>',
        '  one',
        '    two ${x}',
        '${y}',
        '</p>',
      ].join('\n'),
    );
  });
});
