/**
 * Returns the innermost element on which an event was dispatched; undefined for a target that is not an element. `target` stops at a shadow
 * host, and a built-in view that a renderer of the host page shows may be in a shadow root.
 */
export function elementOf(event: Event): Element | undefined {
  const [target] = event.composedPath();
  return target instanceof Element ? target : undefined;
}
