import { expect } from '@open-wc/testing';
import { appendToText, MAX_TEXT_NODE } from '../../src/markdown/dom/render-context.js';
import { MAX_MARKER_LINE } from '../../src/markdown/parser/limits.js';
import { setupView, renderAtOnce } from './setup-view.js';

/** Renders a text character by character and asserts that it equals the text rendered at once. */
function render(text: string): HTMLElement {
  const { box, view, frames, add } = setupView();
  for (const character of text) add(character);
  void view.end();
  frames.flush();
  expect(box.innerHTML).to.equal(renderAtOnce(text, true));
  return box;
}

describe('limits of the Markdown grammar', () => {
  it('keep emphasis beyond 32 levels as text', () => {
    const box = render(`${'*a **b '.repeat(20)}x${'***'.repeat(20)}`);
    const nested = Array.from({ length: 40 }, (_, level) => 'em strong '.repeat(level).trim());
    const deepest = nested.filter((path) => path !== '' && box.querySelector(path) !== null).length;
    expect(deepest).to.equal(16);
    expect(box.textContent).to.contain('*');
  });

  it('allow the underline of a heading up to the limit of a marker line', () => {
    const areHeadings = [MAX_MARKER_LINE, MAX_MARKER_LINE + 1].map((length) => {
      const { box, view, add } = setupView();
      add(`Title\n${'='.repeat(length)}\n\nText.`);
      void view.end();
      return box.querySelector('h1') !== null;
    });
    expect(areHeadings).to.deep.equal([true, false]);
  });

  it('append text to a new node after a node of the maximum length', () => {
    const paragraph = document.createElement('p');
    const first = new Text('x'.repeat(MAX_TEXT_NODE - 1));
    paragraph.append(first);
    expect(appendToText(first, 'y')).to.equal(first);
    const second = appendToText(first, 'z');
    expect([...paragraph.childNodes]).to.deep.equal([first, second]);
    expect([first.length, second.data]).to.deep.equal([MAX_TEXT_NODE, 'z']);
  });

  it('put 40 blocks into each group, for any chunking', () => {
    const blocks = Array.from({ length: 100 }, (_, index) =>
      index % 3 === 0 ? 'a | b\n--|--\nc | d' : index % 3 === 1 ? `title ${index}\n---` : 'text',
    );
    const box = render(blocks.join('\n\n'));
    expect(box.children.length).to.equal(3);
    expect([...box.children].map((group) => group.children.length)).to.deep.equal([40, 40, 20]);
  });

  it('group the items of a long list from the 101st on, with the number of the first item of each group', () => {
    const lines = Array.from({ length: 250 }, (_, index) => `${7 + index}. item\n`);
    const list = render(lines.join('')).querySelector('ol');
    const [before, groups] = [
      list?.querySelectorAll(':scope > li'),
      [...(list?.children ?? [])].slice(100),
    ];
    expect(before?.length).to.equal(100);
    const describeGroup = (group: Element): unknown[] => [
      group.className,
      group.role,
      group.querySelectorAll(':scope > li[role=listitem]').length,
      [...group.querySelectorAll<HTMLLIElement>('[value]')].map(({ value }) => value),
    ];
    expect(groups.map(describeGroup)).to.deep.equal([
      ['ubik-items ubik-complete', 'none', 100, [107]],
      ['ubik-items', 'none', 50, [207]],
    ]);
    const bullets = render('- item\n'.repeat(110));
    expect(bullets.querySelectorAll('ul > .ubik-items > li').length).to.equal(10);
    expect(bullets.querySelectorAll('[value]').length).to.equal(0);
  });

  it('nest the groups of a long text into sections and remove them when it is truncated', () => {
    const { box, view, add, frames } = setupView();
    const text = Array.from({ length: 1001 }, (_, index) => `Paragraph ${String(index)}.`).join(
      '\n\n',
    );
    add(text);
    const readGroups = () =>
      [...box.children].map((child) => [
        child.children.length,
        child.classList.contains('ubik-complete'),
      ]);
    const fullSections = Array.from({ length: 12 }, () => [40, true]);
    const first = box.firstElementChild;
    expect(readGroups()).to.deep.equal([...fullSections, [12, true], [2, false]]);
    expect(box.lastElementChild?.lastElementChild?.textContent).to.equal('Paragraph 1000.');
    view.truncate(text.indexOf('Paragraph 500.'));
    frames.flush();
    expect(readGroups()).to.deep.equal([...fullSections, [1, false]]);
    view.truncate(text.indexOf('Paragraph 100.'));
    frames.flush();
    expect(readGroups()).to.deep.equal([
      [40, true],
      [40, true],
      [20, false],
    ]);
    expect(box.firstElementChild).to.equal(first);
  });

  it('withhold code that starts with spaces until it is long', () => {
    const { box, add } = setupView();
    add('a `   ');
    expect(box.textContent).not.to.contain('`');
    add(' '.repeat(3000));
    expect(box.textContent).to.contain('`');
    add('b` ');
    expect(box.querySelector('code')?.textContent).to.contain('b');
  });

  it('do not split the cell of a very long table row', () => {
    const box = render(`| a |\n|---|\n| ${'word '.repeat(1500)}|\n`);
    expect(box.querySelectorAll('td').length).to.equal(1);
  });
});

describe('details of the Markdown grammar', () => {
  it('include tabs, which are kept in code and expanded in its indentation', () => {
    expect(render('```\n\ta\tb\n```').querySelector('code')?.textContent).to.equal('\ta\tb\n');
    expect(render('- a\n\n\t\tb').querySelector('code')?.textContent).to.equal('  b\n');
    expect(render('>\t\tfoo').querySelector('code')?.textContent).to.equal('  foo\n');
  });

  it('include inline marks, whose delimiters are never shown', () => {
    for (const text of ['a \ue000b c', 'a \ue000b\ue000c\ue001 d', 'a\ue001 b', '\ue000']) {
      expect(render(text).textContent).not.to.match(/[\ue000\ue001]/);
    }
  });

  it('include a heading or a table at the start of a list item', () => {
    expect(render('- *a*\n  ---').querySelector('li > h2 > em')?.textContent).to.equal('a');
    const box = render('- a | b\n  --|--\n  c | d\n- e\n\n- f');
    expect(box.querySelectorAll('li > .ubik-table td').length).to.equal(2);
    expect([...box.querySelectorAll('li > p')].map((p) => p.textContent)).to.deep.equal(['e', 'f']);
  });
});
