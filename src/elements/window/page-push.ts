/** Media query for pages that are wide enough to be pushed aside. */
const WIDE = '(width >= 64rem)';

/** Pushes the page aside by the width of an open panel, with a margin of the root element, while the page is wide enough. */
export class PagePush {
  readonly #panel: HTMLElement;
  readonly #wide = matchMedia(WIDE);
  readonly #observer = new ResizeObserver(() => {
    this.#apply();
  });
  #isActive = false;

  constructor(panel: HTMLElement) {
    this.#panel = panel;
  }

  /** Sets whether the page is pushed aside. */
  update(isActive: boolean): void {
    if (isActive === this.#isActive) return;
    this.#isActive = isActive;
    if (isActive) {
      this.#observer.observe(this.#panel);
      this.#wide.addEventListener('change', this.#apply);
    } else {
      this.#observer.disconnect();
      this.#wide.removeEventListener('change', this.#apply);
    }
    this.#apply();
  }

  readonly #apply = (): void => {
    const { style } = document.documentElement;
    if (!this.#isActive || !this.#wide.matches) style.removeProperty('margin-inline-end');
    else style.setProperty('margin-inline-end', `${String(this.#panel.offsetWidth)}px`);
  };
}
