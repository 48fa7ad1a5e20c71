import { expect } from '@open-wc/testing';
import { hasSelection } from '../../src/elements/transcript/auto-scroll.js';

describe('hasSelection', () => {
  it('is true only if some text of the element is selected', () => {
    const host = document.createElement('div');
    const root = host.attachShadow({ mode: 'open' });
    const inside = document.createElement('p');
    const beside = document.createElement('p');
    for (const box of [inside, beside]) {
      box.textContent = 'Some text';
      root.append(box);
    }
    document.body.append(host);
    const select = (node: Node, end: number): void => {
      document
        .getSelection()
        ?.setBaseAndExtent(node.firstChild ?? node, 0, node.firstChild ?? node, end);
    };
    expect(hasSelection(inside), 'nothing').to.equal(false);
    select(inside, 3);
    expect(hasSelection(inside), 'some of it').to.equal(true);
    select(beside, 3);
    expect(hasSelection(inside), 'some beside it').to.equal(false);
    select(inside, 0);
    expect(hasSelection(inside), 'a caret').to.equal(false);
    host.remove();
  });
});
