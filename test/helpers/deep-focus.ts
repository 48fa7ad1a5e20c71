import { accessibleName } from './accessible-name.js';

/** What has the focus, in whatever shadow roots it stands; the body when nothing has. */
export function deepActiveElement(): HTMLElement {
  let at = document.activeElement as HTMLElement;
  while (at.shadowRoot?.activeElement instanceof HTMLElement) at = at.shadowRoot.activeElement;
  return at;
}

/** What a node says to those who do not see it: its accessible name, else its class. */
export function nameOf(node: HTMLElement): string {
  return accessibleName(node) || node.className || node.localName;
}
