/** Inline elements. All others are separated by line breaks. */
const INLINE = /^(?:a|abbr|b|bdi|cite|code|del|em|i|kbd|mark|s|small|span|strong|sub|sup|time|u)$/;
/** Elements without text to read. `.ubik-fence` is a drawing of the host page; the code that it replaces is still beside it, and is read. */
const OMITTED =
  'button, svg, script, style, img, annotation, .ubik-fence, .ubik-code-head, .ubik-footnote-back';

/**
 * Returns the text of a rendered node, with line breaks as displayed. Citations and footnotes become `[label]`, tasks `☑` or `☐`, formulas
 * their TeX; buttons and the language of code are omitted.
 */
export function readRenderedText(node: Node): string {
  return readNode(node)
    .replace(/(?<![ \t])[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function readNode(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return readTextNode(node as Text);
  if (!(node instanceof Element)) return '';
  const { localName } = node;
  if (localName === 'br') return '\n';
  if (node.matches('button.cite, .ubik-footnote')) return `[${node.textContent.trim()}]`;
  if (node.matches('.ubik-task')) return taskSymbol(node);
  if (node.matches(OMITTED)) return '';
  const tex = node.getAttribute('data-tex');
  if (tex !== null) return tex;
  const inner = [...node.childNodes].map(readNode).join('');
  if (localName === 'td' || localName === 'th') return `${inner.trim()}\t`;
  if (localName === 'li') return `\n${listMarkerOf(node)}${inner.trim()}\n`;
  if (localName === 'tr') return `${inner.trim()}\n`;
  return INLINE.test(localName) || node.namespaceURI?.endsWith('MathML')
    ? inner
    : `\n\n${inner}\n\n`;
}

/** Returns the character for the checkbox of a task. */
export function taskSymbol(task: Element): string {
  return task.hasAttribute('checked') ? '☑' : '☐';
}

function readTextNode({ data, parentElement }: Text): string {
  const isPreformatted = parentElement?.closest('pre, .plain');
  return isPreformatted ? data : data.replace(/\s+/g, ' ');
}

function listMarkerOf(item: Element): string {
  const list = item.closest('ol, ul');
  if (list?.localName !== 'ol') return '• ';
  // In a long list, the items are in groups, whose first item has a number.
  const { parentElement: box } = item;
  const first = box === list ? (list as HTMLOListElement).start : numberOf(box?.firstElementChild);
  return `${first + [...(box?.children ?? [])].indexOf(item)}. `;
}

function numberOf(item: Element | null | undefined): number {
  return item instanceof HTMLLIElement ? item.value : 1;
}
