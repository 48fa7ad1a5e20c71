import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createUrlPolicy } from '../../src/markdown/url-policy.js';

describe('The judge of addresses, for links', () => {
  const policy = createUrlPolicy();

  it('lets the four schemes pass and nothing else', () => {
    assert.equal(policy.link('https://a.test/x')?.href, 'https://a.test/x');
    assert.equal(policy.link('HTTP://A.test')?.href, 'http://a.test/');
    assert.equal(policy.link('mailto:me@a.test')?.href, 'mailto:me@a.test');
    assert.equal(policy.link('tel:+1234')?.href, 'tel:+1234');
    const refused = [
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
    for (const href of refused) assert.equal(policy.link(href), null, href);
  });

  it('refuses names and passwords in an address', () => {
    assert.equal(policy.link('https://good.test@evil.test/'), null);
    assert.equal(policy.link('https://user:secret@a.test/'), null);
  });

  it('lets relative addresses lead nowhere without a base', () => {
    for (const href of ['/x', 'x', '#x', '?x', '//evil.test/x', '\\\\evil.test', '', '.']) {
      assert.equal(policy.link(href), null, href);
    }
    assert.equal(
      createUrlPolicy({ linkBase: 'https://b.test/d/' }).link('x')?.href,
      'https://b.test/d/x',
    );
  });

  it('shows the host when the text names another one', () => {
    const named = (text: string, href: string): boolean | undefined =>
      policy.link(href, text)?.showHost;
    assert.equal(named('good.test', 'https://evil.test/'), true);
    assert.equal(named('https://good.test/login', 'https://evil.test/good.test'), true);
    assert.equal(named('gооd.test', 'https://good.test/'), true, 'Cyrillic letters');
    assert.equal(named('good\u200b.test', 'https://evil.test/'), true);
    assert.equal(named('good。test', 'https://evil.test/'), true);
    assert.equal(named('me@good.test', 'mailto:me@evil.test'), true);
    assert.equal(named('127.0.0.1:80/admin', 'https://evil.test/'), true, 'numbers');
    assert.equal(named('good.t\u0301est', 'https://evil.test/'), true, 'combining marks');
    assert.equal(
      named(`${'word '.repeat(800)}good.test`, 'https://evil.test/'),
      true,
      'far behind',
    );
    assert.equal(named('www.good.test', 'https://good.test/'), false);
    assert.equal(named('It is done. See version 1.2.3 - or 3.14', 'https://good.test/'), false);
    assert.equal(named('https://good.test/x', 'https://good.test/x'), false);
    assert.equal(named('the guide', 'https://evil.test/'), false);
  });

  it('names look-alike hosts in ASCII', () => {
    assert.match(policy.link('https://gооd.test/')?.host ?? '', /^xn--/);
  });
});

describe('The judge of addresses, for images', () => {
  it('asks before it loads anything, by default', () => {
    const policy = createUrlPolicy();
    assert.deepEqual(policy.image('https://i.test/a.png?q=1'), {
      src: 'https://i.test/a.png?q=1',
      host: 'i.test',
      automatic: false,
    });
    assert.equal(policy.image('data:image/png;base64,AA')?.automatic, false);
    for (const src of [
      'javascript:x',
      'data:image/svg+xml,x',
      'data:text/html,x',
      '/x.png',
      'blob:x',
    ]) {
      assert.equal(policy.image(src), null, src);
    }
  });

  it('shows images that stand in the text when asked to', () => {
    const policy = createUrlPolicy({ imagePolicy: 'data' });
    assert.equal(policy.image('data:image/png;base64,AA')?.automatic, true);
    assert.equal(policy.image('https://i.test/a.png')?.automatic, false);
    assert.equal(policy.image(`data:image/png;base64,${'A'.repeat(3_000_000)}`), null);
  });

  it('loads from the places that are listed, without their query', () => {
    const policy = createUrlPolicy({
      imagePolicy: 'allow',
      imageOrigins: ['https://ok.test/pictures/', 'https://q.test?', 'https://bare.test/img'],
    });
    const load = (src: string): string | null => {
      const image = policy.image(src);
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
