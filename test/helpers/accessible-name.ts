/** What a browser calls a control: its label, else its words, else its `title`. */
export function accessibleName(node: HTMLElement): string {
  return node.ariaLabel ?? (wordsOf(node).replace(/\s+/g, ' ').trim() || node.title);
}

/** Text that is not hidden from assistive technology. */
function wordsOf(node: Node): string {
  if (node instanceof Text) return node.data;
  if (node instanceof Element && node.matches('[aria-hidden="true"], [hidden]')) return '';
  return [...node.childNodes].map(wordsOf).join('');
}

/** All elements that fit a selector, through all shadow roots below a node. */
export function findDeep(node: ParentNode, selector: string): HTMLElement[] {
  const found = [...node.querySelectorAll<HTMLElement>(selector)];
  const roots = [...node.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? []);
  return [...found, ...roots.flatMap((root) => findDeep(root, selector))];
}
