import { expect } from '@open-wc/testing';
import { renderFormula } from '../../src/markdown/extras/maths.js';

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
    // Three elements contain the letters.
    expect(render('x'.repeat(1997))?.querySelectorAll('mi').length).to.equal(1997);
    expect(render('x'.repeat(1998))).to.equal(null);
  });

  it('rejects incomplete formulas and unknown commands', () => {
    expect(render('\\frac{1}{')).to.equal(null);
    expect(render('\\nothing{1}')).to.equal(null);
  });

  it('rejects formulas that paint outside their box or define commands', () => {
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
