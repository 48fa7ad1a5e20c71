import { createElement, type RenderContext } from './render-context.js';

/** Number of blocks per group. Browsers skip the layout of a complete group outside of the viewport (`content-visibility`). */
const BLOCKS_PER_GROUP = 40;

/** Number of groups per section. In a long text, browsers check the visibility once per section instead of once per group. */
const GROUPS_PER_SECTION = 12;

/** A container to which blocks are added: the document, or a container block. `start` is the position of the block in the source. */
export interface BlockContainer {
  addBlock(element: Element, start: number): void;
  removeBlock(element: Element): void;
}

/** The top-level blocks, in groups that are never split. */
export class BlockGroups implements BlockContainer {
  readonly #context: RenderContext;
  readonly #container: Element;
  readonly #groups: Element[] = [];
  /** Containers of the groups after the first twelve. The first twelve have no section, because few texts have more groups. */
  readonly #sections: Element[] = [];
  /** Positions of the blocks in the source, by element, in order. */
  readonly #sourceStarts = new Map<Element, number>();
  /** The drawings of extensions, by the blocks that they replace. */
  readonly #replacements = new WeakMap<Element, Element>();
  /** The block that was added last, until `takeLast` returns it. It may have been removed. */
  #last: Element | null = null;

  constructor(context: RenderContext, container: Element) {
    this.#context = context;
    this.#container = container;
  }

  addBlock(element: Element, start: number): void {
    if (this.#sourceStarts.size >= this.#groups.length * BLOCKS_PER_GROUP) this.#addGroup();
    this.#sourceStarts.set(element, start);
    this.#groups.at(-1)?.append(element);
    this.#last = element;
  }

  removeBlock(element: Element): void {
    (this.#replacements.get(element) ?? element).remove();
    this.#sourceStarts.delete(element);
    if (this.#sourceStarts.size > (this.#groups.length - 1) * BLOCKS_PER_GROUP) return;
    popBox(this.#groups);
    if (this.#sections.at(-1)?.hasChildNodes() === false) popBox(this.#sections);
  }

  /** Returns the last block and its position, at most once for each block; null if it was removed. */
  takeLast(): { readonly element: Element; readonly start: number } | null {
    const element = this.#last;
    const start = element && this.#sourceStarts.get(element);
    this.#last = null;
    return element && start != null ? { element, start } : null;
  }

  /** Whether a block has not been removed. */
  hasBlock(element: Element): boolean {
    return this.#sourceStarts.has(element);
  }

  /** Shows another element in place of a block. */
  replaceBlock(element: Element, replacement: Element): void {
    element.replaceWith(replacement);
    this.#replacements.set(element, replacement);
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

  /** Inserts a group or section at the end, before the footnotes. */
  #attach(box: Element): void {
    const last = this.#sections.at(-1) ?? this.#groups.at(-1);
    if (last) last.after(box);
    else this.#container.prepend(box);
  }

  /**
   * Removes the blocks that can change when the text is truncated at a position: the block at the position, the one before it and all
   * following ones. Returns the position at which parsing has to restart.
   */
  truncate(at: number): number {
    const entries = [...this.#sourceStarts];
    const from = Math.max(0, entries.filter(([, start]) => start <= at).length - 2);
    for (const [element] of entries.slice(from)) this.removeBlock(element);
    return from === 0 ? 0 : (entries[from]?.[1] ?? 0);
  }
}

/** Adds a box and marks the previous one as complete. A selector with `:has()` instead of the class would be evaluated for each inserted node. */
function pushBox(boxes: Element[], box: Element): void {
  boxes.at(-1)?.classList.add('ubik-complete');
  boxes.push(box);
}

function popBox(boxes: Element[]): void {
  boxes.pop()?.remove();
  boxes.at(-1)?.classList.remove('ubik-complete');
}
