/** Returns the child elements of a node as they are laid out: those in its shadow root, or assigned to it when it is a slot. */
export function flatChildren(node: Element): Iterable<Element> {
  const assigned = node instanceof HTMLSlotElement ? node.assignedElements({ flatten: true }) : [];
  return assigned.length > 0 ? assigned : (node.shadowRoot ?? node).children;
}

/** Closes the modal dialogs in a node that is hidden, also in its slots: they would stay modal, so that the page could not be used. */
export function closeDialogs(node: Element): void {
  if (node instanceof HTMLDialogElement && node.matches(':modal')) node.close();
  for (const child of flatChildren(node)) closeDialogs(child);
}
