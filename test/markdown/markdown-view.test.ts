import { expect } from '@open-wc/testing';
import { createManualFrameScheduler } from '../../src/dom/manual-frames.js';
import { createMarkdownView } from '../../src/markdown/markdown-view.js';
import { defaultStrings } from '../../src/markdown/options.js';
import { createUrlPolicy } from '../../src/markdown/url-policy.js';
import { createRandom, pickIndex } from '../helpers/seeded-random.js';
import { randomMarkdown } from './random-markdown.js';
import { permissivePolicy, setupView, renderAtOnce } from './setup-view.js';
import { seedsUpTo } from '../helpers/sample.js';

/** The rendered text after each character. */
function renderPrefixes(source: string): string[] {
  const { box, add } = setupView();
  return [...source].map((character) => {
    add(character);
    return box.textContent ?? '';
  });
}

describe('Markdown view', () => {
  it('renders appended text in the next frame', () => {
    const { box, view, frames } = setupView();
    view.append('Hello ');
    view.append('world ');
    expect(box.textContent).to.equal('');
    expect(frames.scheduledCount).to.equal(1);
    frames.frame();
    expect(box.textContent).to.equal('Hello world');
    expect(view.source).to.equal('Hello world ');
  });

  it('spreads a long text over several frames', async () => {
    const { box, view, frames } = setupView();
    view.append('Some words. '.repeat(10_000));
    frames.frame(2);
    const first = box.textContent?.length ?? 0;
    expect(first).to.be.within(4000, 13_000);
    const rendered = view.whenRendered();
    frames.flush();
    await rendered;
    expect(box.textContent?.length).to.equal(119_999);
  });

  it('renders up to 2,048 units synchronously at the end, and the rest in frames', async () => {
    const short = setupView();
    short.view.append('word '.repeat(400));
    await short.view.end();
    expect(short.box.textContent?.length).to.equal(1999);

    const long = setupView();
    long.view.append('word '.repeat(40_000));
    const ended = long.view.end();
    expect(long.box.textContent?.length).to.be.within(1500, 2048);
    long.frames.flush();
    await ended;
    expect(long.box.textContent?.length).to.equal(199_999);
  });

  it('accepts more text after its end', async () => {
    const { box, view, add } = setupView();
    add('one **two');
    await view.end();
    expect(box.textContent).to.equal('one **two');
    add(' three** four ');
    expect(box.querySelector('strong')?.textContent).to.equal('two three');
    await view.end();
    expect(box.innerHTML).to.equal(renderAtOnce('one **two three** four ', true));
  });

  it('renders truncated text as if the rest had never been appended', () => {
    for (const seed of seedsUpTo(120)) {
      const random = createRandom(seed);
      const text = randomMarkdown(random, 10);
      const { box, view, frames, add } = setupView();
      add(text);
      const at = pickIndex(random, text.length + 1);
      view.truncate(at);
      frames.flush();
      const remaining = text.slice(0, at);
      expect(view.source).to.equal(remaining);
      expect(box.innerHTML, JSON.stringify(remaining)).to.equal(renderAtOnce(remaining, false));
      const rest = randomMarkdown(random, 4);
      add(rest);
      expect(box.innerHTML).to.equal(renderAtOnce(remaining + rest, false));
    }
  });

  it('ignores empty text, and truncation to its length or more or to NaN; takes a fraction as the whole number below and a negative length as 0', () => {
    const { view, frames, add } = setupView();
    add('Hello');
    view.append('');
    for (const length of [5, 6, Infinity, Number.NaN]) view.truncate(length);
    expect(frames.scheduledCount).to.equal(0);
    expect(view.source).to.equal('Hello');
    view.truncate(3.7);
    expect(view.source).to.equal('Hel');
    view.truncate(-2);
    expect(view.source).to.equal('');
  });

  it('removes all elements when it is truncated to nothing', () => {
    const { box, view, frames, add } = setupView();
    add('One.\n\nTwo.\n\nThree.');
    view.truncate(0);
    frames.flush();
    expect(box.childNodes.length).to.equal(0);
  });

  it('keeps the nodes of all remaining blocks except the last when it is truncated', () => {
    const { box, view, frames, add } = setupView();
    const text = Array.from({ length: 10 }, (_, index) => `Paragraph ${String(index)}.`).join(
      '\n\n',
    );
    add(text);
    const before = [...box.querySelectorAll('p')];
    view.truncate(text.indexOf('Paragraph 5.'));
    frames.flush();
    const after = [...box.querySelectorAll('p')];
    expect(after.length).to.equal(5);
    for (const index of [0, 1, 2, 3]) expect(after[index]).to.equal(before[index]);
  });

  it('keeps all nodes when only text is truncated that is not rendered yet', () => {
    const { box, view, frames, add } = setupView();
    add('One *two* three ');
    const em = box.querySelector('em');
    view.append('four five ');
    view.truncate('One *two* three four '.length);
    frames.flush();
    expect(box.textContent).to.equal('One two three four');
    expect(box.querySelector('em')).to.equal(em);
  });

  it('renders late references again within a budget, and all of them at its end', async () => {
    const { box, view, frames, add } = setupView();
    const numbers = Array.from({ length: 60 }, (_, index) => index);
    add(`${numbers.map((index) => `[r${index}] ${'words '.repeat(30)}`).join('')}\n\n`);
    for (const index of numbers) add(`[r${index}]: https://a.test/${index}\n\n`);
    expect(box.querySelectorAll('a').length).to.be.within(1, 59);
    void view.end();
    frames.flush();
    expect(box.querySelectorAll('a').length).to.equal(60);
  });

  it('renders a late reference before the nested list of its item', () => {
    const { box, add } = setupView();
    add('- See [it] here.\n  - inner\n\n[it]: https://a.test/\n\nEnd ');
    const item = box.querySelector('li');
    expect(item?.firstChild?.nodeValue).to.equal('See ');
    expect(item?.querySelector('a')?.nextSibling?.nodeValue).to.equal(' here.');
    expect(item?.lastElementChild?.localName).to.equal('ul');
  });

  it('has unique ids without a given prefix', () => {
    const ids = [1, 2].map(() => {
      const { box, add } = setupView({ idPrefix: undefined });
      add('One[^a].\n\n[^a]: A.\n\nEnd.\n\n');
      return box.querySelector('.ubik-footnotes li')?.id ?? '';
    });
    expect(ids[0]).to.match(/^ubik-markdown-\d+-note-1$/);
    expect(ids[0]).not.to.equal(ids[1]);
  });

  it('names the checkboxes of tasks by their state', () => {
    const { box, add } = setupView();
    add('- [ ] one\n- [x] two\n- [X] three\n');
    const states = [...box.querySelectorAll('input')].map((input) => [
      input.getAttribute('aria-label'),
      input.hasAttribute('checked'),
      input.disabled,
    ]);
    expect(states).to.deep.equal([
      ['To do', false, true],
      ['Done', true, true],
      ['Done', true, true],
    ]);
  });

  it('renders references as text when their definition is truncated', () => {
    const { box, view, frames, add } = setupView();
    add('See [it].\n\nMore.\n\nEven more.\n\n[it]: https://a.test/\n\nEnd ');
    expect(box.querySelector('a')?.textContent).to.equal('it');
    view.truncate(20);
    frames.flush();
    expect(box.querySelector('a')).to.equal(null);
    expect(box.textContent).to.contain('See [it].');
  });

  it('redraws with a policy whose functions have changed, open or ended', async () => {
    const text = '# A [link](/here) ![alt](i.png)[^1]\n\n<b>\n\n[^1]: Note\n\nand **more';
    for (const ended of [false, true]) {
      const old = createUrlPolicy();
      const options = { urlPolicy: { checkLink: old.checkLink, checkImage: old.checkImage } };
      const { box, view, frames, add } = setupView(options);
      add(text);
      if (ended) await view.end();
      Object.assign(options.urlPolicy, permissivePolicy);
      view.redraw();
      frames.flush();
      await view.whenRendered();
      expect(box.innerHTML).to.equal(renderAtOnce(text, ended));
      add(' text** x');
      expect(box.innerHTML).to.equal(renderAtOnce(`${text} text** x`, false));
      view.dispose();
      view.redraw();
      expect(frames.scheduledCount).to.equal(0);
    }
  });

  it('redraws with a policy and strings that replace those of its options', () => {
    const text =
      '[link](/here) ![alt](i.png)[^1]\n\n```js\na\n```\n\n- [ ] a\n\n[^1]: Note\n\nEnd\n\n';
    const strings = {
      ...defaultStrings,
      lang: 'de',
      footnotes: 'Fußnoten',
      copy: 'Kopieren',
      task: () => 'Offen',
    };
    const frames = createManualFrameScheduler();
    const box = document.createElement('div');
    const options = {
      document,
      frames,
      idPrefix: 'view',
      urlPolicy: createUrlPolicy(),
      strings: { ...defaultStrings, lang: 'en' },
    };
    const view = createMarkdownView(box, options);
    view.append(text);
    frames.flush();
    expect(box.querySelector('img, a[href="/here"], [aria-label="Fußnoten"]')).to.equal(null);
    Object.assign(options, { urlPolicy: permissivePolicy, strings });
    view.redraw();
    frames.flush();
    expect(box.querySelectorAll('img, a[href="/here"], [aria-label="Fußnoten"]').length).to.equal(
      3,
    );
    expect(box.innerHTML).to.equal(renderAtOnce(text, false, { strings }));
  });

  it('renders task checkboxes in lists only', () => {
    const { box, add } = setupView();
    add('# [ ] Heading\n\n[ ] paragraph\n\n| [ ] cell | [x] cell |\n|---|---|\n| [ ] cell | |\n\n');
    expect(box.querySelector('input')).to.equal(null);
    add('- [ ] task\n\n');
    expect(box.querySelectorAll('input').length).to.equal(1);
  });

  it('does not link an address that contains a line break', () => {
    const { box, add } = setupView();
    add('[one](<a\nb>) [two](<a\\\nb>) [three](<a\\>b>)\n\n');
    const links = [...box.querySelectorAll('a')];
    expect(links.map(({ textContent }) => textContent)).to.deep.equal(['three']);
  });

  it('loads at most twenty images automatically', () => {
    const { box, add } = setupView();
    add(Array.from({ length: 30 }, (_, index) => `![x](i${index}) `).join(''));
    expect(box.querySelectorAll('img').length).to.equal(20);
    expect(box.querySelectorAll('button').length).to.equal(10);
  });

  it('ignores text after it was disposed', async () => {
    const { box, view, frames } = setupView();
    view.append('one ');
    view.dispose();
    view.append('two ');
    view.truncate(2);
    view.redraw();
    expect([view.source, frames.scheduledCount]).to.deep.equal(['one ', 0]);
    frames.flush();
    await view.end();
    await view.whenRendered();
    expect(box.textContent).to.equal('');
  });
});

describe('unfinished Markdown syntax', () => {
  it('shows no delimiters of emphasis, code or links', () => {
    for (const text of renderPrefixes(
      'Some **bold** and *soft* text, `code`, ~~gone~~ and [a link](https://a.test "t"). ',
    )) {
      expect(text).not.to.match(/[*`~[\]()]/);
    }
  });

  it('shows no delimiters between CJK characters, and table cells in order', () => {
    const shown = '中文粗体字，删除了。';
    for (const text of renderPrefixes('中文**粗体**字，~~删除~~了。'))
      expect(shown.startsWith(text)).to.equal(true);
    for (const text of renderPrefixes('| a | b |\n|---|---|\n| www.a.test | x *y* |\n')) {
      expect('abwww.a.testx y'.startsWith(text), text).to.equal(true);
    }
  });

  it('shows open emphasis and code formatted', () => {
    const { box, add } = setupView();
    add('A **bold text');
    expect(box.querySelector('strong')?.textContent).to.equal('bold text');
    add('** and `some co');
    expect(box.querySelector('code')?.textContent).to.equal('some co');
  });

  it('keeps the nodes of open emphasis', () => {
    const { box, add } = setupView();
    add('A **bold');
    const strong = box.querySelector('strong');
    const text = strong?.firstChild;
    add(' te');
    add('xt** more');
    expect(box.querySelector('strong')).to.equal(strong);
    expect(strong?.firstChild).to.equal(text);
  });

  it('shows no image before its closing parenthesis', () => {
    const { box, add } = setupView();
    for (const character of '![alt](https://i.test/a.png') {
      add(character);
      expect(box.querySelector('img')).to.equal(null);
      expect(box.textContent).to.equal('');
    }
    add(')');
    expect(box.querySelectorAll('img').length).to.equal(1);
  });

  it('shows a table as a table from its first row', () => {
    const { box, add } = setupView();
    for (const character of '| a | b |\n|---|---|\n| c | d |\n') {
      add(character);
      expect(box.textContent).not.to.contain('|');
      expect(box.querySelector('p')).to.equal(null);
    }
    expect(box.querySelectorAll('th[scope=col]').length).to.equal(2);
    expect(box.querySelectorAll('td').length).to.equal(2);
  });

  it('shows no heading, list or thematic break before its line is unambiguous', () => {
    const elementNames: string[] = [];
    const { box, add } = setupView();
    for (const character of 'text\n- a\n\n---\n1. b\n# h\n') {
      add(character);
      elementNames.push([...box.querySelectorAll('*')].map((node) => node.localName).join(' '));
    }
    expect(elementNames.some((names) => names.includes('h2'))).to.equal(false);
    expect(box.querySelectorAll('hr, ul, ol, h1').length).to.equal(4);
  });

  it('is shown as text at the end and beyond the limit for text that is withheld', async () => {
    const ended = setupView();
    ended.add('wait [for it');
    expect(ended.box.textContent).to.equal('wait');
    await ended.view.end();
    expect(ended.box.textContent).to.equal('wait [for it');
    for (const start of [
      '[',
      '[a](',
      '![',
      '<a b="',
      '`',
      '&',
      'https://',
      '\ue000',
      '<!--',
      '[a]: <',
    ]) {
      const long = setupView();
      long.add(`${start}${'word'.repeat(2000)}`);
      expect(long.box.textContent?.length, start).to.be.greaterThan(3000);
    }
  });
});

describe('inline marks', () => {
  const mark = (key: string): Node | null => {
    if (key !== 'c1') return null;
    const node = document.createElement('sup');
    node.textContent = '1';
    return node;
  };

  it('are withheld until they are complete', () => {
    const { box, add } = setupView({ renderMark: mark });
    add('A fact\ue000c');
    expect(box.textContent).to.equal('A fact');
    add('1\ue001 and more');
    expect(box.innerHTML).to.contain('A fact<sup>1</sup> and more');
  });

  it('render nothing when they are unknown or never end', async () => {
    const { box, view, add } = setupView({ renderMark: mark });
    add('A\ue000zz\ue001B\ue001C\ue000D');
    await view.end();
    expect(box.textContent).to.equal('ABCD');
  });

  it('may follow emphasis', () => {
    const { box, add } = setupView({ renderMark: mark });
    add('**Bold.**\ue000c1\ue001 x');
    expect(box.querySelector('strong')?.textContent).to.equal('Bold.');
  });

  it('turn a block into plain text when renderMark throws', () => {
    const before = globalThis.reportError;
    const reported: unknown[] = [];
    globalThis.reportError = (error) => void reported.push(error);
    const { box, add } = setupView({
      renderMark: () => {
        throw new Error('host');
      },
    });
    add('*one* \ue000a\ue001 x\n\n*two*\n\n');
    globalThis.reportError = before;
    expect(box.textContent).to.contain('*one*');
    expect(box.querySelector('em')?.textContent).to.equal('two');
    expect(reported.length).to.be.greaterThan(0);
  });
});

describe('links and images with the default policy', () => {
  const urlPolicy = createUrlPolicy();

  it('open in a new tab without referrer, and show a deceptive host', () => {
    const { box, add } = setupView({ urlPolicy });
    add('[text](https://a.test/x) and [good.test](https://evil.test/) and [in](/here) ');
    const [first, second] = box.querySelectorAll('a');
    expect(first?.getAttribute('rel')).to.equal('noopener noreferrer nofollow ugc');
    expect(first?.getAttribute('target')).to.equal('_blank');
    expect(first?.textContent).to.equal('text');
    expect(second?.textContent).to.equal('good.test (evil.test)');
    expect(box.querySelectorAll('a').length).to.equal(2);
    expect(box.textContent).to.contain('in');
  });

  it('are marked when their text is their address, which the print style sheet would repeat', () => {
    const { box, add } = setupView({ urlPolicy });
    const texts = ['https://a.test/b', 'a.test/b/', '[http://a.test/b](https://a.test/b)'];
    const others = ['[b](https://a.test/b)', '[a.test/b](https://a.test/b/c "T")'];
    add(`<https://a.test/b> [${texts[1]}](https://a.test/b) ${texts[2]} ${others.join(' ')} `);
    const links = [...box.querySelectorAll('a')];
    expect(links.map((link) => link.hasAttribute('data-bare'))).to.deep.equal([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(links.map((link) => link.getAttribute('title'))).to.deep.equal([
      ...[null, null, null, null],
      'T',
    ]);
  });

  it('are inert where the address is not allowed', () => {
    const { box, add } = setupView({ urlPolicy });
    add('[in](/here "T") ![no](data:text/html,x) ');
    const link = box.querySelector('.ubik-link');
    expect([link?.localName, link?.getAttribute('data-inert')]).to.deep.equal(['span', '']);
    expect(link?.getAttribute('title')).to.equal('T');
    const image = box.querySelector('.ubik-image');
    expect([image?.localName, image?.textContent]).to.deep.equal(['span', 'Image: no']);
    expect(image?.getAttribute('data-inert')).to.equal('');
  });

  it('show a labelled button that loads the image when pressed', () => {
    const hosts: string[] = [];
    const { box, add } = setupView({
      urlPolicy,
      onImage: (image) => {
        hosts.push(image.host);
        return hosts.length > 1;
      },
    });
    add('![A chart](https://i.test/a.png "Title") ');
    expect(box.querySelector('img')).to.equal(null);
    const button = box.querySelector('button');
    expect(button?.textContent).to.equal('Load image “A chart” from i.test');
    button?.click();
    expect(box.querySelector('img'), 'onImage has returned false').to.equal(null);
    button?.click();
    const image = box.querySelector('img');
    expect(image?.getAttribute('alt')).to.equal('A chart');
    expect(image?.getAttribute('referrerpolicy')).to.equal('no-referrer');
    image?.removeAttribute('src');
  });

  it('call onLink before a link is followed', () => {
    const { box, add } = setupView({ urlPolicy, onLink: () => false });
    document.body.append(box);
    add('[text](https://a.test/x) ');
    const event = new MouseEvent('click', { bubbles: true, cancelable: true, composed: true });
    box.querySelector('a')?.dispatchEvent(event);
    box.remove();
    expect(event.defaultPrevented).to.equal(true);
  });

  it('reject dangerous addresses in streamed text', () => {
    const text =
      '[a](javascript:alert(1)) <javascript:alert(1)> ![x](data:text/html,x) <b onclick=x>';
    const { box, add } = setupView({ urlPolicy });
    for (const character of text) add(character);
    expect(box.querySelectorAll('a, img, b').length).to.equal(0);
    expect(box.innerHTML).to.equal(renderAtOnce(text, false, { urlPolicy }));
  });
});

describe('code block', () => {
  it('is split into parts of fifty lines and keeps its text', () => {
    const { box, add } = setupView();
    const lines = Array.from({ length: 120 }, (_, index) => `line ${index}`);
    add(`\`\`\`js\n${lines.join('\n')}\n`);
    expect(box.querySelectorAll('.ubik-code-part').length).to.equal(3);
    expect(box.querySelector('pre code')?.textContent).to.equal(`${lines.join('\n')}\n`);
    expect(box.querySelector('pre')?.getAttribute('aria-label')).to.equal('Code, js');
    expect(box.querySelector('.ubik-code-language')?.textContent).to.equal('js');
    expect(box.querySelector('pre code')?.className).to.equal('language-js');
    expect(box.querySelector('.ubik-code')?.classList.contains('ubik-code-open')).to.equal(true);
    add('```\n\n```\nplain\n```\n');
    const [closed, plain] = box.querySelectorAll('.ubik-code');
    expect(closed?.classList.contains('ubik-code-open')).to.equal(false);
    expect(plain?.querySelector('code')?.hasAttribute('class')).to.equal(false);
    expect(plain?.querySelector('pre')?.getAttribute('aria-label')).to.equal('Code');
    expect(plain?.querySelector('[data-ubik-action="wrap-code"]')?.ariaPressed).to.equal('false');
  });

  it('withholds a line that may close it', () => {
    const { box, add } = setupView();
    add('```\na\n``');
    expect(box.querySelector('code')?.textContent).to.equal('a\n');
    add('`');
    expect(box.querySelector('code')?.textContent).to.equal('a\n');
    add('\nb');
    expect(box.querySelector('p')?.textContent).to.equal('b');
  });
});

describe('list', () => {
  it('gets paragraphs when it becomes loose and keeps its nodes', () => {
    const { box, add } = setupView();
    add('- [x] one *two*\n- three\n');
    const em = box.querySelector('em');
    expect(box.querySelectorAll('li > p').length).to.equal(0);
    add('\n- four');
    expect(box.querySelectorAll('li > p').length).to.equal(3);
    expect(box.querySelector('em')).to.equal(em);
    expect(box.querySelector('li > p > input')?.hasAttribute('checked')).to.equal(true);
  });
});
