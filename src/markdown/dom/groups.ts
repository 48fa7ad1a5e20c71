import { make, type RenderContext } from './render-context.js';

/** Blocks in one group. A group that is complete and out of sight costs the browser next to nothing. */
const GROUP_SIZE = 40;

/** Where blocks are put: at the end of the text or of a block. */
export interface Holder {
  place(element: Element, start: number): void;
  remove(element: Element): void;
}

/** The blocks of the document, in groups that are never divided again. */
export class BlockGroups implements Holder {
  readonly #context: RenderContext;
  readonly #container: Element;
  readonly #groups: Element[] = [];
  /** The elements in their order, and where their blocks begin in the source. */
  readonly #starts = new Map<Element, number>();

  constructor(context: RenderContext, container: Element) {
    this.#context = context;
    this.#container = container;
  }

  place(element: Element, start: number): void {
    if (this.#starts.size >= this.#groups.length * GROUP_SIZE) {
      const group = make(this.#context, 'div', { class: 'ubik-markdown' });
      const last = this.#groups.at(-1);
      // The footnotes stay below.
      if (last) last.after(group);
      else this.#container.prepend(group);
      // The style sheet could see that by itself, with `:has()`: it would look again for each node that comes below.
      last?.classList.add('ubik-full');
      this.#groups.push(group);
    }
    this.#starts.set(element, start);
    this.#groups.at(-1)?.append(element);
  }

  remove(element: Element): void {
    element.remove();
    this.#starts.delete(element);
    if (this.#starts.size > (this.#groups.length - 1) * GROUP_SIZE) return;
    this.#groups.pop()?.remove();
    this.#groups.at(-1)?.classList.remove('ubik-full');
  }

  /**
   * Takes away the blocks that a text cut at a place may change: the one that holds the place and the one before it. Returns
   * where reading must begin again.
   */
  cut(at: number): number {
    const entries = [...this.#starts];
    const from = Math.max(0, entries.filter(([, start]) => start <= at).length - 2);
    for (const [element] of entries.slice(from)) this.remove(element);
    return from === 0 ? 0 : (entries[from]?.[1] ?? 0);
  }
}
