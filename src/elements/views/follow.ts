/** Keys that mean "let me read what is above" when they are pressed in the transcript. */
const UPWARD = new Set(['ArrowUp', 'PageUp', 'Home']);

/** Chromium's roots know their own selection. */
interface SelectingRoot {
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
export class Follow {
  readonly #scroller: HTMLElement;
  readonly #content: HTMLElement;
  /** The way back to the end; hidden while it is followed. */
  readonly #latest: HTMLElement;
  readonly #observer = new ResizeObserver(() => {
    if (this.#pinned) this.#hold(this.#pinned);
    else if (this.#latest.hidden) this.jump();
  });
  #listening = new AbortController();
  #top = 0;
  /** How far it could be scrolled then. */
  #end = 0;
  #touch = 0;
  /** What stays at the upper edge while what is below it grows. */
  #pinned: HTMLElement | null = null;
  /** Where the box was scrolled to for it. */
  #pinnedAt = 0;
  /** Told when the end is followed again. */
  readonly #onEnd: () => void;

  /** `content` is what grows in the box that scrolls; `latest` shows itself while the end is not followed. */
  constructor(
    scroller: HTMLElement,
    content: HTMLElement,
    latest: HTMLElement,
    onEnd: () => void = () => undefined,
  ) {
    this.#onEnd = onEnd;
    this.#scroller = scroller;
    this.#content = content;
    this.#latest = latest;
    latest.hidden = true;
  }

  /** Begins to watch; call it when the box is in the page. */
  start(): void {
    this.#listening = new AbortController();
    const options = { signal: this.#listening.signal, passive: true };
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
    this.#observer.observe(this.#content);
    this.#observer.observe(scroller);
    scroller.addEventListener('scroll', this.#handleScroll, options);
    releaseOn(scroller, 'wheel', ({ deltaY }) => deltaY < 0);
    releaseOn(scroller, 'keydown', isUpwardKey);
    // Who searches in the page looks for something that was said.
    releaseOn(document, 'keydown', isSearchKey);
    releaseOn(scroller, 'touchstart', ({ touches }) => {
      this.#touch = touches[0]?.clientY ?? 0;
      return false;
    });
    releaseOn(scroller, 'touchmove', ({ touches }) => (touches[0]?.clientY ?? 0) > this.#touch);
    // The scroll that goes with it may be undone before it is heard of.
    releaseOn(this.#content, 'focusin', ({ target }) => {
      const { top } = (target as Element).getBoundingClientRect();
      return scroller.scrollTop < this.#top - 1 || top < scroller.getBoundingClientRect().top;
    });
    releaseOn(
      document,
      'selectionchange',
      () => this.#latest.hidden && hasSelection(this.#content),
    );
  }

  /** Lets go of the page. */
  stop(): void {
    this.#observer.disconnect();
    this.#listening.abort();
  }

  /** Goes to the end and follows it. */
  jump(): void {
    this.#pinned = null;
    if (this.#content.style.minBlockSize) this.#content.style.minBlockSize = '';
    this.#show(false);
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#top = this.#scroller.scrollTop;
    this.#end = this.#scroller.scrollHeight - this.#scroller.clientHeight;
  }

  /**
   * Brings a part of the content to the upper edge, and leaves it there: what comes below it is read downwards, and its end is not
   * followed until the person has gone there.
   */
  pin(node: HTMLElement): void {
    this.#pinned = node;
    this.#pinnedAt = this.#scroller.scrollTop;
    this.#show(false);
    this.#hold(node);
  }

  /** Makes room below what is pinned, until there is so much to read; keeps it there while nobody has scrolled. */
  #hold(node: HTMLElement): void {
    const { style } = this.#content;
    const scroller = this.#scroller;
    // A box that gets higher is scrolled back by the browser, to its end.
    const { scrollTop } = scroller;
    const isEnd = scroller.scrollHeight - scroller.clientHeight - scrollTop <= 1;
    const isKept = isEnd
      ? scrollTop <= this.#pinnedAt + 1
      : Math.abs(scrollTop - this.#pinnedAt) <= 1;
    const offset = node.getBoundingClientRect().top - this.#content.getBoundingClientRect().top;
    const room = Math.floor(offset) + scroller.clientHeight;
    if (style.minBlockSize !== `${room}px`) style.minBlockSize = `${room}px`;
    this.#show(this.#content.offsetHeight > room + 1);
    this.#end = scroller.scrollHeight - scroller.clientHeight;
    if (!isKept) return;
    scroller.scrollTop = Math.floor(offset);
    this.#top = this.#pinnedAt = scroller.scrollTop;
  }

  readonly #handleScroll = (): void => {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    const end = scrollHeight - clientHeight;
    // The event of a scroll of our own comes a frame later: the person may have left the end meanwhile.
    if (scrollTop === this.#top && end === this.#end) return;
    if (this.#pinned) {
      // At the end of the room that was made for it nothing is to be followed.
      const isRoom = this.#content.offsetHeight <= parseFloat(this.#content.style.minBlockSize) + 1;
      if (isRoom && scrollTop >= this.#top - 1) return;
      this.#pinned = null;
    }
    // One pixel: scroll positions are fractions on some screens. Content that shrinks moves us up too, but leaves us at the end; when
    // it has grown again before this is told, the observer leads to the end in this very frame.
    if (end - scrollTop <= 1) this.#show(false);
    else if (scrollTop < this.#top - 1 && end === this.#end) this.#show(true);
    this.#top = scrollTop;
    this.#end = end;
  };

  /** Follows the end no longer. An upward wish where there is nothing above is none. */
  release(): void {
    const { scrollHeight, clientHeight } = this.#scroller;
    this.#pinned = null;
    if (scrollHeight > clientHeight + 1) this.#show(true);
  }

  /** Shows or hides the way back. An attribute that is set costs the page its styles, even if it was the same before. */
  #show(latest: boolean): void {
    if (this.#latest.hidden === latest) this.#latest.hidden = !latest;
    if (!latest) this.#onEnd();
  }
}

function isUpwardKey({ key, shiftKey, target }: KeyboardEvent): boolean {
  const inField = target instanceof Element && target.closest('textarea, input');
  return !inField && (UPWARD.has(key) || (key === ' ' && shiftKey));
}

function isSearchKey({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'F3' || ((ctrlKey || metaKey) && ['f', 'g'].includes(key));
}

/** Whether some text inside is selected. Across a shadow root, browsers tell that by the newer call or by the root's own. */
export function hasSelection(inside: HTMLElement): boolean {
  const root = inside.getRootNode();
  if (!(root instanceof ShadowRoot)) return false;
  const selection: Partial<Selection> | null =
    (root as SelectingRoot).getSelection?.() ?? document.getSelection();
  const range = selection?.getComposedRanges?.({ shadowRoots: [root] })[0];
  if (range) return !range.collapsed && inside.contains(range.startContainer);
  return selection?.isCollapsed === false && inside.contains(selection.anchorNode ?? null);
}
