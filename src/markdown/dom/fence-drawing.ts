import type { RenderFence } from '../options.js';
import { createElement } from './render-context.js';

/** Options of {@link FenceDrawing}. */
interface FenceDrawingOptions {
  readonly document: Document;
  readonly render: RenderFence;
  /** The info string, unescaped. */
  readonly info: string;
  /** The scrolling element of the code. Hidden while the drawing is shown; the code stays in it, so that it can be copied. */
  readonly code: HTMLElement;
  /** Called when the closed fence was drawn, with whether there is a drawing. */
  onClosed(isDrawn: boolean): void;
}

/**
 * The drawing of the host page in place of the code of a fence (`renderFence`). The next call waits until the promise of the previous call
 * has settled, and gets the newest source. After an error, only the closed fence is drawn again.
 */
export class FenceDrawing {
  readonly #options: FenceDrawingOptions;
  readonly #box: HTMLElement;
  #source = '';
  #isOpen = true;
  /** Whether the source has grown, or the fence was closed, since the last call. */
  #isOutdated = false;
  #isDrawing = false;
  #hasFailed = false;

  constructor(options: FenceDrawingOptions) {
    this.#options = options;
    // Focusable and named like the code that it replaces. Inert until there is something to show.
    this.#box = createElement(options, 'div', {
      class: 'ubik-fence',
      tabindex: '0',
      role: 'region',
      'aria-label': options.code.getAttribute('aria-label') ?? undefined,
      inert: '',
    });
  }

  append(text: string): void {
    this.#source += text;
    this.#isOutdated = true;
  }

  /** Draws what has been appended since the last call. */
  draw(): void {
    if (!this.#isDrawing) void this.#drawNewest();
  }

  /** Draws the complete source. */
  close(): void {
    this.#isOpen = false;
    this.#isOutdated = true;
    this.draw();
  }

  async #drawNewest(): Promise<void> {
    this.#isDrawing = true;
    while (this.#isOutdated && !(this.#isOpen && this.#hasFailed)) {
      this.#isOutdated = false;
      const open = this.#isOpen;
      try {
        const result = this.#callRenderer();
        // A synchronous drawing is shown in the same frame.
        if (result !== undefined) await Promise.resolve(result);
      } catch (error) {
        globalThis.reportError(error);
        this.#hasFailed = true;
        this.#box.replaceChildren();
      }
      const isDrawn = this.#showResult();
      if (!open) this.#options.onClosed(isDrawn);
    }
    this.#isDrawing = false;
  }

  #callRenderer(): unknown {
    const { render, info, code } = this.#options;
    const box = this.#box;
    const [language = ''] = info.split(/\s/, 1);
    if (box.parentNode === null) code.before(box);
    const meta = info.slice(language.length).trim();
    return render(info, this.#source, { box, language, meta, open: this.#isOpen });
  }

  /** Shows the content of the box in place of the code; if the box is empty, the code. Returns whether there is a drawing. */
  #showResult(): boolean {
    const isDrawn = this.#box.hasChildNodes();
    this.#options.code.toggleAttribute('hidden', isDrawn);
    this.#box.toggleAttribute('inert', !isDrawn);
    if (!isDrawn) this.#box.remove();
    return isDrawn;
  }
}
