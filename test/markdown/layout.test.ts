import { expect } from '@open-wc/testing';
import { emulateMedia } from '@web/test-runner-commands';
import * as maths from '../../src/markdown/extras/maths.js';
import { find, setupViewInPage } from './setup-page-view.js';

const WIDE = 'wide '.repeat(60);
const CODE = `\`\`\`js\n${WIDE}end\n\`\`\`\n\n`;

/** Asserts that an element does not overflow horizontally. */
function expectNoOverflow(element: Element): void {
  expect(element.scrollWidth, element.outerHTML.slice(0, 60)).to.be.at.most(element.clientWidth);
}

describe('printed Markdown', () => {
  afterEach(() => emulateMedia({ media: 'screen' }));

  it('shows all of code and tables, without buttons', async () => {
    const { box, remove } = setupViewInPage(
      `${CODE}| ${'a'.repeat(90)} |\n|---|\n| ${WIDE} |\n\nEnd.`,
    );
    const code = find(box, 'pre');
    expect(code.scrollWidth).to.be.greaterThan(code.clientWidth);
    await emulateMedia({ media: 'print' });
    expectNoOverflow(code);
    expectNoOverflow(find(box, '.ubik-table'));
    for (const button of box.querySelectorAll('button')) {
      expect(button.getClientRects().length).to.equal(0);
    }
    remove();
  });
});

describe('wide Markdown content', () => {
  it('does not come from deeply nested lists and quotes', () => {
    for (const marker of ['- ', '> ', '1. ', '- > ']) {
      const { box, root, remove } = setupViewInPage(
        `${marker.repeat(50 / marker.length)}some words\n\nEnd.`,
      );
      expect(box.scrollWidth, marker).to.equal(root.host.clientWidth);
      expect(box.textContent).to.contain('some words');
      remove();
    }
  });

  it('scrolls inside its formula', async () => {
    const { box, root, frames, remove } = setupViewInPage(
      `$$\\hat{A} + \\sqrt{${'x + '.repeat(99)}y}$$\n\nEnd.`,
      {
        loadExtra: () => Promise.resolve(maths),
      },
    );
    // The module is loaded and the formula found in tasks between frames.
    while (!box.querySelector('.ubik-formula')) {
      await new Promise((resolve) => setTimeout(resolve));
      frames.flush();
    }
    const formula = find(box, '.ubik-formula');
    expect(formula.scrollWidth).to.be.greaterThan(formula.clientWidth);
    expect(box.scrollWidth).to.equal(root.host.clientWidth);
    // Scrolled horizontally only.
    expect(formula.scrollHeight).to.be.at.most(formula.clientHeight);
    formula.scrollLeft = formula.scrollWidth;
    const end = find(formula, 'math > *').getBoundingClientRect().right;
    expect(end).to.be.closeTo(formula.getBoundingClientRect().right, 3);
    remove();
  });

  it('scrolls inside its diagram, which is a focusable region', async () => {
    const { box, root, remove } = setupViewInPage('```mermaid\na\n```\n\n', {
      renderDiagram: (_language, _source, container) => {
        container.append(
          Object.assign(document.createElement('div'), { style: 'width: 1000px; height: 9px' }),
        );
      },
    });
    await Promise.resolve();
    const area = find(box, '.ubik-diagram');
    expect(area.scrollWidth).to.equal(1000);
    area.focus();
    expect(root.activeElement).to.equal(area);
    expect([area.role, area.ariaLabel]).to.deep.equal(['region', 'Code, mermaid']);
    expect(find(box, '[data-ubik-action="wrap-code"]').getClientRects().length).to.equal(0);
    remove();
  });
});

describe('headings', () => {
  it('are each larger than the next level, and those larger than text differ from bold text by a sixth at least', () => {
    const { box, remove } = setupViewInPage('# A\n\n## B\n\n### C\n\n#### D\n\n**E**\n\nEnd.');
    const sizeOf = (selector: string): number =>
      Number.parseFloat(getComputedStyle(find(box, selector)).fontSize);
    const text = sizeOf('strong');
    const scale = ['h1', 'h2', 'h3', 'h4'].map((level) => (sizeOf(level) / text).toFixed(2));
    expect(scale).to.deep.equal(['1.38', '1.33', '1.17', '1.00']);
    remove();
  });
});
