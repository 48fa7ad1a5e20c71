import { expect } from '@open-wc/testing';
import { find, nextFrame, setupViewInPage } from './setup-page-view.js';

const MORE = Array.from({ length: 1000 }, (_, index) =>
  index % 40 === 39 ? '**more**.\n\n' : 'some *more* ',
);

describe('streaming into a Markdown view', () => {
  it('keeps a selection in a closed block and in the open one', () => {
    for (const text of [
      'Please keep **this** here.\n\nNext ',
      'Please keep **this** here and go on ',
    ]) {
      const { box, add, remove } = setupViewInPage(text);
      document.getSelection()?.selectAllChildren(find(box, 'strong'));
      MORE.forEach(add);
      expect(document.getSelection()?.toString()).to.equal('this');
      remove();
    }
  });

  it('keeps a selection inside a text node that grows', () => {
    const { box, add, remove } = setupViewInPage('Please keep this here and go on ');
    const text = find(box, 'p').firstChild as Text;
    document.getSelection()?.setBaseAndExtent(text, 7, text, 16);
    MORE.forEach(add);
    expect(document.getSelection()?.toString()).to.equal('keep this');
    remove();
  });

  it('keeps a selection over several blocks', () => {
    const { box, add, remove } = setupViewInPage('One *two*.\n\n- three\n- four\n\nfive ');
    const [from, to] = [find(box, 'em').firstChild, find(box, 'li:last-child').firstChild];
    if (from && to) document.getSelection()?.setBaseAndExtent(from, 1, to, 2);
    MORE.forEach(add);
    expect(document.getSelection()?.toString().split(/\s+/)).to.deep.equal(['wo.', 'three', 'fo']);
    remove();
  });

  it('keeps the focus on a link in the open paragraph', () => {
    const { box, root, add, remove } = setupViewInPage('See [the guide](https://a.test/) and ');
    const link = find(box, 'a');
    link.focus();
    MORE.forEach(add);
    expect(root.activeElement).to.equal(link);
    remove();
  });

  it('keeps the scroll position and line wrapping of code blocks', async () => {
    const wide = `\`\`\`\n${'wide '.repeat(100)}\n`;
    const { box, add, remove } = setupViewInPage(`${wide}\`\`\`\n\n${wide}`);
    const [wrapped, scroller] = box.querySelectorAll('pre');
    if (!wrapped || !scroller) throw new Error('Too few code blocks.');
    find(box, '[data-ubik-action="wrap-code"]').click();
    scroller.scrollLeft = 300;
    expect(scroller.scrollLeft).to.equal(300);
    for (let line = 0; line < 1000; line += 1) {
      add(`line ${line}\n`);
      if (line % 100 === 0) await nextFrame();
    }
    add('```\n\n');
    MORE.forEach(add);
    await nextFrame();
    expect(scroller.scrollLeft).to.equal(300);
    expect(wrapped.scrollWidth).to.equal(wrapped.clientWidth);
    expect(box.querySelectorAll('pre')[1]).to.equal(scroller);
    remove();
  });

  it('keeps the scroll position and focus of a wide table', async () => {
    const wide = 'wide'.repeat(60);
    const { box, root, add, remove } = setupViewInPage(`| ${wide} | b |\n|---|---|\n| c | d |\n`);
    const area = find(box, '.ubik-table');
    area.focus();
    area.scrollLeft = 50;
    expect(area.scrollLeft).to.equal(50);
    for (let row = 0; row < 1000; row += 1) {
      add(`| ${row} | x |\n`);
      if (row % 100 === 0) await nextFrame();
    }
    expect(area.scrollLeft).to.equal(50);
    add('\nText\n\n');
    MORE.forEach(add);
    await nextFrame();
    expect(area.scrollLeft).to.equal(50);
    expect(root.activeElement).to.equal(area);
    remove();
  });

  it('keeps the nodes of an open list and an open table', () => {
    const { box, add, remove } = setupViewInPage('- one *two*\n- three\n');
    const item = box.querySelector('li');
    for (let index = 0; index < 200; index += 1) add(`- item **${index}**\n`);
    expect(box.querySelector('li')).to.equal(item);
    add('\n| a | b |\n|---|---|\n| c | d |\n');
    const cell = box.querySelector('td');
    for (let index = 0; index < 200; index += 1) add(`| ${index} | *x* |\n`);
    expect(box.querySelector('td')).to.equal(cell);
    expect(box.querySelectorAll('tbody tr').length).to.equal(201);
    remove();
  });
});
