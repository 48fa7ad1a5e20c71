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

  it('is false outside of a shadow tree, and for a removed element', () => {
    const box = document.body.appendChild(document.createElement('p'));
    box.textContent = 'Some text';
    document.getSelection()?.selectAllChildren(box);
    expect(hasSelection(box)).to.equal(false);
    box.remove();
    expect(hasSelection(box)).to.equal(false);
    document.getSelection()?.removeAllRanges();
  });

  /** Browsers without one of the two ways to read a selection in a shadow tree. */
  const MISSING = [
    ['getComposedRanges', Selection.prototype],
    ['getSelection', ShadowRoot.prototype],
  ] as const;
  for (const [name, owner] of MISSING) {
    it(`reads the selection in a browser without ${name}`, () => {
      const host = document.body.appendChild(document.createElement('div'));
      const root = host.attachShadow({ mode: 'open' });
      const inside = root.appendChild(document.createElement('p'));
      const beside = root.appendChild(document.createElement('p'));
      for (const box of [inside, beside]) box.textContent = 'Some text';
      const own = Object.getOwnPropertyDescriptor(owner, name);
      Object.defineProperty(owner, name, { configurable: true, value: undefined });
      try {
        const text = inside.firstChild as Text;
        const selection = document.getSelection();
        expect(hasSelection(inside), 'nothing').to.equal(false);
        selection?.setBaseAndExtent(text, 0, text, 3);
        expect(hasSelection(inside), 'some of it').to.equal(true);
        expect(hasSelection(beside), 'some beside it').to.equal(false);
        selection?.setBaseAndExtent(text, 1, text, 1);
        expect(hasSelection(inside), 'a caret').to.equal(false);
      } finally {
        if (own) Object.defineProperty(owner, name, own);
        else Reflect.deleteProperty(owner, name);
        document.getSelection()?.removeAllRanges();
        host.remove();
      }
    });
  }
});
