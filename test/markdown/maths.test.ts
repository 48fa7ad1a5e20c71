import { expect } from '@open-wc/testing';
import { renderFormula } from '../../src/markdown/extras/maths.js';

const draw = (source: string, isDisplay = false): Element | null =>
  renderFormula({ source, start: 0, end: source.length, isDisplay }, { document });

describe('A formula', () => {
  it('is drawn as MathML', () => {
    const math = draw('x^2');
    expect(math?.matches('math')).to.equal(true);
    expect(math?.querySelector('msup')?.textContent).to.equal('x2');
    expect(draw('x', true)?.getAttribute('display')).to.equal('block');
  });

  it('is drawn with 900 letters and not with 3,000 elements', () => {
    expect(draw('x'.repeat(900))?.querySelectorAll('mi').length).to.equal(900);
    expect(draw('x+'.repeat(1500) + 'x')).to.equal(null);
  });

  it('stays source when half of it is missing or its command does not exist', () => {
    expect(draw('\\frac{1}{')).to.equal(null);
    expect(draw('\\nothing{1}')).to.equal(null);
  });

  it('stays source when it could paint over what stands around it, or defines commands', () => {
    const sources = [
      '\\rule{1em}{1em}',
      '\\raisebox{5em}{x}',
      '\\mathllap{x}',
      '\\def\\a{b}\\a',
      '\\hspace{-2em}x',
      '\\hspace{11em}x',
    ];
    for (const source of sources) expect(draw(source), source).to.equal(null);
    expect(draw('\\hspace{9em}x')).not.to.equal(null);
  });

  it('names and loads nothing', () => {
    const math = draw('\\frac{a}{b} \\text{c}');
    const named = ['id', 'href', 'src', 'class'].filter(
      (name) => math?.hasAttribute(name) || math?.querySelector(`[${name}]`),
    );
    expect(named).to.deep.equal([]);
  });
});
