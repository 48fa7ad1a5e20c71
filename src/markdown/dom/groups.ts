import { make, type RenderContext } from './render-context.js';

/** Blocks in one group. A closed group that is out of sight costs the browser next to nothing. */
const GROUP_SIZE = 40;

interface Entry {
  readonly start: number;
  element: Element | null;
}

/** The blocks of the document, in groups that are never divided again. */
export class BlockGroups {
  readonly #context: RenderContext;
  readonly #container: Element;
  readonly #groups: Element[] = [];
  readonly #entries: Entry[] = [];

  constructor(context: RenderContext, container: Element) {
    this.#context = context;
    this.#container = container;
  }

  /** A block begins at a place of the source. It may be given its element later. */
  open(start: number): void {
    const index = Math.floor(this.#entries.length / GROUP_SIZE);
    this.#entries.push({ start, element: null });
    if (index < this.#groups.length) return;
    this.#groups.at(-1)?.setAttribute('data-closed', '');
    const group = make(this.#context, 'div', 'ubik-markdown');
    this.#groups.push(group);
    this.#container.append(group);
  }

  /** The element of the newest block. */
  place(element: Element): void {
    const entry = this.#entries.at(-1);
    if (entry === undefined) return;
    entry.element = element;
    this.#groups.at(-1)?.append(element);
  }

  /** The newest block is gone. */
  drop(): void {
    this.#entries.pop()?.element?.remove();
    this.#trim();
  }

  /**
   * Takes away the blocks that a text cut at a place may change: the one that holds the place and the one before it. Returns
   * where reading must begin again.
   */
  cut(at: number): number {
    let index = this.#entries.length - 1;
    while (index >= 0 && (this.#entries[index]?.start ?? 0) > at) index -= 1;
    const from = Math.max(0, index - 1);
    const start = from === 0 ? 0 : (this.#entries[from]?.start ?? 0);
    for (const entry of this.#entries.splice(from)) entry.element?.remove();
    this.#trim();
    return start;
  }

  #trim(): void {
    const needed = Math.ceil(this.#entries.length / GROUP_SIZE);
    for (const group of this.#groups.splice(needed)) group.remove();
    this.#groups.at(-1)?.removeAttribute('data-closed');
  }
}
