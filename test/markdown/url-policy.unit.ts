import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createUrlPolicy } from '../../src/markdown/url-policy.js';
import { polluteObjectPrototype } from '../helpers/pollute-object-prototype.js';

describe('createUrlPolicy for links', () => {
  const policy = createUrlPolicy();

  it('shows a notice when the normalized text is over the limit', () => {
    const text = '\ufdfa'.repeat(1000);
    assert.equal(policy.checkLink('https://a.test/', text)?.notice, 'a.test');
    assert.equal(policy.checkLink('mailto:a@b.test', text)?.notice, 'a@b.test');
    assert.equal(policy.checkLink('https://a.test/', '\ufdfa'.repeat(10))?.notice, null);
  });

  it('accepts http, https, mailto and tel only', () => {
    assert.equal(policy.checkLink('https://a.test/x')?.href, 'https://a.test/x');
    assert.equal(policy.checkLink('HTTP://A.test')?.href, 'http://a.test/');
    assert.equal(policy.checkLink('mailto:me@a.test')?.href, 'mailto:me@a.test');
    assert.equal(policy.checkLink('tel:+1234')?.href, 'tel:+1234');
    const rejected = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java\nscript:alert(1)',
      'java\tscript:alert(1)',
      ' javascript:alert(1)',
      '\u0001javascript:alert(1)',
      'vbscript:x',
      'data:text/html,x',
      'blob:https://a.test/1',
      'file:///etc/passwd',
      'ftp://a.test/',
      'view-source:https://a.test',
      'ubik:open',
    ];
    for (const href of rejected) assert.equal(policy.checkLink(href), null, href);
  });

  it('accepts the schemes that the page adds, in any case and with or without a colon', () => {
    const { checkLink } = createUrlPolicy({ linkSchemes: ['obsidian', 'Web+Note:'] });
    assert.equal(checkLink('obsidian://open?vault=a')?.href, 'obsidian://open?vault=a');
    assert.equal(checkLink('WEB+NOTE:1', 'a note')?.notice, null);
    assert.equal(checkLink('https://a.test/')?.href, 'https://a.test/');
    assert.equal(checkLink('other:1'), null);
    // The target is shown where the text names a host.
    assert.equal(checkLink('web+note:steal', 'bank.example')?.notice, 'web+note:steal');
  });

  it('ignores schemes that run code or read data, and warns about each in the console', (context) => {
    const warn = context.mock.method(console, 'warn', () => undefined);
    const unsafe = ['javascript', 'JavaScript:', 'vbscript', 'data', 'blob', 'file', 'no scheme'];
    const { checkLink } = createUrlPolicy({ linkSchemes: unsafe });
    for (const name of unsafe) assert.equal(checkLink(`${name.replace(/:$/, '')}:x`), null, name);
    assert.equal(checkLink('java\nscript:alert(1)'), null);
    const sentences = warn.mock.calls.map(({ arguments: [text] }) => String(text));
    assert.equal(sentences.length, unsafe.length);
    assert.equal(
      sentences[0],
      'ubik-elements: "linkSchemes" cannot contain "javascript": such links run code or read data. Remove it.',
    );
  });

  it('rejects credentials in a URL', () => {
    assert.equal(policy.checkLink('https://good.test@evil.test/'), null);
    assert.equal(policy.checkLink('https://user:secret@a.test/'), null);
  });

  it('rejects relative URLs without linkBase', () => {
    for (const href of ['/x', 'x', '#x', '?x', '//evil.test/x', '\\\\evil.test', '', '.']) {
      assert.equal(policy.checkLink(href), null, href);
    }
    assert.equal(
      createUrlPolicy({ linkBase: 'https://b.test/d/' }).checkLink('x')?.href,
      'https://b.test/d/x',
    );
  });

  it('shows a notice when the text names another host', () => {
    const hasNotice = (text: string, href: string): boolean => {
      const link = policy.checkLink(href, text);
      return link !== null && link.notice !== null;
    };
    assert.equal(hasNotice('good.test', 'https://evil.test/'), true);
    assert.equal(hasNotice('https://good.test/login', 'https://evil.test/good.test'), true);
    assert.equal(hasNotice('gооd.test', 'https://good.test/'), true, 'Cyrillic letters');
    assert.equal(hasNotice('good\u200b.test', 'https://evil.test/'), true);
    assert.equal(hasNotice('good。test', 'https://evil.test/'), true);
    assert.equal(hasNotice('me@good.test', 'mailto:me@evil.test'), true);
    assert.equal(hasNotice('127.0.0.1:80/admin', 'https://evil.test/'), true, 'numbers');
    assert.equal(hasNotice('good.t\u0301est', 'https://evil.test/'), true, 'combining marks');
    assert.equal(
      hasNotice(`${'word '.repeat(800)}good.test`, 'https://evil.test/'),
      true,
      'far away',
    );
    assert.equal(hasNotice('www.good.test', 'https://good.test/'), false);
    assert.equal(hasNotice('It is done. See version 1.2.3 - or 3.14', 'https://good.test/'), false);
    assert.equal(hasNotice('https://good.test/x', 'https://good.test/x'), false);
    assert.equal(hasNotice('the guide', 'https://evil.test/'), false);
  });

  it('returns look-alike hosts in ASCII', () => {
    assert.match(policy.checkLink('https://gооd.test/')?.host ?? '', /^xn--/);
  });
});

describe('notice of a link', () => {
  const policy = createUrlPolicy();
  const notice = (href: string, text = 'here'): string | null | undefined =>
    policy.checkLink(href, text)?.notice;

  it('is the ASCII form of a host whose label mixes scripts or looks Latin', () => {
    for (const host of [
      'аррӏе.com',
      'xn--80ak6aa92e.com',
      'www.аррӏе.com:8443',
      'pаypal.com',
      'gооd.test',
      'ραypal.com',
      'οριο.com',
      'սոօ.com',
      'pɑypal.com',
      'googlеаnalytics.com',
      'faceboоk.com',
      'goog\u0332le.com',
      'bаnk.example',
      'x.аррӏе.example',
    ]) {
      const ascii = new URL(`https://${host}`).host;
      assert.match(ascii, /xn--/, host);
      for (const text of ['here', host, ascii]) {
        assert.equal(notice(`https://${host}/`, text), ascii, `${host} as ${text}`);
      }
    }
  });

  it('is null for hosts in one script or in the scripts of one language', () => {
    for (const host of [
      'münchen.de',
      'français.fr',
      'việtnam.vn',
      'bücher2.example',
      'пример.рф',
      'сор.рф',
      'яндекс.com',
      'παράδειγμα.gr',
      '例え.jp',
      'tシャツ屋さん.jp',
      '한국.kr',
      'مثال.example',
      'דוגמה.co.il',
      'उदाहरण.example',
      'xn-a.example',
    ]) {
      for (const text of ['here', host]) {
        assert.equal(notice(`https://${host}/`, text), null, `${host} as ${text}`);
      }
    }
  });

  it('treats characters that look like a dot as a dot', () => {
    for (const dot of '·•‧․∙⋅・。｡．') {
      assert.equal(notice('https://evil.test/', `bank${dot}example`), 'evil.test', dot);
    }
    const ascii = new URL('https://bank·example.test/').host;
    assert.equal(notice('https://bank·example.test/', 'bank·example.test'), ascii);
  });

  it('is the host when invisible characters, rare dots or marks interrupt a name in the text', () => {
    const dots =
      '\u0701\u0702\u0660\u06f0\u1427\u166e\u2804\u2840\u2e33\u2e3c\u2cfe\ua4f8\ua60e\u{10a50}\u{1d16d}';
    const texts = [
      'bank\u{e0041}.example',
      'bank.\u{e0041}example',
      'bank\u{1d173}.example',
      'bank.\u3164example',
      'bank.\ufe0fexample',
      'bank\ufff9.example',
      'bank\u0001.example',
      'bank\u0085.example',
      'bank.\u0301example',
      ...[...dots].map((dot) => `bank${dot}example`),
    ];
    for (const text of texts) {
      assert.equal(notice('https://evil.test/', text), 'evil.test', encodeURIComponent(text));
    }
  });

  it('is the target when line separators, narrow spaces or object characters interrupt a name in the text', () => {
    for (const hidden of '\u2028\u2029\ufffc\u200a\u2009\u2008\u2006\u202f\u205f\u000b\u000c') {
      const code = encodeURIComponent(hidden);
      assert.equal(notice('https://evil.test/', `bank${hidden}.example`), 'evil.test', code);
      assert.equal(notice('https://evil.test/', `bank.${hidden}example`), 'evil.test', code);
      for (const text of [
        `help@bank${hidden}.example`,
        `help${hidden}@bank${hidden}.example`,
        `help@${hidden}bank.example`,
      ]) {
        assert.equal(notice('mailto:me@evil.test', text), 'me@evil.test', `${code} in a mail`);
      }
    }
  });

  it('treats a narrow space both as a space and as nothing', () => {
    assert.equal(
      notice('https://bank.exampleevil.test/', 'bank.example\u2009evil.test'),
      'bank.exampleevil.test',
    );
    assert.equal(
      notice('mailto:me@bank.exampleevil.test', 'me@bank.example\u2009evil.test'),
      'me@bank.exampleevil.test',
    );
    assert.equal(notice('https://good.test/', '«\u202fgood.test\u202f»'), null);
    assert.equal(notice('https://good.test/', 'the\u2009guide of good.test'), null);
    assert.equal(notice('mailto:me@good.test', 'Write to me@good.test\u202f!'), null);
  });

  it('is the target when the text contains bidirectional controls', () => {
    for (const text of [
      'bank\u202eelpmaxe.\u202c',
      'bank\u2067elpmaxe.\u2069',
      '\u200f\u200e.example\u200fbank',
      '\u061c\u200e.example\u061cbank',
    ]) {
      assert.equal(notice('https://evil.test/', text), 'evil.test', encodeURIComponent(text));
      assert.equal(notice('mailto:me@evil.test', text), 'me@evil.test', encodeURIComponent(text));
    }
    assert.equal(notice('tel:12345', '\u202e12345'), '12345');
  });

  it('is the host when the text is over the limit', () => {
    assert.equal(notice('https://evil.test/', `${'\u200b'.repeat(5000)}bank.example`), 'evil.test');
  });

  it('decodes Punycode like the platform and shows invalid labels', () => {
    assert.equal(notice('https://xn--mnchen-3ya.de/'), null);
    assert.equal(notice('https://xn--r8jz45g.jp/'), null);
    assert.equal(notice('https://xn--80ak6aa92e.com/'), 'xn--80ak6aa92e.com');
    for (const label of ['xn--a_b', `xn--${'z'.repeat(150)}a`, `xn--${'9'.repeat(40)}`]) {
      assert.equal(notice(`mailto:me@${label}.test`), `me@${label}.test`, label.slice(0, 20));
    }
  });

  it('lists the recipients and fields of an email, unless it has one recipient and at most a subject', () => {
    assert.equal(notice('mailto:me@a.test'), null);
    assert.equal(notice('mailto:me@a.test?subject=Hi', 'me@a.test'), null);
    assert.equal(notice('mailto:me@a.test,you@b.test'), 'me@a.test, you@b.test');
    assert.equal(notice('mailto:me@a.test%2Cyou@b.test'), 'me@a.test, you@b.test');
    assert.equal(
      notice('mailto:me@a.test?CC=c@c.test&bcc=d%40d.test&body=All%20of%20it%0A+more'),
      'me@a.test · cc: c@c.test · bcc: d@d.test · body: All of it +more',
    );
    assert.equal(notice('mailto:?to=you@b.test'), 'to: you@b.test');
    assert.equal(notice('mailto:me@a.test?attach=/etc/passwd'), 'me@a.test · attach: /etc/passwd');
    assert.ok((notice(`mailto:me@a.test?body=${'x'.repeat(5000)}`) ?? '').length < 400);
    assert.equal(notice('mailto:me@a.test?body=%E0%A4%A'), 'me@a.test · body: %E0%A4%A');
  });

  it('is the recipient when the text names another one', () => {
    assert.equal(notice('mailto:evil@a.test', 'chief@a.test'), 'evil@a.test');
    assert.equal(notice('mailto:Me@A.test', 'Write to me@a.test.'), null);
    assert.equal(notice('mailto:me@evil.test', 'bank.example'), 'me@evil.test');
    assert.equal(notice('mailto:me@pаypal.com'), 'me@xn--pypal-4ve.com');
  });

  it('is the number when the text names another one, or when the number contains control codes', () => {
    assert.equal(notice('tel:+49-30-123456', 'Call us'), null);
    assert.equal(notice('tel:+4930123456', '030 123456'), null);
    assert.equal(notice('tel:+4930123456', '+49 (30) 123456'), null);
    assert.equal(notice('tel:*21*0900123%23'), '*21*0900123#');
    assert.equal(notice('tel:**21*0900123#', 'Call us'), '**21*0900123#');
    assert.equal(notice('tel:0301,,7%2C8'), '0301,,7,8');
    assert.equal(notice('tel:0900666666', '030 123456'), '0900666666');
  });
});

describe('createUrlPolicy for images', () => {
  it('reads no option from Object.prototype', () => {
    const restore = polluteObjectPrototype({
      imagePolicy: 'allow',
      imageOrigins: ['https://i.test'],
      linkBase: 'https://i.test/',
    });
    const policy = createUrlPolicy({});
    restore();
    assert.equal(policy.checkImage('https://i.test/a.png')?.automatic, false);
    assert.equal(policy.checkLink('a'), null);
  });

  it('loads no image automatically by default', () => {
    const policy = createUrlPolicy();
    assert.deepEqual(policy.checkImage('https://i.test/a.png?q=1'), {
      src: 'https://i.test/a.png?q=1',
      host: 'i.test',
      automatic: false,
    });
    assert.equal(policy.checkImage('data:image/png;base64,AA')?.automatic, false);
    for (const src of [
      'javascript:x',
      'data:image/svg+xml,x',
      'data:text/html,x',
      '/x.png',
      'blob:x',
    ]) {
      assert.equal(policy.checkImage(src), null, src);
    }
  });

  it('loads no image automatically with a policy that it does not know', () => {
    for (const imagePolicy of ['', 'none', 'Data', 'toString']) {
      const policy = createUrlPolicy({ imagePolicy: imagePolicy as 'link' });
      const { automatic } = policy.checkImage('data:image/png;base64,AA') ?? {};
      assert.equal(automatic, false, imagePolicy);
    }
  });

  it('loads data images automatically with imagePolicy data', () => {
    const policy = createUrlPolicy({ imagePolicy: 'data' });
    assert.equal(policy.checkImage('data:image/png;base64,AA')?.automatic, true);
    assert.equal(policy.checkImage('https://i.test/a.png')?.automatic, false);
    assert.equal(policy.checkImage(`data:image/png;base64,${'A'.repeat(3_000_000)}`), null);
  });

  it('loads images from the listed origins and folders, with a query only where the origin is listed with one', () => {
    const policy = createUrlPolicy({
      imagePolicy: 'allow',
      imageOrigins: ['https://ok.test/pictures/', 'https://q.test?', 'https://bare.test/img'],
    });
    const load = (src: string): string | null => {
      const image = policy.checkImage(src);
      return image?.automatic === true ? image.src : null;
    };
    assert.equal(load('https://ok.test/pictures/a.png?leak=1#x'), 'https://ok.test/pictures/a.png');
    assert.equal(load('https://q.test/a.png?size=2'), 'https://q.test/a.png?size=2');
    assert.equal(load('https://bare.test/img/a.png'), 'https://bare.test/img/a.png');
    for (const src of [
      'https://bare.test/img-of-others/a.png',
      'https://ok.test.evil/pictures/a.png',
      'http://ok.test/pictures/a.png',
      'https://ok.test:444/pictures/a.png',
      'https://ok.test/other/a.png',
      'https://ok.test/pictures/../other/a.png',
      'https://ok.test/pictures/%2e%2e/other/a.png',
      'https://ok.test/pictures/..%2fother/a.png',
      'https://ok.test@evil.test/pictures/a.png',
    ]) {
      assert.equal(load(src), null, src);
    }
  });
});

describe('limits and exceptions of createUrlPolicy', () => {
  const policy = createUrlPolicy();
  const notice = (href: string, text = ''): string | null | undefined =>
    policy.checkLink(href, text)?.notice;

  it('show the host beside a text of more than 4,096 characters', () => {
    assert.equal(notice('https://a.test/', 'x'.repeat(4096)), null);
    assert.equal(notice('https://a.test/', 'x'.repeat(4097)), 'a.test');
  });

  it('show the host beside a text of more than 8,192 characters after normalization', () => {
    assert.equal(notice('https://a.test/', `${'\ufdfa'.repeat(455)}xx`), null);
    assert.equal(notice('https://a.test/', `${'\ufdfa'.repeat(455)}xxx`), 'a.test');
  });

  it('compare the number with a text of five or more digits', () => {
    assert.equal(notice('tel:+4912345', 'Call 9999'), null);
    assert.equal(notice('tel:+4912345', 'Call 99999'), '+4912345');
    assert.equal(notice('tel:+4912345', 'Call 012345'), null);
  });

  it('shorten a notice to 300 characters', () => {
    assert.equal(notice(`tel:${'*'.repeat(300)}`), '*'.repeat(300));
    assert.equal(notice(`tel:${'*'.repeat(301)}`), `${'*'.repeat(300)}…`);
  });

  it('accept a data image of 2.8 million characters', () => {
    const start = 'data:image/png;base64,';
    const image = (length: number): string => start + 'A'.repeat(length - start.length);
    assert.equal(policy.checkImage(image(2_800_000))?.automatic, false);
    assert.equal(policy.checkImage(image(2_800_001)), null);
    assert.equal(policy.checkImage(` ${image(100)} `)?.src, image(100));
  });

  it('treat an email with several recipients or fields as one that hides something', () => {
    assert.equal(notice('mailto:me@a.test?subject=Hello', 'me@a.test'), null);
    assert.equal(notice('mailto:me@a.test?'), null);
    assert.equal(notice('mailto:me@a.test;you@b.test', 'me@a.test'), 'me@a.test, you@b.test');
    assert.equal(notice('mailto:me@a.test, you@b.test'), 'me@a.test, you@b.test');
    assert.equal(notice('mailto:me@a.test', 'me@a.test or you@b.test'), 'me@a.test');
    assert.equal(notice('mailto:me@a.test', 'a.test'), null);
  });

  it('ignore the port and www in the name of the host', () => {
    assert.equal(notice('https://a.test:8080/', 'a.test'), null);
    assert.equal(notice('https://www.a.test/', 'a.test'), null);
    assert.equal(notice('https://a.test/', 'www.a.test'), null);
    assert.equal(notice('https://a.test/', '1.2.3.4'), 'a.test');
  });
});
