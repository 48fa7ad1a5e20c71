import { createElement, type RenderContext } from './render-context.js';

/** Blocks in one group. A group that is complete and out of sight costs the browser next to nothing. */
const BLOCKS_PER_GROUP = 40;

/** Groups in one section. In a long text the browser looks at a section that is out of sight once, and not at each of its groups. */
const GROUPS_PER_SECTION = 12;

/** Where blocks are put: at the end of the text or of a block. */
export interface BlockContainer {
  addBlock(element: Element, start: number): void;
  removeBlock(element: Element): void;
}

/** The blocks of the document, in groups that are never divided again. */
export class BlockGroups implements BlockContainer {
  readonly #context: RenderContext;
  readonly #container: Element;
  readonly #groups: Element[] = [];
  /** What holds the groups behind the first twelve, which stand by themselves: few texts are longer. */
  readonly #sections: Element[] = [];
  /** The elements in their order, and where their blocks begin in the source. */
  readonly #sourceStarts = new Map<Element, number>();

  constructor(context: RenderContext, container: Element) {
    this.#context = context;
    this.#container = container;
  }

  addBlock(element: Element, start: number): void {
    if (this.#sourceStarts.size >= this.#groups.length * BLOCKS_PER_GROUP) this.#addGroup();
    this.#sourceStarts.set(element, start);
    this.#groups.at(-1)?.append(element);
  }

  removeBlock(element: Element): void {
    element.remove();
    this.#sourceStarts.delete(element);
    if (this.#sourceStarts.size > (this.#groups.length - 1) * BLOCKS_PER_GROUP) return;
    popBox(this.#groups);
    if (this.#sections.at(-1)?.hasChildNodes() === false) popBox(this.#sections);
  }

  #addGroup(): void {
    const group = createElement(this.#context, 'div', { class: 'ubik-markdown' });
    const count = this.#groups.length;
    if (count > 0 && count % GROUPS_PER_SECTION === 0) {
      const section = createElement(this.#context, 'div', {}, group);
      this.#attach(section);
      pushBox(this.#sections, section);
    } else if (this.#sections.length > 0) this.#sections.at(-1)?.append(group);
    else this.#attach(group);
    pushBox(this.#groups, group);
  }

  /** Puts a group or a section at the end; the footnotes stay below. */
  #attach(box: Element): void {
    const last = this.#sections.at(-1) ?? this.#groups.at(-1);
    if (last) last.after(box);
    else this.#container.prepend(box);
  }

  /**
   * Takes away the blocks that a text cut at a place may change: the one that holds the place and the one before it. Returns
   * where reading must begin again.
   */
  truncate(at: number): number {
    const entries = [...this.#sourceStarts];
    const from = Math.max(0, entries.filter(([, start]) => start <= at).length - 2);
    for (const [element] of entries.slice(from)) this.removeBlock(element);
    return from === 0 ? 0 : (entries[from]?.[1] ?? 0);
  }
}

/** The one before is complete. The style sheet could see that by itself, with `:has()`: it would look again for each node that comes below. */
function pushBox(boxes: Element[], box: Element): void {
  boxes.at(-1)?.classList.add('ubik-full');
  boxes.push(box);
}

function popBox(boxes: Element[]): void {
  boxes.pop()?.remove();
  boxes.at(-1)?.classList.remove('ubik-full');
}
