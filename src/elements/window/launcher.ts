/** SVG paths of the icons, on a grid of 24 units: a message, and a chevron while the window is open. */
const MESSAGE = 'M4 5.5h16v10.5h-8.5L7 20v-4H4z';
const CHEVRON = 'M6 9.5l6 6 6-6';
const SVG = 'http://www.w3.org/2000/svg';

/** The round button in the corner. Imports nothing, so that the bubble script can show it before the chat is loaded. */
export class Launcher {
  readonly node = document.createElement('button');
  readonly #path = document.createElementNS(SVG, 'path');
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
    this.#path.setAttribute('d', MESSAGE);
    icon.append(this.#path);
    this.#badge.className = 'badge';
    // The label of the button contains the count.
    this.#badge.ariaHidden = 'true';
    node.append(icon, this.#badge);
  }

  /** Sets the label, whether the window is open, and the text of the badge; no badge if it is empty. */
  update(label: string, isOpen: boolean, badge = ''): void {
    this.node.ariaLabel = label;
    this.node.ariaExpanded = String(isOpen);
    this.#path.setAttribute('d', isOpen ? CHEVRON : MESSAGE);
    this.#badge.textContent = badge;
  }

  /** Calls back once when the user is about to press the button (hover, focus, touch), at the latest with the click. */
  onIntent(callback: () => void): void {
    const { node } = this;
    const types = ['pointerenter', 'focus', 'touchstart', 'click'];
    const once = (): void => {
      for (const type of types) node.removeEventListener(type, once);
      callback();
    };
    for (const type of types) node.addEventListener(type, once, { passive: true });
  }
}
