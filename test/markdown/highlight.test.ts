import { expect } from '@open-wc/testing';
import { createHighlighter, type Highlighter } from '../../src/markdown/extras/highlight.js';

const createImmediate = (language: string): Highlighter =>
  createHighlighter(language, { document, whenFrameHasTime: (work) => work() });

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

  it('leaves code of an unknown language as it is', async () => {
    expect(await highlightAll('nothing', ['let a;'])).to.deep.equal({
      results: [false],
      counts: [0],
    });
  });
});
