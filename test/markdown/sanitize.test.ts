import { expect } from '@open-wc/testing';
import { sanitize } from '../../src/markdown/extras/sanitize.js';
import { createUrlPolicy, UNREADABLE } from '../../src/markdown/url-policy.js';

/** What stands beside the first link of a piece of HTML. */
function noticeBeside(html: string): string | null {
  const policy = createUrlPolicy();
  let notice: string | null = null;
  sanitize(html, {
    document,
    link: (href, text) => policy.link(href, text),
    unreadable: UNREADABLE,
    addNotice: (_element, link) => (notice = link.notice),
    image: () => null,
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
