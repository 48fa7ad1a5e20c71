import { expect } from '@open-wc/testing';
import { sampleOf } from '../helpers/sample.js';
import { createUrlPolicy } from '../../src/markdown/url-policy.js';

/** All characters but letters and digits. */
const NOT_ALPHANUMERIC = /[\p{M}\p{P}\p{S}\p{Z}\p{C}]/u;
/** Surrogates, private use and unassigned code points. */
const UNASSIGNED = /[\p{Cs}\p{Co}\p{Cn}]/u;
/** Width in pixels, at 16 px, below which a gap is hard to see. An ordinary space is wider than 4 px. */
const NARROW = 3.5;
const FONTS = sampleOf(['sans-serif', 'serif', 'monospace', 'system-ui'], 4);
/** Visible characters that are as narrow as a gap in some fonts. */
const VISIBLE = new Set("'|\u00a6\u2032\u2044\u2215");

/** The characters that hardly widen a name. */
function findNarrow(characters: readonly string[], font: string): readonly string[] {
  const box = document.createElement('div');
  box.style.font = `16px ${font}`;
  const spans = ['', ...characters].map((character) => {
    const span = document.createElement('span');
    span.textContent = `bank${character}.example`;
    // One per line, so that line breaks do not change the width.
    span.style.display = 'table';
    return span;
  });
  box.append(...spans);
  document.body.append(box);
  const [plain = 0, ...widths] = spans.map((span) => span.getBoundingClientRect().width);
  box.remove();
  return characters.filter((_, index) => (widths[index] ?? 0) - plain < NARROW);
}

describe('link notice', () => {
  it('is shown for a host name that is interrupted by any hardly visible character', () => {
    const policy = createUrlPolicy();
    const unnoticed: string[] = [];
    for (let code = 1; code <= 0x10ffff; code += 1) {
      const character = String.fromCodePoint(code);
      if (!NOT_ALPHANUMERIC.test(character) || UNASSIGNED.test(character) || VISIBLE.has(character))
        continue;
      const link = policy.checkLink('https://evil.test/', `bank${character}.example`);
      if (link?.notice === null) unnoticed.push(character);
    }
    const narrow = new Set(FONTS.flatMap((font) => findNarrow(unnoticed, font)));
    expect([...narrow].map((character) => character.codePointAt(0)?.toString(16))).to.deep.equal(
      [],
    );
    // Fails when nothing was measured.
    expect(unnoticed.length).to.be.greaterThan(1000);
  });
});
