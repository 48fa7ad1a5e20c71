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
