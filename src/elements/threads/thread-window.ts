import { element } from '../../dom/element.js';
import { PAGE } from './thread-pages.js';

/** Rows that are drawn at most: what is further away costs nothing. */
const MOST = 4 * PAGE;
/** Height of a row before one was seen, in px. */
const ROW = 36;

/** Which of the rows are drawn. The others above are one empty box, so that what is read stays where it is. */
export class ThreadWindow {
  /** Stands for what is not drawn above. */
  readonly above = element('div');
  readonly #scroller: HTMLElement;
  readonly #rows: HTMLElement;
  #row = ROW;
  #from = 0;
  #to = PAGE;

  /** `rows` holds what is drawn, inside of the box that scrolls. */
  constructor(scroller: HTMLElement, rows: HTMLElement) {
    this.#scroller = scroller;
    this.#rows = rows;
  }

  /** Back to the beginning. */
  reset(): void {
    this.#from = 0;
    this.#to = PAGE;
    this.#scroller.scrollTop = 0;
  }

  /** What is drawn of a list. */
  cut<T>(all: readonly T[]): readonly T[] {
    return all.slice(this.#from, this.#to);
  }

  /** One step down in a list of so many; false at its end. */
  down(count: number): boolean {
    if (this.#to >= count) return false;
    this.#to += PAGE;
    this.#from = Math.max(this.#from, this.#to - MOST);
    return true;
  }

  /** One step up, or to where the person has scrolled; false at the beginning. */
  up(): boolean {
    if (this.#from === 0) return false;
    const seen = Math.floor(this.#scroller.scrollTop / this.#row / PAGE) * PAGE;
    this.#from = Math.max(0, Math.min(this.#from - PAGE, seen));
    this.#to = this.#from + MOST;
    return true;
  }

  /** Draws while what the person sees stays in its place; `anchor` is a row that is there before and after. */
  hold(anchor: Element | undefined, draw: () => number): void {
    const before = anchor?.getBoundingClientRect().top;
    const drawn = draw();
    const { height } = this.#rows.getBoundingClientRect();
    if (drawn > 0 && height > 0) this.#row = height / drawn;
    this.above.style.height = `${this.#from * this.#row}px`;
    if (before === undefined || !anchor?.isConnected) return;
    this.#scroller.scrollTop += anchor.getBoundingClientRect().top - before;
  }
}
