/** Returns the child elements of a node as they are laid out: those in its shadow root, or assigned to it when it is a slot. */
export function flatChildren(node: Element): Iterable<Element> {
  const assigned = node instanceof HTMLSlotElement ? node.assignedElements({ flatten: true }) : [];
  return assigned.length > 0 ? assigned : (node.shadowRoot ?? node).children;
}
