import { expect } from '@open-wc/testing';
import { loadExamples, type Example } from './commonmark-examples.js';
import { setupView } from './setup-view.js';

/** Examples that render differently, because GFM links bare URLs. */
const KNOWN_DIFFERENCES: readonly number[] = [602, 608, 611, 612];

/** Serializes a node without the elements that the renderer adds around code and tables. */
function serialize(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return escape(node.nodeValue ?? '');
  if (!(node instanceof Element)) return '';
  const name = node.localName;
  const inner = (): string => serializeAll([...node.childNodes]);
  if (node.classList.contains('ubik-code')) return serializeAll([...node.querySelectorAll('pre')]);
  if (node.matches('.ubik-markdown, .ubik-table, .ubik-code-part')) return inner();
  const attributes = ['href', 'src', 'alt', 'title', 'start', 'class']
    .filter((key) => key !== 'class' || name === 'code')
    .flatMap((key) => (node.hasAttribute(key) ? [`${key}=${node.getAttribute(key)}`] : []))
    // `permissivePolicy` adds this prefix to the addresses of images.
    .map((text) => text.replace('about:blank#', ''));
  return `<${[name, ...attributes].join(' ')}>${inner()}</${name}>`;
}

const escape = (text: string): string => text.replaceAll('<', '&lt;');

const BLOCKS = 'p|h[1-6]|pre|ul|ol|li|blockquote|hr|table|thead|tbody|tr|th|td|br';

/** Serializes nodes. Line breaks around blocks come from the printer of the specification, so they are removed. */
function serializeAll(nodes: readonly Node[]): string {
  return nodes
    .map(serialize)
    .join('')
    .replace(new RegExp(`\\s*(</?(?:${BLOCKS})(?: [^>]*)?>)`, 'g'), '$1')
    .replace(
      new RegExp(`(</?(?:p|h[1-6]|ul|ol|li|blockquote|hr|br)(?: [^>]*)?>|</pre>)\\n`, 'g'),
      '$1',
    );
}

/** Examples outside the sections about HTML whose result contains raw HTML. */
const WITH_HTML: ReadonlySet<number> = new Set([
  21, 31, 201, 308, 309, 344, 475, 476, 477, 491, 494, 524, 536, 642, 643,
]);

function hasRawHtml({ number, section }: Example): boolean {
  return /HTML/.test(section) || WITH_HTML.has(number);
}

/** Renders an example in chunks, and returns the serialized result. */
function renderExample(example: Example, chunks: readonly string[]): string {
  const { box, view, frames, add } = setupView();
  for (const chunk of chunks) add(chunk);
  void view.end();
  frames.flush();
  expect(view.source).to.equal(example.markdown);
  return serializeAll([...box.childNodes]).trim();
}

/** Returns the numbers of the examples that are not rendered as specified. */
function findDifferences(
  examples: readonly Example[],
  split: (text: string) => readonly string[],
): number[] {
  const different: number[] = [];
  for (const example of examples) {
    // A document from DOMParser loads no images.
    const expected = new DOMParser().parseFromString(example.html, 'text/html').body;
    const wanted = serializeAll([...expected.childNodes]).trim();
    if (renderExample(example, split(example.markdown)) !== wanted) different.push(example.number);
  }
  return different;
}

describe('CommonMark examples', () => {
  it('render as specified, except for the known differences', async () => {
    const examples = (await loadExamples()).filter((example) => !hasRawHtml(example));
    const different = findDifferences(examples, (text) => [text]);
    expect(different).to.deep.equal(KNOWN_DIFFERENCES);
    expect(different.length / examples.length).to.be.lessThan(0.01);
    expect(examples.length).to.be.greaterThan(550);
  });

  it('render the same when they are appended character by character', async () => {
    const examples = (await loadExamples()).filter((example) => !hasRawHtml(example));
    expect(findDifferences(examples, (text) => [...text])).to.deep.equal(KNOWN_DIFFERENCES);
  });
});
