/** Keys that mean "let me read what is above" when they are pressed in the transcript. */
const UPWARD = new Set(['ArrowUp', 'PageUp', 'Home']);

/** What {@link Follow} works on. */
export interface FollowOptions {
  /** The box that scrolls. */
  readonly scroller: HTMLElement;
  /** What grows in it. */
  readonly content: HTMLElement;
  /** Told when following begins or ends. */
  onChange(following: boolean): void;
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
  readonly #options: FollowOptions;
  readonly #observer: ResizeObserver;
  #listening: AbortController | null = null;
  #following = true;
  #top = 0;
  #touch = 0;

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#observer = new ResizeObserver(this.#handleResize);
  }

  /** Begins to watch; call it when the box is in the page. */
  start(): void {
    this.stop();
    const { scroller, content } = this.#options;
    this.#listening = new AbortController();
    this.#observer.observe(content);
    this.#observer.observe(scroller);
    const listen = { signal: this.#listening.signal, passive: true };
    scroller.addEventListener('scroll', this.#handleScroll, listen);
    scroller.addEventListener('wheel', this.#handleWheel, listen);
    scroller.addEventListener('keydown', this.#handleKey, listen);
    scroller.addEventListener('touchstart', this.#handleTouchStart, listen);
    scroller.addEventListener('touchmove', this.#handleTouchMove, listen);
    document.addEventListener('selectionchange', this.#handleSelection, listen);
  }

  /** Whether the end is kept in sight. */
  get following(): boolean {
    return this.#following;
  }

  /** Goes to the end and follows it. */
  jump(): void {
    this.#set(true);
    this.#toEnd();
  }

  /** Lets go of the page. */
  stop(): void {
    this.#observer.disconnect();
    this.#listening?.abort();
  }

  #toEnd(): void {
    const { scroller } = this.#options;
    scroller.scrollTop = scroller.scrollHeight;
    this.#top = scroller.scrollTop;
  }

  #set(following: boolean): void {
    if (following === this.#following) return;
    this.#following = following;
    this.#options.onChange(following);
  }

  readonly #handleResize = (): void => {
    if (this.#following) this.#toEnd();
  };

  readonly #handleScroll = (): void => {
    const { scrollTop, scrollHeight, clientHeight } = this.#options.scroller;
    const upward = scrollTop < this.#top - 1;
    this.#top = scrollTop;
    // One pixel: scroll positions are fractions on some screens. Content that shrinks moves us up too, but leaves us at the end.
    if (scrollHeight - clientHeight - scrollTop <= 1) this.#set(true);
    else if (upward) this.#set(false);
  };

  readonly #handleWheel = (event: WheelEvent): void => {
    if (event.deltaY < 0) this.#release();
  };

  readonly #handleKey = (event: KeyboardEvent): void => {
    const inField = event.target instanceof Element && event.target.closest('textarea, input');
    const upward = UPWARD.has(event.key) || (event.key === ' ' && event.shiftKey);
    if (upward && !inField) this.#release();
  };

  readonly #handleTouchStart = (event: TouchEvent): void => {
    this.#touch = event.touches[0]?.clientY ?? 0;
  };

  readonly #handleTouchMove = (event: TouchEvent): void => {
    if ((event.touches[0]?.clientY ?? 0) > this.#touch) this.#release();
  };

  readonly #handleSelection = (): void => {
    if (this.#following && hasSelection(this.#options.content)) this.#release();
  };

  /** An upward wish where there is nothing above is none. */
  #release(): void {
    const { scroller } = this.#options;
    if (scroller.scrollHeight > scroller.clientHeight + 1) this.#set(false);
  }
}

/** Chromium's roots know their own selection. */
interface SelectingRoot {
  getSelection?(): Selection | null;
}

/** Whether some text inside is selected. Across a shadow root, browsers tell that by the newer call or by the root's own. */
function hasSelection(inside: HTMLElement): boolean {
  const root = inside.getRootNode();
  if (!(root instanceof ShadowRoot)) return false;
  const selection: Partial<Selection> | null =
    (root as SelectingRoot).getSelection?.() ?? document.getSelection();
  const range = selection?.getComposedRanges?.({ shadowRoots: [root] })[0];
  if (range) return !range.collapsed && inside.contains(range.startContainer);
  return selection?.isCollapsed === false && inside.contains(selection.anchorNode ?? null);
}
