/** What covers less of the page than this, in px, is no keyboard: a bar of the browser comes and goes. */
const SMALLEST = 100;

/**
 * Keeps the lower end of an element above the keyboard of the screen, which covers a page without making it smaller: as much room
 * as is covered is left free below, as long as the focus is in the element and its lower end is in the window.
 */
export class KeyboardRoom {
  readonly #element: HTMLElement;
  #listening = new AbortController();

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  /** Begins to watch the window. */
  start(): void {
    this.stop();
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    const { visualViewport } = window;
    for (const type of ['resize', 'scroll']) {
      visualViewport?.addEventListener(type, this.#fit, { signal });
    }
    for (const type of ['focusin', 'focusout']) {
      this.#element.addEventListener(type, this.#fit, { signal });
    }
    this.#fit();
  }

  /** Watches no longer. */
  stop(): void {
    this.#listening.abort();
    this.#leave(0);
  }

  readonly #fit = (event?: Event): void => {
    const isLeft = event?.type === 'focusout' && !(event as FocusEvent).relatedTarget;
    this.#leave(isLeft ? 0 : this.#covered());
  };

  /** How much of the element's lower end is covered, in px. */
  #covered(): number {
    const { visualViewport: sight, innerHeight } = window;
    // Who zooms in by hand moves the page as they like.
    if (!sight || sight.scale > 1.01 || !this.#element.matches(':focus-within')) return 0;
    if (innerHeight - sight.height < SMALLEST) return 0;
    // The window of a bubble stands elsewhere than its element.
    const { bottom } = (this.#root ?? this.#element).getBoundingClientRect();
    return bottom > innerHeight + 1 ? 0 : bottom - sight.offsetTop - sight.height;
  }

  get #root(): HTMLElement | null {
    return (this.#element.shadowRoot ?? this.#element).querySelector<HTMLElement>('.ubik');
  }

  #leave(room: number): void {
    const root = this.#root;
    root?.toggleAttribute('data-keyboard', room > 0);
    if (room > 0) root?.style.setProperty('--_keyboard', `${Math.round(room)}px`);
    else root?.style.removeProperty('--_keyboard');
  }
}
