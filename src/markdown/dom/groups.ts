import { make, type RenderContext } from './render-context.js';

/** Blocks in one group. A group that is complete and out of sight costs the browser next to nothing. */
const GROUP_SIZE = 40;

/** Groups in one section. In a long text the browser looks at a section that is out of sight once, and not at each of its groups. */
const SECTION_SIZE = 12;

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
  /** What holds the groups behind the first twelve, which stand by themselves: few texts are longer. */
  readonly #sections: Element[] = [];
  /** The elements in their order, and where their blocks begin in the source. */
  readonly #starts = new Map<Element, number>();

  constructor(context: RenderContext, container: Element) {
    this.#context = context;
    this.#container = container;
  }

  place(element: Element, start: number): void {
    if (this.#starts.size >= this.#groups.length * GROUP_SIZE) this.#addGroup();
    this.#starts.set(element, start);
    this.#groups.at(-1)?.append(element);
  }

  remove(element: Element): void {
    element.remove();
    this.#starts.delete(element);
    if (this.#starts.size > (this.#groups.length - 1) * GROUP_SIZE) return;
    takeLast(this.#groups);
    if (this.#sections.at(-1)?.hasChildNodes() === false) takeLast(this.#sections);
  }

  #addGroup(): void {
    const group = make(this.#context, 'div', { class: 'ubik-markdown' });
    const count = this.#groups.length;
    if (count > 0 && count % SECTION_SIZE === 0) {
      const section = make(this.#context, 'div', {}, group);
      this.#attach(section);
      addLast(this.#sections, section);
    } else if (this.#sections.length > 0) this.#sections.at(-1)?.append(group);
    else this.#attach(group);
    addLast(this.#groups, group);
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
  cut(at: number): number {
    const entries = [...this.#starts];
    const from = Math.max(0, entries.filter(([, start]) => start <= at).length - 2);
    for (const [element] of entries.slice(from)) this.remove(element);
    return from === 0 ? 0 : (entries[from]?.[1] ?? 0);
  }
}

/** The one before is complete. The style sheet could see that by itself, with `:has()`: it would look again for each node that comes below. */
function addLast(boxes: Element[], box: Element): void {
  boxes.at(-1)?.classList.add('ubik-full');
  boxes.push(box);
}

function takeLast(boxes: Element[]): void {
  boxes.pop()?.remove();
  boxes.at(-1)?.classList.remove('ubik-full');
}
