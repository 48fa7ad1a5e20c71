/**
 * Returns the node on which an event was dispatched, also inside shadow roots below the listener, which `target` does not show: a renderer of
 * the host page may show a built-in view in one. Undefined for a target that is not an element.
 */
export function elementOf(event: Event): Element | undefined {
  const [target] = event.composedPath();
  return target instanceof Element ? target : undefined;
}
