import { expect } from '@open-wc/testing';
import { readAdjacentText } from '../../src/markdown/dom/link-notice.js';
import { sanitize } from '../../src/markdown/extras/sanitize.js';
import { createUrlPolicy, AMBIGUOUS_TEXT } from '../../src/markdown/url-policy.js';

/** Cleans a piece of HTML in which links and pictures do not matter. */
function clean(html: string): DocumentFragment | null {
  return sanitize(html, {
    document,
    checkLink: () => null,
    ambiguousText: AMBIGUOUS_TEXT,
    readAdjacentText: readAdjacentText,
    addNotice: () => undefined,
    checkImage: () => null,
  });
}

/** What stands beside the first link of a piece of HTML. */
function noticeBeside(html: string): string | null {
  const policy = createUrlPolicy();
  let notice: string | null = null;
  sanitize(html, {
    document,
    checkLink: (href, text) => policy.checkLink(href, text),
    ambiguousText: AMBIGUOUS_TEXT,
    readAdjacentText: readAdjacentText,
    addNotice: (_element, link) => (notice = link.notice),
    checkImage: () => null,
  });
  return notice;
}

describe('A link in cleaned HTML', () => {
  it('shows its host when elements hide from a reader of its text which name is drawn', () => {
    const texts = [
      'bank<bdo dir="rtl">elpmaxe.</bdo>',
      '<bdi>.example</bdi><bdi>bank</bdi>',
      '<span dir="rtl">.example</span>bank',
      'bank<rp> or </rp>.example',
      'bank<ruby>.<rt> </rt></ruby>example',
      'bank<img alt=".example">',
      'bank<img src="data:image/png;base64,AA" alt=" ">.example',
      'b<img alt="ank.ex">ample',
    ];
    for (const text of texts) {
      const html = `<p><a href="https://evil.test/">${text}</a></p>`;
      expect(noticeBeside(html), text).to.equal('evil.test');
    }
    const turned = '<bdo dir="rtl"><a href="https://evil.test/">moc.1dna1</a></bdo>';
    expect(noticeBeside(turned)).to.equal('evil.test');
  });

  it('shows nothing beside a text that names its own host or none', () => {
    for (const text of [
      'good.test',
      'the <b>guide</b>',
      '<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>',
      '<img alt="a picture"> of it',
    ]) {
      expect(noticeBeside(`<p><a href="https://good.test/">${text}</a></p>`), text).to.equal(null);
    }
  });
});

describe('The size of cleaned HTML', () => {
  const many = (count: number, piece: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => piece(index)).join('');

  it('is bounded when each paragraph repeats all open formatting elements', () => {
    const paragraphs = '<p>x'.repeat(1000);
    for (const open of [
      many(90, (index) => `<b title="${index}">`),
      // An end tag of what is not open closes nothing.
      many(500, (index) => `<b title="${index}"></i>`),
      many(500, (index) => `<b title=${index}><!--</b>-->`),
      // One tag up to the first bracket, and another one as it is read.
      many(90, (index) => `<b title=">${index}">`),
      many(90, (index) => `<b title="'" lang='>${index}'>`),
      many(90, (index) => `<b x=a" title=">${index}">`),
      many(90, (index) => `<B/title=${index}>`),
    ]) {
      expect(clean(`<div><p>${open}x${paragraphs}</div>`), open.slice(0, 60)).to.equal(null);
    }
  });

  it('is bounded when end tags of what is not open stand between the tags', () => {
    expect(clean(many(101, () => '<div></i>'))).to.equal(null);
    expect(clean(`${'</div>'.repeat(500)}${'<div>'.repeat(101)}`)).to.equal(null);
    expect(clean('<p>x'.repeat(30_001))).to.equal(null);
  });

  it('lets a long table pass with links, code and bold words in its cells', () => {
    const row = many(
      6,
      (index) => `<td><a href="/${index}">a</a> <code class="x">b</code> <b>c</b></td>`,
    );
    const cleaned = clean(`<table>${`<tr>${row}</tr>`.repeat(50)}</table>`);
    expect(cleaned?.querySelectorAll('td').length).to.equal(300);
  });
});
