/** The first thing in a node that takes the focus and is `wanted`, in whatever elements it stands; the node itself, if it does and is. */
export function findFocusable(node: Element, selector = '*'): HTMLElement | undefined {
  if (!isVisible(node)) return undefined;
  const canTake = node instanceof HTMLElement && node.tabIndex >= 0 && node.matches(selector);
  if (canTake && !node.matches(':disabled, a:not([href])')) return node;
  const assigned = node instanceof HTMLSlotElement ? node.assignedElements({ flatten: true }) : [];
  for (const child of assigned.length > 0 ? assigned : (node.shadowRoot ?? node).children) {
    const found = findFocusable(child, selector);
    if (found) return found;
  }
  return undefined;
}

/** Whether something is shown. What has no box of its own may hold what is, such as a slot. */
export function isVisible(node: Element): boolean {
  const isShown = isRendered(node, { visibilityProperty: true });
  return isShown || getComputedStyle(node).display === 'contents';
}

/**
 * Whether an element has a box on the page, whether or not it is in sight; with `visibilityProperty`, one that is not invisible.
 * Stands in for `checkVisibility`, which Safari has from 17.4 on.
 */
export function isRendered(node: Element, options: { visibilityProperty?: boolean } = {}): boolean {
  const { checkVisibility } = node as Partial<Element>;
  if (checkVisibility) return checkVisibility.call(node, options);
  const isVisible = !options.visibilityProperty || getComputedStyle(node).visibility === 'visible';
  return isVisible && node.getClientRects().length > 0;
}
