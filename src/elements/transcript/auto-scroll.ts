import { element } from '../../dom/element.js';
import type { Locale } from '../../locales/locale.js';

/** Keys that mean "let me read what is above" when they are pressed in the transcript. */
const SCROLL_UP_KEYS = new Set(['ArrowUp', 'PageUp', 'Home']);

/** Chromium's roots know their own selection. */
interface RootWithSelection {
  getSelection?(): Selection | null;
}

/**
 * Keeps a growing text at its end, until the person shows that they want to read: by wheel, finger, key, scroll bar, selection,
 * or anything else that moves upward. Only arriving at the true end takes it up again.
 *
 *     following ── any move upward, a selection ──▶ released ── at the end, `jump()` ──▶ following
 *
 * Layout is read only where it has just been made: in the observer and in the scroll event.
 */
export class AutoScroll {
  readonly #scroller: HTMLElement;
  readonly #content: HTMLElement;
  /** The way back to the end; hidden while it is followed. */
  readonly #button: HTMLElement;
  readonly #resizeObserver = new ResizeObserver(() => {
    if (this.#pinned) this.#updatePin(this.#pinned);
    else if (this.#button.hidden) this.scrollToEnd();
  });
  #listeners = new AbortController();
  #scrollTop = 0;
  /** How far it could be scrolled then. */
  #maxScrollTop = 0;
  #touchY = 0;
  /** What stays at the upper edge while what is below it grows. */
  #pinned: HTMLElement | null = null;
  /** Where the box was scrolled to for it. */
  #pinnedScrollTop = 0;
  /** Told when the end is followed again. */
  readonly #onFollow: () => void;

  /** `content` is what grows in the box that scrolls; `latest` shows itself while the end is not followed. */
  constructor(
    scroller: HTMLElement,
    content: HTMLElement,
    latest: HTMLElement,
    onEnd: () => void = () => undefined,
  ) {
    this.#onFollow = onEnd;
    this.#scroller = scroller;
    this.#content = content;
    this.#button = latest;
    latest.hidden = true;
  }

  /** Begins to watch; call it when the box is in the page. */
  connect(): void {
    this.#listeners = new AbortController();
    const options = { signal: this.#listeners.signal, passive: true };
    const releaseOn = <Type extends keyof HTMLElementEventMap>(
      target: HTMLElement | Document,
      type: Type,
      isUpward: (event: HTMLElementEventMap[Type]) => boolean,
    ): void => {
      const handle = (event: Event): void => {
        if (isUpward(event as HTMLElementEventMap[Type])) this.release();
      };
      target.addEventListener(type, handle, options);
    };
    const scroller = this.#scroller;
    this.#resizeObserver.observe(this.#content);
    this.#resizeObserver.observe(scroller);
    scroller.addEventListener('scroll', this.#handleScroll, options);
    releaseOn(scroller, 'wheel', ({ deltaY }) => deltaY < 0);
    releaseOn(scroller, 'keydown', isScrollUpKey);
    // Who searches in the page looks for something that was said.
    releaseOn(document, 'keydown', isFindKey);
    releaseOn(scroller, 'touchstart', ({ touches }) => {
      this.#touchY = touches[0]?.clientY ?? 0;
      return false;
    });
    releaseOn(scroller, 'touchmove', ({ touches }) => (touches[0]?.clientY ?? 0) > this.#touchY);
    // The scroll that goes with it may be undone before it is heard of.
    releaseOn(this.#content, 'focusin', ({ target }) => {
      const { top } = (target as Element).getBoundingClientRect();
      return scroller.scrollTop < this.#scrollTop - 1 || top < scroller.getBoundingClientRect().top;
    });
    releaseOn(
      document,
      'selectionchange',
      () => this.#button.hidden && hasSelection(this.#content),
    );
  }

  /** Lets go of the page. */
  disconnect(): void {
    this.#resizeObserver.disconnect();
    this.#listeners.abort();
  }

  /** Goes to the end and follows it. */
  scrollToEnd(): void {
    this.#pinned = null;
    if (this.#content.style.minBlockSize) this.#content.style.minBlockSize = '';
    this.#setReleased(false);
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#scrollTop = this.#scroller.scrollTop;
    this.#maxScrollTop = this.#scroller.scrollHeight - this.#scroller.clientHeight;
  }

  /**
   * Brings a part of the content to the upper edge, and leaves it there: what comes below it is read downwards, and its end is not
   * followed until the person has gone there.
   */
  pin(node: HTMLElement): void {
    this.#pinned = node;
    this.#pinnedScrollTop = this.#scroller.scrollTop;
    this.#setReleased(false);
    this.#updatePin(node);
  }

  /** Makes room below what is pinned, until there is so much to read; keeps it there while nobody has scrolled. */
  #updatePin(node: HTMLElement): void {
    const { style } = this.#content;
    const scroller = this.#scroller;
    // A box that gets higher is scrolled back by the browser, to its end.
    const { scrollTop } = scroller;
    const isEnd = scroller.scrollHeight - scroller.clientHeight - scrollTop <= 1;
    const isKept = isEnd
      ? scrollTop <= this.#pinnedScrollTop + 1
      : Math.abs(scrollTop - this.#pinnedScrollTop) <= 1;
    const offset = node.getBoundingClientRect().top - this.#content.getBoundingClientRect().top;
    const room = Math.floor(offset) + scroller.clientHeight;
    if (style.minBlockSize !== `${room}px`) style.minBlockSize = `${room}px`;
    this.#setReleased(this.#content.offsetHeight > room + 1);
    this.#maxScrollTop = scroller.scrollHeight - scroller.clientHeight;
    if (!isKept) return;
    scroller.scrollTop = Math.floor(offset);
    this.#scrollTop = this.#pinnedScrollTop = scroller.scrollTop;
  }

  readonly #handleScroll = (): void => {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    const end = scrollHeight - clientHeight;
    // The event of a scroll of our own comes a frame later: the person may have left the end meanwhile.
    if (scrollTop === this.#scrollTop && end === this.#maxScrollTop) return;
    if (this.#pinned) {
      // At the end of the room that was made for it nothing is to be followed.
      const isRoom = this.#content.offsetHeight <= parseFloat(this.#content.style.minBlockSize) + 1;
      if (isRoom && scrollTop >= this.#scrollTop - 1) return;
      this.#pinned = null;
    }
    // One pixel: scroll positions are fractions on some screens. Content that shrinks moves us up too, but leaves us at the end; when
    // it has grown again before this is told, the observer leads to the end in this very frame.
    if (end - scrollTop <= 1) this.#setReleased(false);
    else if (scrollTop < this.#scrollTop - 1 && end === this.#maxScrollTop) this.#setReleased(true);
    this.#scrollTop = scrollTop;
    this.#maxScrollTop = end;
  };

  /** Follows the end no longer. An upward wish where there is nothing above is none. */
  release(): void {
    const { scrollHeight, clientHeight } = this.#scroller;
    this.#pinned = null;
    if (scrollHeight > clientHeight + 1) this.#setReleased(true);
  }

  /** Shows or hides the way back. An attribute that is set costs the page its styles, even if it was the same before. */
  #setReleased(latest: boolean): void {
    if (this.#button.hidden === latest) this.#button.hidden = !latest;
    if (!latest) this.#onFollow();
  }
}

function isScrollUpKey({ key, shiftKey, target }: KeyboardEvent): boolean {
  const inField = target instanceof Element && target.closest('textarea, input');
  return !inField && (SCROLL_UP_KEYS.has(key) || (key === ' ' && shiftKey));
}

function isFindKey({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'F3' || ((ctrlKey || metaKey) && ['f', 'g'].includes(key));
}

/** Whether some text inside is selected. Across a shadow root, browsers tell that by the newer call or by the root's own. */
export function hasSelection(container: HTMLElement): boolean {
  const root = container.getRootNode();
  if (!(root instanceof ShadowRoot)) return false;
  const selection: Partial<Selection> | null =
    (root as RootWithSelection).getSelection?.() ?? document.getSelection();
  const range = selection?.getComposedRanges?.({ shadowRoots: [root] })[0];
  if (range) return !range.collapsed && container.contains(range.startContainer);
  return selection?.isCollapsed === false && container.contains(selection.anchorNode ?? null);
}

/** The button that leads to the end while it is not followed; says how many messages have come there. */
export class ScrollToEndButton {
  readonly node = element('button', 'latest');
  readonly #locale: () => Locale;
  #newCount = 0;

  constructor(locale: () => Locale, act: () => void) {
    this.#locale = locale;
    this.node.type = 'button';
    this.node.addEventListener('click', act);
  }

  /** So many have come; 0: the end is followed again. */
  add(count: number): void {
    // While the end is followed this is said once a frame.
    if (count === 0 && this.#newCount === 0) return;
    this.#newCount = count === 0 ? 0 : this.#newCount + count;
    this.draw();
  }

  /** Writes its words, if they are others now. */
  draw(): void {
    const { text } = this.#locale();
    const count = this.#newCount;
    const words = count > 0 ? text('newMessages', { count }) : text('jumpToLatest');
    if (this.node.textContent !== words) this.node.textContent = words;
  }
}
