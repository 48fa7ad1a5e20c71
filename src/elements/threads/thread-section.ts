import { element } from '../../dom/element.js';
import type { DateGroup } from './thread-order.js';

/** The conversations of one stretch of time. What is put in comes behind what was put in before. */
export class ThreadSection {
  readonly node: HTMLElement;
  readonly #heading = element('h3');
  readonly #list = element('ul');
  #next: Element | null = null;

  constructor() {
    this.node = element('section', 'thread-group', this.#heading, this.#list);
  }

  /** Begins to be filled anew. */
  begin({ words }: DateGroup): void {
    this.#heading.textContent = words;
    this.#list.ariaLabel = words;
    this.#next = this.#list.firstElementChild;
  }

  /** Puts a row in. One that stands there already is not touched. */
  put(node: Element): void {
    if (node === this.#next) this.#next = node.nextElementSibling;
    else this.#list.insertBefore(node, this.#next);
  }

  /** Takes out what was not put in this time. */
  end(): void {
    while (this.#next) {
      const { nextElementSibling: next } = this.#next;
      this.#next.remove();
      this.#next = next;
    }
  }
}
