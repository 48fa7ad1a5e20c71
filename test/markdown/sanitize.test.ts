import { expect } from '@open-wc/testing';
import { updateHtmlNotices } from '../../src/markdown/dom/link-notice.js';
import { sanitize } from '../../src/markdown/extras/sanitize.js';
import { createUrlPolicy } from '../../src/markdown/url-policy.js';

/** Sanitizes HTML without links and images. */
function clean(html: string): DocumentFragment | null {
  return sanitize(html, {
    document,
    checkLink: () => null,
    checkImage: () => null,
  });
}

/** The notice of the link in sanitized HTML. */
function noticeIn(html: string): string | null {
  const urlPolicy = createUrlPolicy();
  const nodes = sanitize(html, {
    document,
    checkLink: (href) => urlPolicy.checkLink(href),
    checkImage: (src) => ({ src }),
  });
  if (nodes) updateHtmlNotices({ document, urlPolicy }, nodes);
  return nodes?.querySelector('.ubik-link-host')?.textContent.trim() ?? null;
}

describe('attributes of sanitized HTML', () => {
  it('are removed if they name or style elements, run scripts, or trigger actions of the interface', () => {
    const cleaned = clean(
      '<p id="a" name="b" class="c" style="color: red" data-ubik-action="copy-code" aria-label="d" onclick="e" title="f">x</p>',
    );
    expect(cleaned?.querySelector('p')?.getAttributeNames()).to.deep.equal(['title']);
  });

  it('contain no address of a link or an image that the policy does not allow', () => {
    const cleaned = clean('<a href="/here">one</a> <a>two</a> <img src="/a.png" alt="three">');
    expect(cleaned?.textContent).to.equal('one two three');
    expect(cleaned?.querySelector('[href], [src], .ubik-link')).to.equal(null);
  });

  it('are those of the policy in links and images', () => {
    const checked: string[] = [];
    const cleaned = sanitize('<a href="/here">one</a><a>two</a><img src="/a.png" alt="three">', {
      document,
      checkLink: (href) => {
        checked.push(href);
        return { href: 'https://a.test/' };
      },
      checkImage: () => ({ src: 'about:blank' }),
    });
    const attributesOf = (selector: string): object => {
      const element = cleaned?.querySelector(selector);
      return Object.fromEntries(
        element?.getAttributeNames().map((name) => [name, element.getAttribute(name)]) ?? [],
      );
    };
    expect(checked).to.deep.equal(['/here']);
    expect(attributesOf('a')).to.deep.equal({
      href: 'https://a.test/',
      target: '_blank',
      rel: 'noopener noreferrer nofollow ugc',
      class: 'ubik-link',
      'data-ubik-action': 'link',
    });
    expect(attributesOf('img')).to.deep.equal({
      src: 'about:blank',
      alt: 'three',
      referrerpolicy: 'no-referrer',
      loading: 'lazy',
    });
  });

  it('contain no address of a link in SVG, whose `href` is no string', () => {
    const cleaned = sanitize(
      '<svg><a href="https://a.test/" xlink:href="https://a.test/"><path d="M0 0"></path></a></svg>',
      {
        document,
        isOfExtension: true,
        checkLink: (href) => ({ href }),
        checkImage: () => null,
      },
    );
    const link = cleaned?.querySelector('a');
    expect(link).to.be.instanceOf(SVGElement);
    expect(link?.getAttributeNames()).to.deep.equal([]);
  });
});

describe('sanitized HTML of which nothing remains', () => {
  it('has no text, and is not reported as a failure of the sanitizer', () => {
    expect(clean('<frameset><frame src="/a"></frameset>')?.textContent ?? '').to.equal('');
    expect(clean('')?.childNodes.length).to.equal(0);
  });
});

describe('link in sanitized HTML', () => {
  it('shows its host when markup makes the visible text differ from its text content', () => {
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
      expect(noticeIn(html), text).to.equal('(evil.test)');
    }
    const reversed = '<bdo dir="rtl"><a href="https://evil.test/">moc.1dna1</a></bdo>';
    expect(noticeIn(reversed)).to.equal('(evil.test)');
  });

  it('shows no notice when its text names its own host or none', () => {
    for (const text of [
      'good.test',
      'the <b>guide</b>',
      '<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>',
      '<img alt="a picture"> of it',
    ]) {
      expect(noticeIn(`<p><a href="https://good.test/">${text}</a></p>`), text).to.equal(null);
    }
  });
});

describe('size of sanitized HTML', () => {
  const many = (count: number, piece: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => piece(index)).join('');

  it('is limited when each paragraph repeats all open formatting elements', () => {
    const paragraphs = '<p>x'.repeat(1000);
    for (const open of [
      many(90, (index) => `<b title="${index}">`),
      // An end tag without a start tag closes nothing.
      many(500, (index) => `<b title="${index}"></i>`),
      many(500, (index) => `<b title=${index}><!--</b>-->`),
      // The first `>` is inside an attribute, so the parser reads on.
      many(90, (index) => `<b title=">${index}">`),
      many(90, (index) => `<b title="'" lang='>${index}'>`),
      many(90, (index) => `<b x=a" title=">${index}">`),
      many(90, (index) => `<B/title=${index}>`),
    ]) {
      expect(clean(`<div><p>${open}x${paragraphs}</div>`), open.slice(0, 60)).to.equal(null);
    }
  });

  it('is limited when unmatched end tags are between the tags', () => {
    expect(clean(many(101, () => '<div></i>'))).to.equal(null);
    expect(clean(`${'</div>'.repeat(500)}${'<div>'.repeat(101)}`)).to.equal(null);
    expect(clean('<p>x'.repeat(30_001))).to.equal(null);
  });

  it('allows exactly the limits of length, depth and elements', () => {
    expect(clean('a'.repeat(262_144))).not.to.equal(null);
    expect(clean('a'.repeat(262_145))).to.equal(null);
    expect(clean('<div>'.repeat(100))).not.to.equal(null);
    expect(clean('<div>'.repeat(101))).to.equal(null);
    // The end tag closes the last one.
    expect(clean(`${'<div>'.repeat(100)}</div><div>`)).not.to.equal(null);
    expect(clean('<hr>'.repeat(30_000))).not.to.equal(null);
    expect(clean('<hr>'.repeat(30_001))).to.equal(null);
    // Elements without an end tag are not nested.
    expect(clean('<p>x<br>'.repeat(200))).not.to.equal(null);
  });

  it('counts up to three equal formatting elements as reopened for each tag, and one link', () => {
    // An estimate of 7 elements for each: itself, and 3 for each of its two tags; 30,000 are allowed.
    expect(clean('<b>x</b>'.repeat(4285))).not.to.equal(null);
    expect(clean('<b>x</b>'.repeat(4286))).to.equal(null);
    // An estimate of 3 elements for each: itself, and 1 for each of its two tags.
    expect(clean('<a href="/x">x</a>'.repeat(4286))).not.to.equal(null);
    expect(clean('<a href="/x">x</a>'.repeat(10_001))).to.equal(null);
  });

  it('allows a long table with links, code and bold text in its cells', () => {
    const row = many(
      6,
      (index) => `<td><a href="/${index}">a</a> <code class="x">b</code> <b>c</b></td>`,
    );
    const cleaned = clean(`<table>${`<tr>${row}</tr>`.repeat(50)}</table>`);
    expect(cleaned?.querySelectorAll('td').length).to.equal(300);
  });
});
