import { element } from '../../dom/element.js';
import { PAGE_SIZE } from './thread-pages.js';

/** Maximum number of rows in the DOM. */
const MAX_ROWS = 4 * PAGE_SIZE;
/** Assumed height of a row before the first measurement, in px. */
const DEFAULT_ROW_HEIGHT = 36;

/** The range of a long list that is in the DOM. A spacer replaces the rows above it, so that the scroll position stays valid. */
export class VirtualWindow {
  /** As high as the rows above the range. */
  readonly topSpacer = element('div');
  readonly #scroller: HTMLElement;
  readonly #rows: HTMLElement;
  #rowHeight = DEFAULT_ROW_HEIGHT;
  #start = 0;
  #end = PAGE_SIZE;

  /** `rows` contains the rendered rows; `scroller` contains the spacer and `rows`. */
  constructor(scroller: HTMLElement, rows: HTMLElement) {
    this.#scroller = scroller;
    this.#rows = rows;
  }

  /** Resets the range to the first page and scrolls to the top. */
  reset(): void {
    this.#start = 0;
    this.#end = PAGE_SIZE;
    this.#scroller.scrollTop = 0;
  }

  /** Returns the items of a list that are in the range. */
  slice<T>(all: readonly T[]): readonly T[] {
    return all.slice(this.#start, this.#end);
  }

  /**
   * Extends the range downwards by a page in a list of `count` items, and drops rows at its start if there are too many. Returns false when
   * the range already contains the last item.
   */
  extendDown(count: number): boolean {
    if (this.#end >= count) return false;
    this.#end += PAGE_SIZE;
    this.#start = Math.max(this.#start, this.#end - MAX_ROWS);
    return true;
  }

  /**
   * Moves the start of the range up by a page, or to the scroll position if that is further up, and the end of the range so that it has the
   * maximum number of rows. Returns false when the range already contains the first item.
   */
  extendUp(): boolean {
    if (this.#start === 0) return false;
    const firstVisible =
      Math.floor(this.#scroller.scrollTop / this.#rowHeight / PAGE_SIZE) * PAGE_SIZE;
    this.#start = Math.max(0, Math.min(this.#start - PAGE_SIZE, firstVisible));
    this.#end = this.#start + MAX_ROWS;
    return true;
  }

  /**
   * Calls `update`, which returns the number of rendered rows. Then scrolls so that the first visible row of `anchors` is where it was in the
   * viewport. `anchors` are rows that are rendered before and after the update.
   */
  updateAnchored(anchors: readonly Element[], update: () => number): void {
    const { top } = this.#scroller.getBoundingClientRect();
    const anchor = anchors.find((row) => row.getBoundingClientRect().bottom > top);
    const before = anchor?.getBoundingClientRect().top;
    const count = update();
    const { height } = this.#rows.getBoundingClientRect();
    if (count > 0 && height > 0) this.#rowHeight = height / count;
    this.topSpacer.style.height = `${this.#start * this.#rowHeight}px`;
    if (before === undefined || !anchor?.isConnected) return;
    this.#scroller.scrollTop += anchor.getBoundingClientRect().top - before;
  }
}
