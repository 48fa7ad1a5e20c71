/** From this width on the page is moved aside; below it the panel covers it. */
const WIDE = '(width >= 64rem)';

/** Makes room for a panel beside the page, as long as the panel is open and the page is wide enough. */
export class PagePush {
  readonly #panel: HTMLElement;
  readonly #wide = matchMedia(WIDE);
  readonly #observer = new ResizeObserver(() => {
    this.#draw();
  });
  #isOn = false;

  constructor(panel: HTMLElement) {
    this.#panel = panel;
  }

  /** Whether the page makes room. */
  update(isOn: boolean): void {
    if (isOn === this.#isOn) return;
    this.#isOn = isOn;
    if (isOn) {
      this.#observer.observe(this.#panel);
      this.#wide.addEventListener('change', this.#draw);
    } else {
      this.#observer.disconnect();
      this.#wide.removeEventListener('change', this.#draw);
    }
    this.#draw();
  }

  readonly #draw = (): void => {
    const { style } = document.documentElement;
    if (!this.#isOn || !this.#wide.matches) style.removeProperty('margin-inline-end');
    else style.setProperty('margin-inline-end', `${String(this.#panel.offsetWidth)}px`);
  };
}
