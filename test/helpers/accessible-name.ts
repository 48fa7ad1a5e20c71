/** The accessible name of a control: its `aria-label`, else its text, else its `title`. */
export function accessibleName(node: HTMLElement): string {
  return node.ariaLabel ?? (visibleText(node).replace(/\s+/g, ' ').trim() || node.title);
}

/** Text that is not hidden from assistive technology. */
function visibleText(node: Node): string {
  if (node instanceof Text) return node.data;
  if (node instanceof Element && node.matches('[aria-hidden="true"], [hidden]')) return '';
  return [...node.childNodes].map(visibleText).join('');
}

/** All elements that match a selector, including those in shadow roots below a node. */
export function findDeep(node: ParentNode, selector: string): HTMLElement[] {
  const found = [...node.querySelectorAll<HTMLElement>(selector)];
  const roots = [...node.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? []);
  return [...found, ...roots.flatMap((root) => findDeep(root, selector))];
}
