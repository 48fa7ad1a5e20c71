import { expect } from '@open-wc/testing';
import { isSelected } from '../../src/dom/selection.js';
import { createHighlighter, type Highlighter } from '../../src/markdown/extras/highlight.js';
import { createStyleInserter } from '../../src/markdown/extras/insert-styles.js';

const createImmediate = (language: string): Highlighter =>
  createHighlighter(language, { document, isSelected, whenFrameHasTime: (work) => work() });

/** Highlights parts of code in sequence. Returns what was resolved, and how many elements each part has. */
async function highlightAll(
  language: string,
  parts: readonly string[],
): Promise<{ results: boolean[]; counts: number[] }> {
  const box = document.body.appendChild(document.createElement('pre'));
  const highlight = createImmediate(language);
  const elements = parts.map((text) => {
    const part = document.createElement('span');
    part.append(text);
    box.append(part);
    return part;
  });
  const results: boolean[] = [];
  for (const part of elements) results.push(await highlight(part));
  const counts = elements.map(({ childElementCount }) => childElementCount);
  expect(elements.map(({ textContent }) => textContent)).to.deep.equal(parts);
  box.remove();
  return { results, counts };
}

describe('createHighlighter', () => {
  it('highlights 65,536 units of a code block and leaves the rest as it is', async () => {
    const start = 'let a;\n';
    const comment = `// ${' '.repeat(60)}\n`.repeat(1024);
    const rest = `${start}${comment}`.slice(0, 65_536 - start.length - 1);
    const { results, counts } = await highlightAll('js', [start, `${rest}\n`, start]);
    expect(results).to.deep.equal([true, true, false]);
    expect(counts[0]).to.equal(1);
    expect(counts[1]).to.be.greaterThan(0);
    expect(counts[2]).to.equal(0);
  });

  it('leaves selected code as it is until the selection ends', async () => {
    for (const isInShadowTree of [false, true]) {
      const box = document.body.appendChild(document.createElement('div'));
      const root = isInShadowTree ? box.attachShadow({ mode: 'open' }) : box;
      const [selected, other] = ['let a;', 'let b;'].map((text) => {
        const part = root.appendChild(document.createElement('span'));
        part.append(text);
        return part;
      });
      const range = selected?.firstChild;
      if (!selected || !other || !range) throw new Error('The parts are missing.');
      document.getSelection()?.setBaseAndExtent(range, 1, range, 3);
      let attempts = 0;
      const highlight = createHighlighter('js', {
        document,
        isSelected,
        whenFrameHasTime: (work) => {
          attempts += 1;
          work();
        },
      });
      const highlighted = highlight(selected);
      // This highlighter has as much work and starts later. When it is done, the selected part has been tokenized, too, so only the selection
      // can have kept it from being changed.
      await createImmediate('js')(other);
      expect([selected.childElementCount, other.childElementCount]).to.deep.equal([0, 1]);
      expect(document.getSelection()?.toString()).to.equal('et');
      document.getSelection()?.collapse(range, 1);
      expect(await highlighted).to.equal(true);
      expect(selected.childElementCount).to.equal(1);
      const before = attempts;
      const changed = new Promise((resolve) => {
        document.addEventListener('selectionchange', resolve, { once: true });
      });
      document.getSelection()?.selectAllChildren(other);
      await changed;
      expect(attempts).to.equal(before);
      document.getSelection()?.removeAllRanges();
      box.remove();
    }
  });

  it('leaves code of an unknown language as it is', async () => {
    expect(await highlightAll('nothing', ['let a;'])).to.deep.equal({
      results: [false],
      counts: [0],
    });
  });
});

describe('style sheet of an optional module', () => {
  /** A shadow tree in the page, with an element in it. */
  function setupTree(): { readonly host: HTMLElement; readonly root: ShadowRoot; add(): Element } {
    const host = document.body.appendChild(document.createElement('div'));
    const root = host.attachShadow({ mode: 'open' });
    return { host, root, add: () => root.appendChild(document.createElement('p')) };
  }

  it('is added once to each shadow tree', () => {
    const insert = createStyleInserter('p { color: rgb(1, 2, 3) }');
    const trees = [setupTree(), setupTree()];
    for (const { host, root, add } of trees) {
      insert(add());
      const second = add();
      insert(second);
      expect(root.adoptedStyleSheets.length).to.equal(1);
      expect(getComputedStyle(second).color).to.equal('rgb(1, 2, 3)');
      host.remove();
    }
  });

  it('is added again after its tree has moved to another document', () => {
    const insert = createStyleInserter('p { color: rgb(1, 2, 3) }');
    const { host, root, add } = setupTree();
    const text = add();
    insert(text);
    const frame = document.body.appendChild(document.createElement('iframe'));
    frame.contentDocument?.body.append(host);
    insert(text);
    insert(text);
    expect(root.adoptedStyleSheets.length).to.equal(1);
    expect(frame.contentWindow?.getComputedStyle(text).color).to.equal('rgb(1, 2, 3)');
    frame.remove();
  });

  it('is not added where no style sheets apply', () => {
    const insert = createStyleInserter('p { color: red }');
    insert(document.createElement('p'));
    const other = document.implementation.createHTMLDocument();
    insert(other.body);
    expect(other.adoptedStyleSheets.length).to.equal(0);
  });
});
