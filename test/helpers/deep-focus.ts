/** What has the focus, in whatever shadow roots it stands; the body when nothing has. */
export function deepFocus(): HTMLElement {
  let at = document.activeElement as HTMLElement;
  while (at.shadowRoot?.activeElement instanceof HTMLElement) at = at.shadowRoot.activeElement;
  return at;
}

/** What a node says to those who do not see it: its name, else its words. */
export function nameOf(node: Element): string {
  const words = node.ariaLabel ?? node.textContent.replaceAll(/\s+/g, ' ').trim();
  return (
    words || (node instanceof HTMLElement ? node.title : '') || node.className || node.localName
  );
}
