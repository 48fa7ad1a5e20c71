/** Anything that covers less of the viewport, in px, is a browser toolbar instead of a keyboard. */
const MIN_KEYBOARD_HEIGHT = 100;

/**
 * Keeps the lower end of an element above the virtual keyboard, which covers the page without resizing it. Sets the covered height as
 * padding while the focus is in the element and its lower end is in the viewport.
 */
export class KeyboardInset {
  readonly #element: HTMLElement;
  #listeners = new AbortController();

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  /** Starts observing the visual viewport. */
  start(): void {
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    const { visualViewport } = window;
    for (const type of ['resize', 'scroll']) {
      visualViewport?.addEventListener(type, this.#update, { signal });
    }
    for (const type of ['focusin', 'focusout']) {
      this.#element.addEventListener(type, this.#update, { signal });
    }
    this.#update();
  }

  /** Stops observing and removes the padding. */
  stop(): void {
    this.#listeners.abort();
    this.#setInset(0);
  }

  readonly #update = (event?: Event): void => {
    const isBlurred = event?.type === 'focusout' && !(event as FocusEvent).relatedTarget;
    this.#setInset(isBlurred ? 0 : this.#measure());
  };

  /** Returns how much of the element's lower end the keyboard covers, in px. */
  #measure(): number {
    const { visualViewport: viewport, innerHeight } = window;
    // Users who pinch-zoom scroll the visual viewport themselves.
    if (!viewport || viewport.scale > 1.01 || !this.#element.matches(':focus-within')) return 0;
    if (innerHeight - viewport.height < MIN_KEYBOARD_HEIGHT) return 0;
    // The window of a bubble is in another position than its element.
    const { bottom } = (this.#root ?? this.#element).getBoundingClientRect();
    // An end below the viewport is not visible even without a keyboard. One pixel is tolerated for rounding.
    return bottom > innerHeight + 1 ? 0 : bottom - viewport.offsetTop - viewport.height;
  }

  get #root(): HTMLElement | null {
    return (this.#element.shadowRoot ?? this.#element).querySelector<HTMLElement>('.ubik');
  }

  #setInset(height: number): void {
    const root = this.#root;
    root?.toggleAttribute('data-keyboard', height > 0);
    if (height > 0) root?.style.setProperty('--_keyboard', `${Math.round(height)}px`);
    else root?.style.removeProperty('--_keyboard');
  }
}
