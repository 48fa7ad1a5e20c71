import { expect } from '@open-wc/testing';
import { readRenderedText } from '../../src/message/rendered-text.js';
import { setupView } from '../markdown/setup-view.js';

const textOf = (html: string): string =>
  readRenderedText(new DOMParser().parseFromString(html, 'text/html').body);

describe('readRenderedText', () => {
  it('separates blocks by blank lines and collapses white space', () => {
    expect(textOf('<p>One  two\n three</p><!-- x --><p>Four <br>five</p>')).to.equal(
      'One two three\n\nFour\nfive',
    );
  });

  it('keeps white space in code and plain text', () => {
    expect(textOf('<pre>a  b\n\tc</pre>')).to.equal('a  b\n\tc');
    expect(textOf('<div class="plain">a  b</div>')).to.equal('a  b');
  });

  it('numbers the items of ordered lists from their start', () => {
    expect(textOf('<ol start="3"><li>a</li><li>b</li></ol><ul><li>c</li></ul>')).to.equal(
      '3. a\n\n4. b\n\n• c',
    );
  });

  it('numbers the items in the groups of a long list', () => {
    const group = '<div class="ubik-items"><li value="5">c</li><li>d</li></div>';
    expect(textOf(`<ol start="3"><li>a</li><li>b</li>${group}</ol>`)).to.equal(
      '3. a\n\n4. b\n\n5. c\n\n6. d',
    );
    expect(textOf('<ul><div class="ubik-items"><li>e</li></div></ul>')).to.equal('• e');
  });

  it('separates the cells of a row by tabs', () => {
    const row = '<tr><th> a </th><th>b</th></tr><tr><td>c</td><td> d</td></tr>';
    expect(textOf(`<table>${row}</table>`)).to.equal('a\tb\nc\td');
  });

  it('keeps the labels of citations and omits other buttons, images and annotations', () => {
    const html =
      '<p>See <button class="cite"> 1 </button><button>Copy</button><img alt="x"> <b>bold</b></p>';
    expect(textOf(html)).to.equal('See [1] bold');
    const math = '<math><mi>x</mi><annotation>x</annotation></math>';
    expect(textOf(`<p>a ${math} b</p>`)).to.equal('a x b');
  });

  it('contains numbers of footnotes in brackets, no links back to them, and the state of tasks', () => {
    const { box, add, view } = setupView();
    add('The answer is 42[^1].\n\n- [x] done\n- [ ] open\n\n[^1]: A note.');
    void view.end();
    expect(readRenderedText(box)).to.equal(
      'The answer is 42[1].\n\n• ☑ done\n\n• ☐ open\n\n1. A note.',
    );
  });

  it('contains the code of a fence without the label of its language', () => {
    const { box, add, view } = setupView();
    add('Run it:\n\n```sql\nselect 1\n```\n');
    void view.end();
    expect(box.querySelector('.ubik-code-language')?.textContent).to.equal('sql');
    expect(readRenderedText(box)).to.equal('Run it:\n\nselect 1');
  });

  it('contains the code of a fence once, not what the page draws in its place', () => {
    const { box, add, view } = setupView({
      renderFence: (_info, source, fence) => {
        fence.box.textContent = `Drawing of ${source}`;
      },
    });
    add('```mermaid\na --> b\n```\n');
    void view.end();
    expect(box.textContent).to.contain('Drawing of a --> b');
    expect(readRenderedText(box)).to.match(/a --> b$/);
    expect(readRenderedText(box)).not.to.contain('Drawing');
  });
});
