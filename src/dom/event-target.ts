/** Selector of fields, in which keys change a value or move the caret. */
export const FIELDS = 'textarea, input, select, [contenteditable]';

/**
 * Returns the innermost element on which an event was dispatched; undefined for a target that is not an element. `target` stops at a shadow
 * host, and a built-in view that a renderer of the host page shows may be in a shadow root.
 */
export function elementOf(event: Event): Element | undefined {
  const [target] = event.composedPath();
  return target instanceof Element ? target : undefined;
}

/** Shadow roots with built-in views that renderers of the host page show, each with the element that the views belong to. */
export const contentRoots = new WeakMap<Node, Element>();

/** Whether a node is content of an element, instead of content of the host page or of an element in a slot. */
export function isContentOf(element: Element, node: Node): boolean {
  const root = node.getRootNode();
  return root === element.shadowRoot || contentRoots.get(root) === element;
}

/** Whether an event comes from a dialog inside the node whose listener handles it, also in the shadow root of an element in a slot. */
export function isFromDialog(event: Event): boolean {
  for (const node of event.composedPath()) {
    if (node === event.currentTarget) return false;
    if (node instanceof HTMLDialogElement) return true;
  }
  return false;
}
