/** Chromium exposes the selection of a shadow tree through its root. */
interface RootWithSelection {
  getSelection?(): Selection | null;
}

/**
 * Returns the range of the selected text as it is seen from the tree that contains a node; null when no text is selected. Uses
 * `getComposedRanges()` if it exists, because in WebKit nothing else reads a selection in a shadow tree; else the selection of the shadow
 * root or of the document.
 */
function findSelectedRange(node: Node): AbstractRange | null {
  const root = node.getRootNode();
  const selection: Partial<Selection> | null =
    (root as RootWithSelection).getSelection?.() ?? node.ownerDocument?.getSelection() ?? null;
  const composed =
    root instanceof ShadowRoot
      ? selection?.getComposedRanges?.({ shadowRoots: [root] })[0]
      : undefined;
  const range = composed ?? (selection?.rangeCount ? selection.getRangeAt?.(0) : undefined);
  return range && !range.collapsed ? range : null;
}

/** Whether the selected text starts inside an element, which must be in a shadow tree. False for an element elsewhere. */
export function hasSelection(container: Element): boolean {
  const range = findSelectedRange(container);
  return (
    range !== null &&
    container.getRootNode() instanceof ShadowRoot &&
    container.contains(range.startContainer)
  );
}

/** Whether the selected text includes at least a part of an element. */
export function isSelected(element: Element): boolean {
  const selected = findSelectedRange(element);
  if (!selected) return false;
  const range = element.ownerDocument.createRange();
  range.setStart(selected.startContainer, selected.startOffset);
  range.setEnd(selected.endContainer, selected.endOffset);
  return range.intersectsNode(element);
}
