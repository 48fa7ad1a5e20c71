import { element } from '../../dom/element.js';
import { elementOf, FIELDS } from '../../dom/event-target.js';
import { hasSelection } from '../../dom/selection.js';
import type { Locale } from '../../locales/locale.js';

/** Keys that scroll up when pressed in the transcript; so does Shift+Space. */
const SCROLL_UP_KEYS = new Set(['ArrowUp', 'PageUp', 'Home']);

/** A scroll position beyond the end of any box, in px. Browsers clamp it, so that the end need not be read before scrolling to it. */
const BEYOND_END = 2 ** 26;

/**
 * Keeps a growing box scrolled to its end until the user scrolls up (with wheel, touch, keyboard or scroll bar), selects text, moves the
 * focus to something above, or opens the find bar. Following resumes only at the actual end.
 *
 *     following ── scroll up, selection, … ──▶ released ── end reached, `scrollToEnd()` ──▶ following
 *
 * While following, growing content causes no extra layout: positions are read only in the resize observer and in the scroll event, when
 * the layout is up to date, and usually only the scroll position.
 */
export class AutoScroll {
  readonly #scroller: HTMLElement;
  readonly #content: HTMLElement;
  /** The button that scrolls to the end; hidden while `#showsNew`. */
  readonly #button: HTMLElement;
  /** Whether new content comes into view by itself: the end is followed, or the content still fits below the pinned element. */
  #showsNew = true;
  readonly #resizeObserver = new ResizeObserver(() => {
    if (this.#pinned) this.#updatePin(this.#pinned);
    else if (this.#showsNew) this.#followEnd();
  });
  #listeners = new AbortController();
  /** Scroll position that was last set or handled. */
  #scrollTop = 0;
  /** Largest possible scroll position when `#scrollTop` was read. */
  #maxScrollTop = 0;
  /** Vertical position where the touch started. A finger that moves down from there scrolls up. */
  #touchY = 0;
  /** Element that stays at the upper edge while the content below it grows. */
  #pinned: HTMLElement | null = null;
  /** Scroll position that was set for the pinned element. NaN if the box has lost it, because it was moved or hidden. */
  #pinnedScrollTop = 0;
  /** Called whenever `#showsNew` is set to true, even if it was true before. */
  readonly #onShowNew: () => void;

  /** `content` is the growing content of `scroller`; `button` is shown while new content does not come into view by itself. */
  constructor(
    scroller: HTMLElement,
    content: HTMLElement,
    button: HTMLElement,
    onShowNew: () => void = () => undefined,
  ) {
    this.#onShowNew = onShowNew;
    this.#scroller = scroller;
    this.#content = content;
    this.#button = button;
    button.hidden = true;
  }

  /** Starts observing. Call this once the box is connected. */
  connect(): void {
    this.#listeners = new AbortController();
    const options = { signal: this.#listeners.signal, passive: true };
    const releaseOn = <Type extends keyof HTMLElementEventMap>(
      target: HTMLElement | Document,
      type: Type,
      mustRelease: (event: HTMLElementEventMap[Type]) => boolean,
    ): void => {
      const handle = (event: Event): void => {
        if (mustRelease(event as HTMLElementEventMap[Type])) this.release();
      };
      target.addEventListener(type, handle, options);
    };
    const scroller = this.#scroller;
    this.#pinnedScrollTop = NaN;
    this.#resizeObserver.observe(this.#content);
    this.#resizeObserver.observe(scroller);
    scroller.addEventListener('scroll', this.#handleScroll, options);
    releaseOn(scroller, 'wheel', ({ deltaY }) => deltaY < 0);
    releaseOn(scroller, 'keydown', isScrollUpKey);
    // A user who opens the browser's find bar is looking for an earlier text.
    releaseOn(document, 'keydown', isFindKey);
    releaseOn(scroller, 'touchstart', ({ touches }) => {
      this.#touchY = touches[0]?.clientY ?? 0;
      return false;
    });
    releaseOn(scroller, 'touchmove', ({ touches }) => (touches[0]?.clientY ?? 0) > this.#touchY);
    // The resize observer may undo a scroll caused by focus before the scroll event fires, so check the position here.
    releaseOn(this.#content, 'focusin', ({ target }) => {
      const { top } = (target as Element).getBoundingClientRect();
      return scroller.scrollTop < this.#scrollTop - 1 || top < scroller.getBoundingClientRect().top;
    });
    releaseOn(document, 'selectionchange', () => this.#showsNew && hasSelection(this.#content));
  }

  /** Stops observing and removes all listeners. */
  disconnect(): void {
    this.#resizeObserver.disconnect();
    this.#listeners.abort();
  }

  /** Scrolls to the end and follows it. */
  scrollToEnd(): void {
    this.#pinned = null;
    this.#setShowsNew(true);
    this.#followEnd();
  }

  #followEnd(): void {
    if (this.#content.style.minBlockSize) this.#content.style.minBlockSize = '';
    this.#scroller.scrollTop = BEYOND_END;
    this.#scrollTop = this.#maxScrollTop = this.#scroller.scrollTop;
  }

  /**
   * Scrolls an element of the content to the upper edge and keeps it there. The user reads the content below it from the top, so the end is
   * not followed until the user scrolls to it.
   */
  pin(node: HTMLElement): void {
    this.#pinned = node;
    this.#pinnedScrollTop = this.#scroller.scrollTop;
    // New content comes into view below the pinned element, unless `#updatePin` finds that it no longer fits.
    this.#setShowsNew(true);
    this.#updatePin(node);
  }

  /** Releases the pinned element, and the space below it, if it was removed from the content. */
  releaseRemoved(): void {
    if (!this.#pinned || this.#content.contains(this.#pinned)) return;
    this.#pinned = null;
    this.#content.style.minBlockSize = '';
    if (this.#showsNew) this.#followEnd();
  }

  /**
   * Adds enough space below the pinned element to keep it at the upper edge until the content fills that space. Scrolls only if the user
   * has not scrolled.
   */
  #updatePin(node: HTMLElement): void {
    const { style } = this.#content;
    const scroller = this.#scroller;
    if (scroller.clientHeight === 0) {
      this.#pinnedScrollTop = NaN;
      return;
    }
    // Read the position before the height is changed. When the scroller grows, the browser clamps the position to the end, so at the end a
    // position above the pinned one does not mean that the user has scrolled.
    const { scrollTop } = scroller;
    const isAtEnd = scroller.scrollHeight - scroller.clientHeight - scrollTop <= 1;
    const difference = scrollTop - this.#pinnedScrollTop;
    // False for NaN.
    const hasScrolled = (isAtEnd ? difference : Math.abs(difference)) > 1;
    const offset = node.getBoundingClientRect().top - this.#content.getBoundingClientRect().top;
    const minHeight = Math.floor(offset) + scroller.clientHeight;
    if (style.minBlockSize !== `${minHeight}px`) style.minBlockSize = `${minHeight}px`;
    this.#setShowsNew(this.#content.offsetHeight <= minHeight + 1);
    this.#maxScrollTop = scroller.scrollHeight - scroller.clientHeight;
    if (hasScrolled) return;
    scroller.scrollTop = Math.floor(offset);
    this.#scrollTop = this.#pinnedScrollTop = scroller.scrollTop;
  }

  readonly #handleScroll = (): void => {
    const { scrollTop } = this.#scroller;
    // The event of a programmatic scroll fires a frame later. It must not resume following if the user has stopped it in between.
    if (scrollTop === this.#scrollTop) return;
    const maxScrollTop = this.#scroller.scrollHeight - this.#scroller.clientHeight;
    if (this.#pinned) {
      if (Number.isNaN(this.#pinnedScrollTop)) return;
      // The end of the added space is not the end of the content, so do not follow it. When the scroller has grown, the browser has clamped
      // the position to that end before the space was enlarged: the user has not scrolled.
      const isInAddedSpace =
        this.#content.offsetHeight <= parseFloat(this.#content.style.minBlockSize) + 1;
      const isClamped = scrollTop >= maxScrollTop - 1;
      if (isInAddedSpace && (isClamped || scrollTop >= this.#scrollTop - 1)) return;
      this.#pinned = null;
    }
    // Scroll positions are fractional on some displays, hence one pixel. Shrinking content also decreases `scrollTop` but leaves the box at
    // its end. If it has grown again before this event fires, the resize observer scrolls to the end in the same frame.
    if (maxScrollTop - scrollTop <= 1) this.#setShowsNew(true);
    else if (scrollTop < this.#scrollTop - 1 && Math.abs(maxScrollTop - this.#maxScrollTop) <= 1)
      this.#setShowsNew(false);
    this.#scrollTop = scrollTop;
    this.#maxScrollTop = maxScrollTop;
  };

  /** Runs an action that moves the focus without the user, which therefore neither stops following the end nor releases the pinned element. */
  withoutRelease(action: () => void): void {
    const pinned = this.#pinned;
    const showsNew = this.#showsNew;
    action();
    this.#pinned = pinned;
    this.#setShowsNew(showsNew);
  }

  /** Releases the pinned element and stops following the end. The end is still followed if there is nothing to scroll. */
  release(): void {
    const { scrollHeight, clientHeight } = this.#scroller;
    this.#pinned = null;
    if (scrollHeight > clientHeight + 1) this.#setShowsNew(false);
  }

  /**
   * Sets `#showsNew`, and shows or hides the button. Compares first, because setting an attribute invalidates styles even if the value
   * stays the same.
   */
  #setShowsNew(showsNew: boolean): void {
    this.#showsNew = showsNew;
    if (this.#button.hidden !== showsNew) this.#button.hidden = showsNew;
    if (showsNew) this.#onShowNew();
  }
}

function isScrollUpKey(event: KeyboardEvent): boolean {
  const { key, shiftKey } = event;
  return (
    (SCROLL_UP_KEYS.has(key) || (key === ' ' && shiftKey)) && !elementOf(event)?.closest(FIELDS)
  );
}

function isFindKey({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'F3' || ((ctrlKey || metaKey) && ['f', 'g'].includes(key));
}

/** Button that scrolls to the end, shown while new content does not come into view by itself. Shows the number of new messages. */
export class ScrollToEndButton {
  readonly node = element('button', 'scroll-to-end');
  readonly #locale: () => Locale;
  #newCount = 0;

  constructor(locale: () => Locale, onClick: () => void) {
    this.#locale = locale;
    this.node.type = 'button';
    this.node.addEventListener('click', onClick);
  }

  /** Adds to the number of new messages. */
  addNew(count: number): void {
    this.#newCount += count;
    this.updateLabel();
  }

  /** Resets the number of new messages. */
  reset(): void {
    if (this.#newCount === 0) return;
    this.#newCount = 0;
    this.updateLabel();
  }

  /** Sets the label, if it has changed. */
  updateLabel(): void {
    const { text } = this.#locale();
    const count = this.#newCount;
    const label = count > 0 ? text('newMessages', { count }) : text('jumpToLatest');
    if (this.node.textContent !== label) this.node.textContent = label;
  }
}
