/** Elements that form the structure of a document. Wrappers, headers of code blocks, buttons and groups are ignored. */
const STRUCTURAL = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del a table thead tbody tr th td hr br input'.split(
    ' ',
  ),
);

/**
 * Returns the semantic structure and the text of a DOM as one string, to compare two renderings of a document. Inside code blocks, all
 * elements count, so highlighted code differs.
 */
export function structureOf(root: Element | ShadowRoot): string {
  const out: string[] = [];
  walk(root, out, false);
  return out.join('').replaceAll(/\s+/g, ' ').replaceAll(/> /g, '>').replaceAll(/ </g, '<');
}

function walk(parent: Element | ShadowRoot, out: string[], inCode: boolean): void {
  for (const node of parent.childNodes) {
    if (node instanceof Text) out.push(node.data);
    else if (node instanceof Element) element(node, out, inCode);
  }
}

function element(node: Element, out: string[], inCode: boolean): void {
  const name = node.localName;
  if (name === 'button' || node.classList.contains('ubik-code-head')) return;
  const isStructural =
    STRUCTURAL.has(name) || (inCode && !node.classList.contains('ubik-code-part'));
  if (isStructural) out.push(`<${name}>`);
  walk(node, out, inCode || name === 'pre');
  if (isStructural) out.push(`</${name}>`);
}

/**
 * Returns font, colour, line height and width of the blocks of a rendered text, one per line, to compare two style sheets. Without tables
 * and code, whose styles refer to the boxes that the renderer of this project puts around them.
 */
export function stylesOf(root: Element | ShadowRoot): string {
  const blocks = root.querySelectorAll('p, h1, h2, h3, h4, li, blockquote');
  return Array.from(blocks, (block) => {
    const { font, color, lineHeight, width } = getComputedStyle(block);
    return [block.localName, font, color, lineHeight, width].join(' ');
  }).join('\n');
}
