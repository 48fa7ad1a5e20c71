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
    if (this.#latest.hidden) this.jump();
  });
  #listening = new AbortController();
  #top = 0;
  #touch = 0;

  /** `content` is what grows in the box that scrolls; `latest` shows itself while the end is not followed. */
  constructor(scroller: HTMLElement, content: HTMLElement, latest: HTMLElement) {
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
    releaseOn(scroller, 'touchstart', ({ touches }) => {
      this.#touch = touches[0]?.clientY ?? 0;
      return false;
    });
    releaseOn(scroller, 'touchmove', ({ touches }) => (touches[0]?.clientY ?? 0) > this.#touch);
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
    this.#show(false);
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#top = this.#scroller.scrollTop;
  }

  readonly #handleScroll = (): void => {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    // One pixel: scroll positions are fractions on some screens. Content that shrinks moves us up too, but leaves us at the end.
    if (scrollHeight - clientHeight - scrollTop <= 1) this.#show(false);
    else if (scrollTop < this.#top - 1) this.#show(true);
    this.#top = scrollTop;
  };

  /** Follows the end no longer. An upward wish where there is nothing above is none. */
  release(): void {
    const { scrollHeight, clientHeight } = this.#scroller;
    if (scrollHeight > clientHeight + 1) this.#show(true);
  }

  /** Shows or hides the way back. An attribute that is set costs the page its styles, even if it was the same before. */
  #show(latest: boolean): void {
    if (this.#latest.hidden === latest) this.#latest.hidden = !latest;
  }
}

function isUpwardKey({ key, shiftKey, target }: KeyboardEvent): boolean {
  const inField = target instanceof Element && target.closest('textarea, input');
  return !inField && (UPWARD.has(key) || (key === ' ' && shiftKey));
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
