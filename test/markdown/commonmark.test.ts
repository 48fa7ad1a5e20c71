import { expect } from '@open-wc/testing';
import { loadExamples, type Example } from './commonmark-examples.js';
import { setupView } from './setup-view.js';

/**
 * Examples with another result. 602, 608, 611 and 612:
 * GFM makes links of bare addresses.
 */
const KNOWN_MISSES: readonly number[] = [602, 608, 611, 612];

/** What a block or a line says, without the parts that a page adds around it. */
function treeOf(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return escape(node.nodeValue ?? '');
  if (!(node instanceof Element)) return '';
  const name = node.localName;
  const inner = (): string => treesOf([...node.childNodes]);
  if (node.classList.contains('ubik-code')) return treesOf([...node.querySelectorAll('pre')]);
  if (node.matches('.ubik-markdown, .ubik-table, .ubik-code-part')) return inner();
  const attributes = ['href', 'src', 'alt', 'title', 'start', 'class']
    .filter((key) => key !== 'class' || name === 'code')
    .flatMap((key) => (node.hasAttribute(key) ? [`${key}=${node.getAttribute(key)}`] : []))
    .map((text) => text.replace('about:blank#', ''));
  return `<${[name, ...attributes].join(' ')}>${inner()}</${name}>`;
}

const escape = (text: string): string => text.replaceAll('<', '&lt;');

const BLOCKS = 'p|h[1-6]|pre|ul|ol|li|blockquote|hr|table|thead|tbody|tr|th|td|br';

/** Line ends around blocks are the printer's, not the text's. */
function treesOf(nodes: readonly Node[]): string {
  return nodes
    .map(treeOf)
    .join('')
    .replace(new RegExp(`\\s*(</?(?:${BLOCKS})(?: [^>]*)?>)`, 'g'), '$1')
    .replace(
      new RegExp(`(</?(?:p|h[1-6]|ul|ol|li|blockquote|hr|br)(?: [^>]*)?>|</pre>)\\n`, 'g'),
      '$1',
    );
}

/** Examples outside the sections about HTML whose result holds HTML of the text itself. */
const WITH_HTML: ReadonlySet<number> = new Set([
  21, 31, 201, 308, 309, 344, 475, 476, 477, 491, 494, 524, 536, 642, 643,
]);

function hasRawHtml({ number, section }: Example): boolean {
  return /HTML/.test(section) || WITH_HTML.has(number);
}

function show(example: Example, pieces: readonly string[]): string {
  const { box, view, frames, add } = setupView();
  for (const piece of pieces) add(piece);
  void view.end();
  frames.flush();
  expect(view.source).to.equal(example.markdown);
  return treesOf([...box.childNodes]).trim();
}

function misses(examples: readonly Example[], cut: (text: string) => readonly string[]): number[] {
  const missed: number[] = [];
  for (const example of examples) {
    // Read in a document of its own, which loads no images.
    const expected = new DOMParser().parseFromString(example.html, 'text/html').body;
    const want = treesOf([...expected.childNodes]).trim();
    if (show(example, cut(example.markdown)) !== want) missed.push(example.number);
  }
  return missed;
}

describe('The official examples of CommonMark', () => {
  it('come out right, but for those that are named', async () => {
    const examples = (await loadExamples()).filter((example) => !hasRawHtml(example));
    const missed = misses(examples, (text) => [text]);
    expect(missed).to.deep.equal(KNOWN_MISSES);
    expect(missed.length / examples.length).to.be.lessThan(0.01);
    expect(examples.length).to.be.greaterThan(550);
  });

  it('come out the same when they come by characters', async () => {
    const examples = (await loadExamples()).filter((example) => !hasRawHtml(example));
    expect(misses(examples, (text) => [...text])).to.deep.equal(KNOWN_MISSES);
  });
});
