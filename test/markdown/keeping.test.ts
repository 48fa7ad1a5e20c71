import { expect } from '@open-wc/testing';
import { markdownCss } from '../../src/markdown/markdown-css.js';
import { createUrlPolicy } from '../../src/markdown/url-policy.js';
import { setUpView, type SetUp } from './set-up-view.js';

const sheet = new CSSStyleSheet();
sheet.replaceSync(markdownCss);

/** A view in the page, so that focus, selection and scrolling are real. */
function setUpInPage(text: string): SetUp & { grow(): void; remove(): void } {
  const setUp = setUpView({ urlPolicy: createUrlPolicy() });
  const { box, add } = setUp;
  document.adoptedStyleSheets.push(sheet);
  box.style.width = '400px';
  document.body.append(box);
  add(text);
  return {
    ...setUp,
    grow() {
      for (let chunk = 0; chunk < 1000; chunk += 1)
        add(chunk % 40 === 39 ? '**more**.\n\n' : 'some *more* ');
    },
    remove() {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
      box.remove();
    },
  };
}

/** The browser has laid out and shown what is there. */
const nextFrame = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

describe('What a person is doing', () => {
  it('keeps a selection, in a closed block and in the one that grows', () => {
    for (const text of [
      'Please keep **this** here.\n\nNext ',
      'Please keep **this** here and go on ',
    ]) {
      const { box, grow, remove } = setUpInPage(text);
      const strong = box.querySelector('strong');
      if (!strong) throw new Error('Nothing to select.');
      document.getSelection()?.selectAllChildren(strong);
      grow();
      expect(document.getSelection()?.toString()).to.equal('this');
      remove();
    }
  });

  it('keeps the focus on a link of the paragraph that grows', () => {
    const { box, grow, remove } = setUpInPage('See [the guide](https://a.test/) and ');
    const link = box.querySelector('a');
    link?.focus();
    grow();
    expect(document.activeElement).to.equal(link);
    remove();
  });

  it('keeps the place inside a wide code block that grows', async () => {
    const { box, add, remove } = setUpInPage(`\`\`\`\n${'wide '.repeat(100)}\n`);
    const scroller = box.querySelector('pre');
    if (!scroller) throw new Error('No code block.');
    scroller.scrollLeft = 300;
    expect(scroller.scrollLeft).to.equal(300);
    for (let line = 0; line < 1000; line += 1) {
      add(`line ${line}\n`);
      if (line % 100 === 0) await nextFrame();
    }
    await nextFrame();
    expect(scroller.scrollLeft).to.equal(300);
    expect(box.querySelector('pre')).to.equal(scroller);
    remove();
  });

  it('keeps the nodes of a list and of a table that grow', () => {
    const { box, add, remove } = setUpInPage('- one *two*\n- three\n');
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
