import { element } from '../../dom/element.js';

/** What is said. */
export type Said = string | Node | (string | Node)[];

/** Announcements that stay in a region; older ones have been read. */
const KEPT = 5;

/** Two live regions: one that waits until the reader has finished, and one that does not. What is said is a whole sentence, once. */
export class Announcer {
  readonly #polite = createRegion('polite');
  readonly #urgent = createRegion('assertive');
  readonly node = element('div', 'hidden', this.#polite, this.#urgent);

  /** Says a sentence, in pieces where it is in more than one language; an `urgent` one at once. */
  say(words: Said, urgent = false): void {
    const node = element('p', '', ...[words].flat());
    if (!node.textContent) return;
    const region = urgent ? this.#urgent : this.#polite;
    region.append(node);
    while (region.childElementCount > KEPT) region.firstElementChild?.remove();
  }
}

function createRegion(live: string): HTMLElement {
  const node = element('div');
  // A log says what is added, and not again what stands there.
  if (live === 'polite') node.role = 'log';
  node.ariaLive = live;
  return node;
}
