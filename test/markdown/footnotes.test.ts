import { expect } from '@open-wc/testing';
import { defaultStrings } from '../../src/markdown/options.js';
import { createRandom, pickIndex } from '../helpers/seeded-random.js';
import { setupView, renderAtOnce, type ViewSetup } from './setup-view.js';
import { isExhaustive, seedsUpTo } from '../helpers/sample.js';

/** The footnote numbers in the text, and the notes below it. */
function readFootnotes({ box }: Pick<ViewSetup, 'box'>): { numbers: string[]; notes: string[] } {
  const text = (node: Element): string => node.textContent.replace(/\u21a9\ufe0e\d*/g, '').trim();
  return {
    numbers: [...box.querySelectorAll('sup.ubik-footnote')].map(text),
    notes: [...box.querySelectorAll('.ubik-footnotes > ol > li')].map(text),
  };
}

function render(source: string): ViewSetup {
  const set = setupView();
  set.add(source);
  void set.view.end();
  set.frames.flush();
  return set;
}

describe('footnote', () => {
  it('is numbered by its first reference and listed below the text', () => {
    const set = render('One[^b], two[^a], one again[^B].\n\n[^a]: First.\n\n[^b]: Second.\n\nEnd.');
    expect(readFootnotes(set)).to.deep.equal({
      numbers: ['1', '2', '1'],
      notes: ['Second.', 'First.'],
    });
    expect(set.box.lastElementChild?.className).to.equal('ubik-markdown ubik-footnotes');
    expect(set.box.querySelector('.ubik-markdown')?.textContent).to.contain('End.');
  });

  it('contains indented blocks and continuation lines', () => {
    const { box } = render(
      'a[^1]\n\n[^1]: One\nlazy\n\n    - item\n\n        code\n[^2]: unused\n\nend',
    );
    const body = box.querySelector('.ubik-footnotes li > div');
    expect(body?.querySelector('p')?.textContent).to.equal('One\nlazy');
    expect(body?.querySelector('ul li')?.textContent).to.contain('item');
    expect(box.querySelectorAll('.ubik-footnotes li[id]')).to.have.length(1);
  });

  it('stays text without a definition or a valid name', () => {
    const text = 'a[^x] [^] [^a b] [^y](https://a.test/) `[^1]` \\[^1]\n\n[^1]: n';
    const { box } = render(text);
    expect(box.querySelector('sup')).to.equal(null);
    expect(box.querySelector('p')?.textContent).to.equal('a[^x] [^] [^a b] ^y [^1] [^1]');
  });

  it('keeps an exclamation mark before it as text and is not nested in a link', () => {
    const { box } = render('Wow![^1] [a[^1]](https://a.test/)\n\n[^1]: n');
    expect(box.querySelector('p')?.textContent).to.equal('Wow!1 [a1](https://a.test/)');
    expect(box.querySelector('a a')).to.equal(null);
  });

  it('is resolved by a late definition, which renumbers the following ones', () => {
    const set = setupView();
    set.add('One[^a] two[^b].\n\n[^b]: B.\n\n');
    expect(readFootnotes(set)).to.deep.equal({ numbers: ['1'], notes: ['B.'] });
    const [item] = set.box.querySelectorAll('.ubik-footnotes li');
    set.add('[^a]: A.\n\n');
    expect(readFootnotes(set)).to.deep.equal({ numbers: ['1', '2'], notes: ['A.', 'B.'] });
    expect(set.box.querySelectorAll('.ubik-footnotes > ol > li')[1]).to.equal(item);
  });

  it('has accessible names and ids with the prefix of its view', () => {
    const set = render('One[^a], two[^a].\n\n[^a]: A.');
    const [first, second] = set.box.querySelectorAll('sup');
    const [item] = set.box.querySelectorAll('.ubik-footnotes li');
    const back = item?.querySelector('.ubik-footnote-back');
    const link = first?.querySelector('a');
    expect(link?.getAttribute('aria-label')).to.equal('Footnote 1');
    expect(link?.getAttribute('href')).to.equal(`#${item?.id ?? ''}`);
    expect(back?.getAttribute('href')).to.equal(`#${first?.id ?? ''}`);
    expect(back?.getAttribute('aria-label')).to.equal('Back to reference 1');
    expect(item?.id).to.equal('view-note-1');
    expect([first?.id, second?.id]).to.deep.equal(['view-note-1-ref', 'view-note-1-ref-2']);
    expect(set.box.querySelector('section')?.getAttribute('aria-label')).to.equal('Footnotes');
  });

  it('has names in the language of the interface, and notes in that of the text', () => {
    const strings = { ...defaultStrings, lang: 'fr', textLang: 'it' };
    const { box, add } = setupView({ strings });
    add('One[^a].\n\n[^a]: A.\n\n');
    const langOf = (selector: string): string | null | undefined =>
      box.querySelector(selector)?.getAttribute('lang');
    expect(langOf('.ubik-footnotes')).to.equal('fr');
    expect(langOf('.ubik-footnotes > ol')).to.equal('it');
    expect(langOf('.ubik-footnote-back')).to.equal('fr');
    expect(langOf('sup > a')).to.equal('fr');
  });

  it('is removed when its text cannot be rendered any more', () => {
    const { reportError } = globalThis;
    globalThis.reportError = () => undefined;
    const { box, add } = setupView({
      renderMark: () => {
        throw new Error('host');
      },
    });
    add('[^a]: A.\n\nOne[^a] and ');
    expect(box.querySelectorAll('.ubik-footnotes li').length).to.equal(1);
    add('\ue000x\ue001 more ');
    globalThis.reportError = reportError;
    expect(box.querySelector('p')?.textContent).to.contain('One[^a] and');
    expect(box.querySelector('.ubik-footnotes')).to.equal(null);
  });

  it('has a back link to each reference in order, including late ones', () => {
    const set = setupView();
    const backs = (): string[] =>
      [...set.box.querySelectorAll('.ubik-footnote-back')].map(
        (link) => `${link.textContent} ${link.getAttribute('aria-label') ?? ''}`,
      );
    set.add('[^b]: B.\n\n[^a]: A.\n\nOne[^a], two[^a], three[^a].\n\n');
    const [first] = set.box.querySelectorAll('.ubik-footnotes li');
    expect(backs()).to.deep.equal([
      '\u21a9\ufe0e Back to reference 1',
      '\u21a9\ufe0e2 Back to reference 1-2',
      '\u21a9\ufe0e3 Back to reference 1-3',
    ]);
    for (const link of set.box.querySelectorAll('.ubik-footnote-back')) {
      const id = link.getAttribute('href')?.slice(1) ?? '';
      expect(set.box.querySelectorAll(`#${id} > a[href="#${first?.id ?? ''}"]`).length).to.equal(1);
    }
    const [link] = first?.querySelectorAll('.ubik-footnote-back') ?? [];
    set.add('Four[^a].\n\n');
    expect(backs().length).to.equal(4);
    expect(set.box.querySelector('.ubik-footnote-back')).to.equal(link);
    set.view.truncate(set.view.source.indexOf(', three'));
    set.add(' end[^b].\n\n');
    expect(backs().length).to.equal(3);
    expect(backs()[2]).to.equal('\u21a9\ufe0e Back to reference 2');
  });

  it('has back links with its new number when a late definition renumbers it', () => {
    const set = setupView();
    const names = (): (string | null)[] =>
      [...set.box.querySelectorAll('.ubik-footnote-back')].map((link) =>
        link.getAttribute('aria-label'),
      );
    set.add('One[^a] two[^b] three[^b].\n\n[^b]: B.\n\n');
    expect(names()).to.deep.equal(['Back to reference 1', 'Back to reference 1-2']);
    set.add('[^a]: A.\n\n');
    expect(names()).to.deep.equal([
      'Back to reference 1',
      'Back to reference 2',
      'Back to reference 2-2',
    ]);
  });

  it('has back links to the first twenty references only', () => {
    const uses = Array.from({ length: 3000 }, (_, index) => `word ${index}[^a]`).join(' ');
    const set = render(`${uses}\n\n[^a]: A.`);
    expect(set.box.querySelectorAll('.ubik-footnote-back').length).to.equal(20);
    expect(set.box.querySelectorAll('sup[id]').length).to.equal(20);
    expect(set.box.querySelectorAll('sup.ubik-footnote').length).to.equal(3000);
  });

  it('moves the focus to the note and back, even in a shadow tree', () => {
    const host = document.body.appendChild(document.createElement('div'));
    const root = host.attachShadow({ mode: 'open' });
    const set = render('One[^a].\n\n[^a]: A.');
    root.append(set.box);
    const before = location.href;
    set.box.querySelector<HTMLElement>('sup a')?.click();
    expect(root.activeElement?.id).to.equal('view-note-1');
    set.box.querySelector<HTMLElement>('.ubik-footnote-back')?.click();
    expect(root.activeElement?.parentElement?.id).to.equal('view-note-1-ref');
    expect(location.href).to.equal(before);
    host.remove();
  });

  it('is removed and added with text that is truncated and appended', () => {
    const set = setupView();
    const source = 'One[^a] two[^b].\n\nThree[^c].\n\n[^b]: B.\n\n[^a]: A.\n\n[^c]: C.\n\nEnd[^b].';
    for (let end = source.length; end > 0; end -= 7) {
      set.add(source.slice(set.view.source.length));
      set.view.truncate(end);
      set.frames.flush();
      expect(set.box.innerHTML, source.slice(0, end)).to.equal(
        renderAtOnce(source.slice(0, end), false),
      );
    }
  });

  it('ignores a reference in text that was truncated while its formulas were loading', async () => {
    let load: (part: unknown) => void = () => undefined;
    const loading = new Promise((resolve) => (load = resolve));
    const set = setupView({ loadExtra: () => loading });
    set.add('As $x$ says[^1].\n\n[^1]: Note.\n\n');
    set.view.truncate(0);
    set.add('[^1]: Note.\n\nEnd.');
    load({ findFormulas: () => [{ start: 3, end: 6 }], renderFormula: () => null });
    await loading;
    await new Promise((resolve) => setTimeout(resolve));
    set.add(' And more.');
    expect(set.box.textContent).to.equal('End. And more.');
  });

  it('is left as text beyond the thousandth', () => {
    const count = 1003;
    const numbers = Array.from({ length: count }, (_, index) => index);
    const uses = numbers.map((index) => `[^${index}]`).join(' ');
    const set = render(`${uses}\n\n${numbers.map((index) => `[^${index}]: n${index}`).join('\n')}`);
    expect(readFootnotes(set).notes).to.have.length(1000);
    expect(set.box.textContent).to.contain('[^1002]: ').and.to.contain('n1002');
  });

  it('renders the same for any chunking as at once', () => {
    for (const seed of seedsUpTo(60)) {
      const random = createRandom(seed);
      const name = (): string => `[^${pickIndex(random, 5)}]`;
      const pieces = Array.from({ length: 12 }, () =>
        random() < 0.5
          ? `Word${name()} *soft ${name()}* !${name()}\n\n| a${name()} |\n|---|\n| ${name()} |\n\n`
          : `${name()}: Note ${name()}\n    more\n\n`,
      );
      const source = pieces.join('');
      const set = setupView();
      for (let at = 0; at < source.length;) {
        const next = at + 1 + pickIndex(random, 9);
        set.add(source.slice(at, next));
        at = next;
        // A sample compares a third of the steps, which differ in each document.
        if (!isExhaustive && (at + seed) % 3 > 0 && at < source.length) continue;
        const soFar = source.slice(0, at);
        expect(set.box.innerHTML, soFar).to.equal(renderAtOnce(soFar, false));
      }
    }
  });
});
