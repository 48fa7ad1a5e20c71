import { element } from '../../dom/element.js';
import type { Locale } from '../../locales/locale.js';

/** The button that leads to the end while it is not followed; says how many messages have come there. */
export class ScrollToEndButton {
  readonly node = element('button', 'latest');
  readonly #locale: () => Locale;
  #count = 0;

  constructor(locale: () => Locale, act: () => void) {
    this.#locale = locale;
    this.node.type = 'button';
    this.node.addEventListener('click', act);
  }

  /** So many have come; 0: the end is followed again. */
  add(count: number): void {
    // While the end is followed this is said once a frame.
    if (count === 0 && this.#count === 0) return;
    this.#count = count === 0 ? 0 : this.#count + count;
    this.draw();
  }

  /** Writes its words, if they are others now. */
  draw(): void {
    const { text } = this.#locale();
    const count = this.#count;
    const words = count > 0 ? text('newMessages', { count }) : text('jumpToLatest');
    if (this.node.textContent !== words) this.node.textContent = words;
  }
}
