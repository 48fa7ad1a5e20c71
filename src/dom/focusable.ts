import { flatChildren } from './flat-tree.js';

/**
 * Returns the first tabbable node (`tabindex` of 0 or more) that matches a selector: the given node, else the first one inside it,
 * including nested shadow trees and slots.
 */
export function findTabbable(node: Element, selector = '*'): HTMLElement | undefined {
  if (!isVisible(node)) return undefined;
  const isMatch = node instanceof HTMLElement && node.tabIndex >= 0 && node.matches(selector);
  if (isMatch && !node.matches(':disabled, a:not([href])')) return node;
  for (const child of flatChildren(node)) {
    const found = findTabbable(child, selector);
    if (found) return found;
  }
  return undefined;
}

/**
 * Whether a node is visible. True for a node with `display: contents`, such as a slot, which has no box but may contain
 * visible nodes.
 */
export function isVisible(node: Element): boolean {
  const hasBox = isRendered(node, { visibilityProperty: true });
  return hasBox || getComputedStyle(node).display === 'contents';
}

/**
 * Whether a node has a box, in the viewport or not; with `visibilityProperty`, also whether it is not hidden by
 * `visibility`. Uses `checkVisibility()`, or computes its result in Safari before 17.4, which lacks it.
 */
export function isRendered(node: Element, options: { visibilityProperty?: boolean } = {}): boolean {
  const { checkVisibility } = node as Partial<Element>;
  if (checkVisibility) return checkVisibility.call(node, options);
  const hasVisibility =
    !options.visibilityProperty || getComputedStyle(node).visibility === 'visible';
  return hasVisibility && node.getClientRects().length > 0;
}

/** Whether nothing in the document of a node has the focus. */
export function isFocusLost({ ownerDocument: { activeElement, body } }: Element): boolean {
  return activeElement === null || activeElement === body;
}
