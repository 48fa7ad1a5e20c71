import { isRendered } from '../../dom/is-rendered.js';

/** The first thing in a node that takes the focus and is `wanted`, in whatever elements it stands; the node itself, if it does and is. */
export function findFocusable(node: Element, wanted = '*'): HTMLElement | undefined {
  if (!isSeen(node)) return undefined;
  const canTake = node instanceof HTMLElement && node.tabIndex >= 0 && node.matches(wanted);
  if (canTake && !node.matches(':disabled, a:not([href])')) return node;
  const assigned = node instanceof HTMLSlotElement ? node.assignedElements({ flatten: true }) : [];
  for (const child of assigned.length > 0 ? assigned : (node.shadowRoot ?? node).children) {
    const found = findFocusable(child, wanted);
    if (found) return found;
  }
  return undefined;
}

/** Whether something is shown. What has no box of its own may hold what is, such as a slot. */
export function isSeen(node: Element): boolean {
  const isShown = isRendered(node, { visibilityProperty: true });
  return isShown || getComputedStyle(node).display === 'contents';
}
