import { expect } from '@open-wc/testing';
import { createUrlPolicy } from '../../src/markdown/url-policy.js';

/** Marks, punctuation, symbols, separators and other characters: whatever may stand in a text beside letters and digits. */
const ODD = /[\p{M}\p{P}\p{S}\p{Z}\p{C}]/u;
/** Surrogates, private use, and what no character is assigned to. */
const NONE = /[\p{Cs}\p{Co}\p{Cn}]/u;
/** Width in pixels, in a text of 16 px, below which a gap is hard to see. An ordinary space takes more than 4. */
const NARROW = 3.5;
const FONTS = ['serif', 'sans-serif', 'monospace', 'system-ui'];
/** In some fonts these are as narrow as a gap, or overlap the letters beside them, but are in sight. */
const IN_SIGHT = new Set("'|\u00a6\u2032\u2044\u2215");

/** Those characters that make a name hardly wider. */
function findNarrow(characters: readonly string[], font: string): readonly string[] {
  const box = document.createElement('div');
  box.style.font = `16px ${font}`;
  const spans = ['', ...characters].map((character) => {
    const span = document.createElement('span');
    span.textContent = `bank${character}.example`;
    // One to a line: no line break makes a difference.
    span.style.display = 'table';
    return span;
  });
  box.append(...spans);
  document.body.append(box);
  const [plain = 0, ...widths] = spans.map((span) => span.getBoundingClientRect().width);
  box.remove();
  return characters.filter((_, index) => (widths[index] ?? 0) - plain < NARROW);
}

describe('Notice of a link', () => {
  it('stands beside a name that is interrupted by any character that is hardly drawn', () => {
    const policy = createUrlPolicy();
    const unnoticed: string[] = [];
    for (let code = 1; code <= 0x10ffff; code += 1) {
      const character = String.fromCodePoint(code);
      if (!ODD.test(character) || NONE.test(character) || IN_SIGHT.has(character)) continue;
      const link = policy.checkLink('https://evil.test/', `bank${character}.example`);
      if (link?.notice === null) unnoticed.push(character);
    }
    const narrow = new Set(FONTS.flatMap((font) => findNarrow(unnoticed, font)));
    expect([...narrow].map((character) => character.codePointAt(0)?.toString(16))).to.deep.equal(
      [],
    );
    // Otherwise nothing was measured.
    expect(unnoticed.length).to.be.greaterThan(1000);
  });
});
