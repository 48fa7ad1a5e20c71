import { expect } from '@open-wc/testing';
import { sanitize } from '../../src/markdown/extras/sanitize.js';
import { updateHtmlNotices } from '../../src/markdown/dom/link-notice.js';
import { createUrlPolicy } from '../../src/markdown/url-policy.js';
import { setupView, renderAtOnce } from './setup-view.js';

const EVIL = 'https://evil.test/';

/** The notices of the links in a Markdown text, in order. */
function noticesIn(text: string): (string | null)[] {
  const { box, add, view } = setupView({ urlPolicy: createUrlPolicy() });
  add(text);
  void view.end();
  return readNotices(box);
}

/** The notices of the links in sanitized HTML. */
function noticesInHtml(html: string): (string | null)[] {
  const urlPolicy = createUrlPolicy();
  const nodes = sanitize(html, {
    document,
    checkLink: (href) => urlPolicy.checkLink(href),
    checkImage: (src) => ({ src }),
  });
  if (!nodes) return [];
  updateHtmlNotices({ document, urlPolicy }, nodes);
  return readNotices(nodes);
}

function readNotices(box: ParentNode): (string | null)[] {
  return [...box.querySelectorAll('a')].map(
    (link) => link.querySelector('.ubik-link-host')?.textContent.trim() ?? null,
  );
}

describe('link with adjacent text', () => {
  it('shows its host when link and adjacent text together name another host', () => {
    for (const text of [
      `[bank](${EVIL})[.example](${EVIL})`,
      `bank.[example](${EVIL})`,
      `**bank**[.example](${EVIL})`,
      `**[bank](${EVIL})**.example`,
      `[bank](${EVIL}).example/login`,
      `https\\://bank.example[/login](${EVIL})`,
      `https\\://bank.example:443/[login](${EVIL})`,
      `bank.\u200b\u2009\u2028[example](${EVIL})`,
      `bank\ue000none\ue001[.example](${EVIL})`,
      `- bank.[example](${EVIL})`,
      `| a |\n|---|\n| bank.[example](${EVIL}) |`,
    ]) {
      expect(noticesIn(text)[0], text).to.equal('(evil.test)');
    }
    // Each link has its own notice.
    expect(noticesIn(`[bank](${EVIL})[.example](${EVIL})`)).to.deep.equal([
      '(evil.test)',
      '(evil.test)',
    ]);
    expect(noticesIn('support@[bank](mailto:me@evil.test).example')).to.deep.equal([
      '(me@evil.test)',
    ]);
  });

  it('reads only the nearest part of a long text', () => {
    const words = 'word '.repeat(100);
    expect(noticesIn(`${words}bank.[example](${EVIL})`)).to.deep.equal(['(evil.test)']);
    expect(noticesIn(`[bank](${EVIL}).example ${words}`)).to.deep.equal(['(evil.test)']);
    // Read as a whole, it would be longer than a link text that is analysed.
    const long = 'a'.repeat(5000);
    expect(noticesIn(`[guide](${EVIL})${long}`)).to.deep.equal([null]);
    expect(noticesInHtml(`${long}<a href="${EVIL}">guide</a>`)).to.deep.equal([null]);
  });

  it('shows its host when more adjacent pieces follow than are read', () => {
    const link = `[guide](${EVIL})`;
    expect(noticesIn(`${link}${'**a**_b_'.repeat(8)}`)).to.deep.equal([null]);
    expect(noticesIn(`${link}${'**a**_b_'.repeat(9)}`)).to.deep.equal(['(evil.test)']);
    expect(noticesIn(`${'**a**_b_'.repeat(9)}${link}`)).to.deep.equal(['(evil.test)']);
  });

  it('ignores text that is more than 300 units away', () => {
    // With sixteen pieces, more text could follow than is read; after 285 letters, only fifteen are within the limit of 300 units.
    const far = '**a**_b_'.repeat(9);
    expect(noticesIn(`[guide](${EVIL})${'a'.repeat(285)}${far}`)).to.deep.equal([null]);
    expect(noticesIn(`[guide](${EVIL})${'a'.repeat(284)}${far}`)).to.deep.equal(['(evil.test)']);
  });

  it('shows its host in sanitized HTML', () => {
    const link = (text: string): string => `<a href="${EVIL}">${text}</a>`;
    for (const html of [
      `<p>${link('bank')}${link('.example')}</p>`,
      `<p>bank.<b><i>${link('example')}</i></b></p>`,
      `<p>${link('bank')}<sup></sup><wbr><span>.example</span></p>`,
      `<p><img alt="bank.">${link('example')}</p>`,
      `<p>bank.<img>${link('example')}</p>`,
    ]) {
      expect(noticesInHtml(html)[0], html).to.equal('(evil.test)');
    }
  });

  it('shows no notice when something visible separates them', () => {
    for (const text of [
      `See bank.example: [the guide](${EVIL}).`,
      `Open it.\n[Example](${EVIL})`,
      `(bank.example)[guide](${EVIL})`,
      `请看。[文档](${EVIL})更多信息`,
      `打开config.json的[设置](${EVIL})`,
      `[evil.test](${EVIL})[^1]\n\n[^1]: A note.`,
      `- bank.example\n- [guide](${EVIL})`,
      `| a | b |\n|---|---|\n| bank. | [example](${EVIL}) |`,
      'Mail:[me@evil.test](mailto:me@evil.test)',
      `Read [the guide](${EVIL}).`,
      `**bank.** [example](${EVIL})`,
      `bank.  \n[example](${EVIL})`,
      `bank.![.](https://i.test/a.png)[example](${EVIL})`,
    ]) {
      expect(noticesIn(text)[0], text).to.equal(null);
    }
    const link = `<a href="${EVIL}">example</a>`;
    for (const html of [
      `<table><tr><td>bank.</td><td>${link}</td></tr></table>`,
      `<p>bank.<br>${link}</p>`,
      `<ul><li>bank.</li><li>${link}</li></ul>`,
      `<p>bank.</p>${link}`,
      `<p>bank.<sup>1</sup>${link}</p>`,
      `<p>bank.<img alt="a cat">${link}</p>`,
    ]) {
      expect(noticesInHtml(html), html).to.deep.equal([null]);
    }
  });

  it('shows the same notice when the adjacent text arrives later', () => {
    for (const text of [
      `[bank](${EVIL})**.exam**ple and more`,
      `a [bank](${EVIL})[.ex](${EVIL})ample`,
      `[bank](${EVIL}).\n\nexample`,
      `[a](${EVIL})`.repeat(20),
      `[guide](${EVIL})${'**a**_b_'.repeat(9)}`,
      `[guide](${EVIL})${'a'.repeat(284)}${'**a**_b_'.repeat(9)}`,
      // So many characters of the source that the link is not parsed again with the end of the word.
      `[bank](${EVIL}).${'&#8203;'.repeat(100)}*ex*ample and more`,
    ]) {
      const options = { urlPolicy: createUrlPolicy() };
      const { box, add } = setupView(options);
      let sent = '';
      // A run of one letter is added at once: only what follows it changes the notice.
      for (const chunk of text.match(/a{100,}|(?:&#8203;){50,}|./gsu) ?? []) {
        add(chunk);
        sent += chunk;
        expect(box.innerHTML, sent).to.equal(renderAtOnce(sent, false, options));
      }
    }
  });
});
