/** What a browser calls a button: its label, else its visible words, else its `title`. */
export function nameOfButton(button: HTMLElement): string {
  return button.ariaLabel ?? (wordsOf(button).replace(/\s+/g, ' ').trim() || button.title);
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
