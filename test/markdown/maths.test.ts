import { expect } from '@open-wc/testing';
import * as maths from '../../src/markdown/extras/maths.js';
import { toCsv, toMarkdown } from '../../src/markdown/extras/table-text.js';
import { serializeHtml } from '../../src/message/export/serialize-html.js';
import { readRenderedText } from '../../src/message/rendered-text.js';
import { waitFor } from '../helpers/wait-for.js';
import { setupView } from './setup-view.js';

const { renderFormula } = maths;

const render = (source: string, isDisplay = false): Element | null =>
  renderFormula({ source, start: 0, end: source.length, isDisplay }, { document });

describe('renderFormula', () => {
  it('renders MathML', () => {
    const math = render('x^2');
    expect(math?.matches('math')).to.equal(true);
    expect(math?.querySelector('msup')?.textContent).to.equal('x2');
    const box = render('x', true);
    expect(box?.className).to.equal('ubik-formula');
    expect(box?.firstElementChild?.getAttribute('display')).to.equal('block');
  });

  it('accepts 900 letters and rejects 3,000 elements', () => {
    expect(render('x'.repeat(900))?.querySelectorAll('mi').length).to.equal(900);
    expect(render('x+'.repeat(1500) + 'x')).to.equal(null);
    // Three more elements contain the letters, and 2,000 are allowed.
    expect(render('x'.repeat(1997))?.querySelectorAll('mi').length).to.equal(1997);
    expect(render('x'.repeat(1998))).to.equal(null);
  });

  it('rejects incomplete formulas and unknown commands', () => {
    expect(render('\\frac{1}{')).to.equal(null);
    expect(render('\\nothing{1}')).to.equal(null);
  });

  it('rejects formulas that paint outside their box, define commands, or use classes, files or references', () => {
    const sources = [
      '\\rule{1em}{1em}',
      '\\raisebox{5em}{x}',
      '\\mathllap{x}',
      '\\def\\a{b}\\a',
      '\\hspace{-2em}x',
      '\\hspace{11em}x',
      '\\hspace{2in}x',
      '\\class{a}{x}',
      '\\includegraphics{a.png}',
      '\\ref{e}',
    ];
    for (const source of sources) expect(render(source), source).to.equal(null);
    expect(render('\\hspace{9em}x')).not.to.equal(null);
    // Lengths of exactly the bounds are allowed.
    for (const source of ['\\hspace{10em}x', '\\hspace{-1em}x', '\\hspace{1in}x'])
      expect(render(source), source).not.to.equal(null);
  });

  it('creates no ids, classes, links or resources', () => {
    const sources = ['\\frac{a}{b} \\text{c}', "x'", '\\cancel{x}', '\\underline{a}'];
    for (const source of sources) {
      const display = render(source, true);
      const math = display?.firstElementChild;
      expect(math?.localName, source).to.equal('math');
      const named = ['id', 'href', 'src', 'class'].filter(
        (name) => math?.hasAttribute(name) || math?.querySelector(`[${name}]`),
      );
      expect(named, source).to.deep.equal([]);
    }
  });
});

describe('formulas outside the view', () => {
  /** The box of a rendered text with this number of formulas. */
  async function boxOf(text: string, count: number): Promise<HTMLElement> {
    const { box, add, view, frames } = setupView({ loadExtra: () => Promise.resolve(maths) });
    add(text);
    void view.end();
    await waitFor(() => {
      frames.flush();
      return box.querySelectorAll('math').length === count;
    });
    return box;
  }

  it('are TeX in read and copied text, because their characters have another value', async () => {
    const box = await boxOf('Half is $\\frac{1}{2}$, not \\(x < 12\\).\n\n$$x^2$$\n', 3);
    expect(readRenderedText(box)).to.equal('Half is $\\frac{1}{2}$, not \\(x < 12\\).\n\n$$x^2$$');
    const html = serializeHtml(box);
    expect(html).to.contain('Half is $\\frac{1}{2}$, not \\(x &lt; 12\\).');
    expect(html).to.contain('$$x^2$$');
  });

  it('are TeX in a table that is copied as CSV, and as Markdown that renders the same', async () => {
    const text =
      '| $x_i$ | $b$ |\n| --- | --- |\n| $\\frac{1}{2}$ | $\\lvert a \\rvert_1$ |\n| $0.95$ | $95\\%$ |\n';
    const table = (await boxOf(text, 6)).querySelector('table') as HTMLTableElement;
    // What is a line of text, such as a number, stays one.
    expect(toCsv(table)).to.equal(
      '$x_i$,b\r\n$\\frac{1}{2}$,$\\lvert a \\rvert_1$\r\n0.95,95%\r\n',
    );
    expect(toMarkdown(table)).to.equal(text);
  });
});
