import { accessibleName } from './accessible-name.js';

/** The focused element, including in shadow roots; the body when nothing is focused. */
export function deepActiveElement(): HTMLElement {
  let element = document.activeElement as HTMLElement;
  while (element.shadowRoot?.activeElement instanceof HTMLElement)
    element = element.shadowRoot.activeElement;
  return element;
}

/** The accessible name of a node, else its class, else its tag name. */
export function nameOf(node: HTMLElement): string {
  return accessibleName(node) || node.className || node.localName;
}
