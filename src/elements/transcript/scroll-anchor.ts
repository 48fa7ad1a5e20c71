import type { Entry } from './message-group.js';

/** The message to keep in place. */
interface Anchor {
  readonly entry: Entry;
  /** Position of its upper edge in the scroll container, in px. The page may scroll or move the container meanwhile. */
  readonly top: number;
  /** Scroll position when the message was last put in place. A different one comes from the user or the browser's scroll anchoring. */
  scrolledTo: number;
}

/**
 * Keeps the message that the user is reading in place while messages above it are inserted or rendered: immediately, and again whenever the
 * column changes its height, for example because layout yields their real heights, until the user scrolls or interacts. Otherwise relies on
 * the browser's scroll anchoring.
 */
export class ScrollAnchor {
  readonly #scroller: HTMLElement;
  readonly #findAnchor: () => Entry | undefined;
  #anchor: Anchor | null = null;

  /** `column` is the content of `scroller`; `findAnchor` returns the message to keep in place. */
  constructor(scroller: HTMLElement, column: HTMLElement, findAnchor: () => Entry | undefined) {
    this.#scroller = scroller;
    this.#findAnchor = findAnchor;
    new ResizeObserver(this.#restore).observe(column);
  }

  /** Runs a change above or inside the viewport and restores the scroll position. */
  preserve<T>(change: () => T): T {
    // Restore first, relative to the original position, so that fractions of a pixel do not add up.
    this.#restore();
    const entry = this.#anchor ? null : this.#findAnchor();
    if (entry?.node) {
      const top = this.#topOf(entry.node);
      this.#anchor = { entry, top, scrolledTo: this.#scroller.scrollTop };
    }
    const result = change();
    // The user cannot scroll within a task, so any other scroll position is due to the browser's scroll anchoring.
    if (this.#anchor) this.#scrollBack(this.#anchor);
    return result;
  }

  /** Drops the anchor after a user action that may change heights, such as opening a disclosure: the content below is meant to move. */
  release(): void {
    this.#anchor = null;
  }

  readonly #restore = (): void => {
    const anchor = this.#anchor;
    if (!anchor) return;
    // Force layout first, because the browser may apply its own scroll anchoring during layout.
    const offset = this.#offsetOf(anchor);
    const scrolled = this.#scroller.scrollTop - anchor.scrolledTo;
    // The browser's scroll anchoring moves the message back to its place. A scroll after which the message is elsewhere, or farther away
    // than without the scroll, is the user's.
    const hasScrolled =
      scrolled !== 0 && (Math.abs(offset) > 1 || Math.abs(offset + scrolled) < Math.abs(offset));
    if (!anchor.entry.node?.isConnected || hasScrolled) this.#anchor = null;
    else this.#scrollBack(anchor);
  };

  #scrollBack(anchor: Anchor): void {
    const offset = this.#offsetOf(anchor);
    if (offset !== 0) this.#scroller.scrollTop += offset;
    anchor.scrolledTo = this.#scroller.scrollTop;
  }

  /** Distance from the anchored position, in px; positive means too low. */
  #offsetOf({ entry, top }: Anchor): number {
    return entry.node ? this.#topOf(entry.node) - top : 0;
  }

  /** Position of the upper edge of a node in the scroll container, in px. */
  #topOf(node: Element): number {
    return node.getBoundingClientRect().top - this.#scroller.getBoundingClientRect().top;
  }
}
