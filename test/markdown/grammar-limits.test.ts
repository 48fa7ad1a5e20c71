import { expect } from '@open-wc/testing';
import { setupView, renderAtOnce } from './setup-view.js';

/** What a text shows, in one piece and by characters, which must be the same. */
function show(text: string): HTMLElement {
  const { box, view, frames, add } = setupView();
  for (const character of text) add(character);
  void view.end();
  frames.flush();
  expect(box.innerHTML).to.equal(renderAtOnce(text, true));
  return box;
}

describe('Bounds and borders of the grammar', () => {
  it('show emphasis beyond 32 levels as it was written', () => {
    const box = show(`${'*a **b '.repeat(20)}x${'***'.repeat(20)}`);
    const nested = Array.from({ length: 40 }, (_, level) => 'em strong '.repeat(level).trim());
    const deepest = nested.filter((path) => path !== '' && box.querySelector(path) !== null).length;
    expect(deepest).to.equal(16);
    expect(box.textContent).to.contain('*');
  });

  it('keep tabs inside of code, and count them as columns before it', () => {
    expect(show('```\n\ta\tb\n```').querySelector('code')?.textContent).to.equal('\ta\tb\n');
    expect(show('- a\n\n\t\tb').querySelector('code')?.textContent).to.equal('  b\n');
    expect(show('>\t\tfoo').querySelector('code')?.textContent).to.equal('  foo\n');
  });

  it('never show the signs around a mark, closed or not', () => {
    for (const text of ['a \ue000b c', 'a \ue000b\ue000c\ue001 d', 'a\ue001 b', '\ue000']) {
      expect(show(text).textContent).not.to.match(/[\ue000\ue001]/);
    }
  });

  it('make a heading or a table of the first lines of an item', () => {
    expect(show('- *a*\n  ---').querySelector('li > h2 > em')?.textContent).to.equal('a');
    const box = show('- a | b\n  --|--\n  c | d\n- e\n\n- f');
    expect(box.querySelectorAll('li > .ubik-table td').length).to.equal(2);
    expect([...box.querySelectorAll('li > p')].map((p) => p.textContent)).to.deep.equal(['e', 'f']);
  });

  it('divide the text into groups at the same places however it comes', () => {
    const blocks = Array.from({ length: 100 }, (_, index) =>
      index % 3 === 0 ? 'a | b\n--|--\nc | d' : index % 3 === 1 ? `title ${index}\n---` : 'text',
    );
    const box = show(blocks.join('\n\n'));
    expect(box.children.length).to.equal(3);
    expect([...box.children].map((group) => group.children.length)).to.deep.equal([40, 40, 20]);
  });

  it('put the groups of a long text into sections, and take them away when it is cut', () => {
    const { box, view, add, frames } = setupView();
    const text = Array.from({ length: 1001 }, (_, index) => `Paragraph ${String(index)}.`).join(
      '\n\n',
    );
    add(text);
    const look = () =>
      [...box.children].map((child) => [
        child.children.length,
        child.classList.contains('ubik-complete'),
      ]);
    const alone = Array.from({ length: 12 }, () => [40, true]);
    const first = box.firstElementChild;
    expect(look()).to.deep.equal([...alone, [12, true], [2, false]]);
    expect(box.lastElementChild?.lastElementChild?.textContent).to.equal('Paragraph 1000.');
    view.truncate(text.indexOf('Paragraph 500.'));
    frames.flush();
    expect(look()).to.deep.equal([...alone, [1, false]]);
    view.truncate(text.indexOf('Paragraph 100.'));
    frames.flush();
    expect(look()).to.deep.equal([
      [40, true],
      [40, true],
      [20, false],
    ]);
    expect(box.firstElementChild).to.equal(first);
  });

  it('wait for the end of code that has only spaces so far, and show it when it is long', () => {
    const { box, add } = setupView();
    add(`a \`${' '.repeat(3000)}`);
    expect(box.textContent).to.contain('`');
    add('b` ');
    expect(box.querySelector('code')?.textContent).to.contain('b');
  });

  it('read no further than a row that is very long', () => {
    const box = show(`| a |\n|---|\n| ${'word '.repeat(1500)}|\n`);
    expect(box.querySelectorAll('td').length).to.equal(1);
  });
});
