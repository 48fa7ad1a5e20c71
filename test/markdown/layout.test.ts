import { expect } from '@open-wc/testing';
import { emulateMedia } from '@web/test-runner-commands';
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
    const math = document.createElementNS('http://www.w3.org/1998/Math/MathML', 'math');
    math.setAttribute('display', 'block');
    const space = document.createElementNS(math.namespaceURI, 'mspace');
    space.setAttribute('width', '1000px');
    space.setAttribute('height', '9px');
    math.append(space);
    const { box, root, remove } = setupViewInPage('A \ue000key\ue001 b.', {
      renderMark: () => math,
    });
    expect(math.scrollWidth).to.be.greaterThan(math.clientWidth);
    expect(box.scrollWidth).to.equal(root.host.clientWidth);
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
