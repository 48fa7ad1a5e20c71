import { expect } from '@open-wc/testing';
import { hasSelection, isSelected } from '../../src/dom/selection.js';

describe('hasSelection and isSelected', () => {
  it('are true only if some text of the element is selected', () => {
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
    expect([hasSelection(inside), isSelected(inside)], 'nothing').to.deep.equal([false, false]);
    select(inside, 3);
    expect([hasSelection(inside), isSelected(inside)], 'some of it').to.deep.equal([true, true]);
    select(beside, 3);
    expect([hasSelection(inside), isSelected(inside)], 'some beside it').to.deep.equal([
      false,
      false,
    ]);
    select(inside, 0);
    expect([hasSelection(inside), isSelected(inside)], 'a caret').to.deep.equal([false, false]);
    host.remove();
  });

  it('differ outside of a shadow tree, and are false for a removed element', () => {
    const box = document.body.appendChild(document.createElement('p'));
    box.textContent = 'Some text';
    document.getSelection()?.selectAllChildren(box);
    expect([hasSelection(box), isSelected(box)]).to.deep.equal([false, true]);
    box.remove();
    expect([hasSelection(box), isSelected(box)]).to.deep.equal([false, false]);
    document.getSelection()?.removeAllRanges();
  });

  it('differ for an element in the middle of a selection', () => {
    const host = document.body.appendChild(document.createElement('div'));
    const root = host.attachShadow({ mode: 'open' });
    const [first, middle, last] = ['one', 'two', 'three'].map((text) => {
      const box = root.appendChild(document.createElement('p'));
      box.textContent = text;
      return box;
    });
    if (!first?.firstChild || !middle || !last?.firstChild) throw new Error('A box is missing.');
    document.getSelection()?.setBaseAndExtent(last.firstChild, 2, first.firstChild, 1);
    expect([first, middle, last].map(hasSelection)).to.deep.equal([true, false, false]);
    expect([first, middle, last].map(isSelected)).to.deep.equal([true, true, true]);
    document.getSelection()?.removeAllRanges();
    host.remove();
  });

  /** Browsers without one of the two ways to read a selection in a shadow tree. */
  const MISSING = [
    ['getComposedRanges', Selection.prototype],
    ['getSelection', ShadowRoot.prototype],
  ] as const;
  for (const [name, owner] of MISSING) {
    it(`read the selection in a browser without ${name}`, () => {
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
        expect([hasSelection(inside), isSelected(inside)], 'nothing').to.deep.equal([false, false]);
        selection?.setBaseAndExtent(text, 0, text, 3);
        expect([hasSelection(inside), isSelected(inside)], 'some of it').to.deep.equal([
          true,
          true,
        ]);
        expect([hasSelection(beside), isSelected(beside)], 'some beside it').to.deep.equal([
          false,
          false,
        ]);
        selection?.setBaseAndExtent(text, 1, text, 1);
        expect([hasSelection(inside), isSelected(inside)], 'a caret').to.deep.equal([false, false]);
      } finally {
        if (own) Object.defineProperty(owner, name, own);
        else Reflect.deleteProperty(owner, name);
        document.getSelection()?.removeAllRanges();
        host.remove();
      }
    });
  }
});
