import type { Entry } from './message-group.js';

/** What is read, and where it stood. */
interface Anchor {
  readonly entry: Entry;
  readonly top: number;
  /** Where the box was scrolled to for it: when it is elsewhere, somebody has scrolled on, or the browser keeps the place itself. */
  scrolledTo: number;
}

/**
 * Keeps what is read where it is while messages above it come or become rich: at once, and again when the browser finds out in the same
 * frame how high they are. The rest of the time the browser does that by itself.
 */
export class ScrollAnchor {
  readonly #scroller: HTMLElement;
  readonly #findAnchor: () => Entry | undefined;
  #anchor: Anchor | null = null;

  /** `column` is what is in the box that scrolls; `read` finds the message that a person reads. */
  constructor(scroller: HTMLElement, column: HTMLElement, read: () => Entry | undefined) {
    this.#scroller = scroller;
    this.#findAnchor = read;
    new ResizeObserver(this.#restore).observe(column);
  }

  /** Makes a change above or in sight. */
  preserve<T>(change: () => T): T {
    // What has changed since the last time comes first; it stays where it was promised to be, so that no fractions of a px add up.
    this.#restore();
    const entry = this.#anchor ? null : this.#findAnchor();
    if (entry) {
      const { top } = entry.node.getBoundingClientRect();
      this.#anchor = { entry, top, scrolledTo: this.#scroller.scrollTop };
    }
    const result = change();
    // Nobody scrolls in the middle of a task but the browser, which keeps a place of its own choice.
    if (this.#anchor) this.#scrollBack(this.#anchor);
    return result;
  }

  /** A person has changed something by hand: it moves what is below it. */
  release(): void {
    this.#anchor = null;
  }

  readonly #restore = (): void => {
    const anchor = this.#anchor;
    if (!anchor) return;
    // Layout comes first: the browser may keep the place by itself in it.
    const moved = offsetOf(anchor);
    const scrolled = this.#scroller.scrollTop - anchor.scrolledTo;
    const isScrolled =
      scrolled !== 0 && (Math.abs(moved) > 1 || Math.abs(moved + scrolled) < Math.abs(moved));
    if (!anchor.entry.node.isConnected || isScrolled) this.#anchor = null;
    else this.#scrollBack(anchor);
  };

  #scrollBack(anchor: Anchor): void {
    const moved = offsetOf(anchor);
    if (moved !== 0) this.#scroller.scrollTop += moved;
    anchor.scrolledTo = this.#scroller.scrollTop;
  }
}

/** How far it is below its place, in px. */
function offsetOf({ entry, top }: Anchor): number {
  return entry.node.getBoundingClientRect().top - top;
}
