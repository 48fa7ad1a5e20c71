/** Outlines on a grid of 24. */
const PATH = 'M4 5.5h16v10.5h-8.5L7 20v-4H4z';
const SVG = 'http://www.w3.org/2000/svg';

/** The round button in the corner. It needs nothing else of ours, so that it can stand in a page before the chat does. */
export class Launcher {
  readonly node = document.createElement('button');
  readonly #badge = document.createElement('span');

  constructor() {
    const { node } = this;
    node.type = 'button';
    node.className = 'launcher';
    node.part.add('launcher');
    node.ariaHasPopup = 'dialog';
    const icon = document.createElementNS(SVG, 'svg');
    icon.setAttribute('viewBox', '0 0 24 24');
    icon.setAttribute('aria-hidden', 'true');
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', PATH);
    icon.append(path);
    this.#badge.className = 'badge';
    // The label says it in words.
    this.#badge.ariaHidden = 'true';
    node.append(icon, this.#badge);
  }

  /** What it is called, whether the window is open, and what stands at its corner, such as a count; nothing when empty. */
  update(label: string, isOpen: boolean, badge = ''): void {
    this.node.ariaLabel = label;
    this.node.ariaExpanded = String(isOpen);
    this.#badge.textContent = badge;
  }

  /** Calls back, once, when somebody seems to be about to press it. */
  onIntent(act: () => void): void {
    const { node } = this;
    const types = ['pointerenter', 'focus', 'touchstart', 'click'];
    const once = (): void => {
      for (const type of types) node.removeEventListener(type, once);
      act();
    };
    for (const type of types) node.addEventListener(type, once, { passive: true });
  }
}
