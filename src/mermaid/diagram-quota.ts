/** Maximum number of diagrams that are drawn in one text. */
const MAX_DIAGRAMS = 50;
/** Maximum number of elements of all drawings of one text. More would slow the page down. */
const MAX_ELEMENTS_OF_TEXT = 30_000;

/** Limits the drawings of each text, because many that are permitted by themselves would slow the page down. */
export class DiagramQuota {
  /** For each text, the number of elements of each drawing, by the box of its diagram; zero while it is being drawn. */
  readonly #texts = new WeakMap<Element, Map<Element, number>>();

  /** Adds a diagram to its text. Returns whether it may be drawn. */
  add(box: Element): boolean {
    const sizes = this.#findSizes(box);
    if (sizes.size >= MAX_DIAGRAMS) return false;
    sizes.set(box, 0);
    return true;
  }

  /** Sets the number of elements of the drawing of a diagram. Returns whether it may be shown. */
  setSize(box: Element, size: number): boolean {
    const sizes = this.#findSizes(box);
    sizes.set(box, 0);
    let sum = size;
    for (const other of sizes.values()) sum += other;
    if (sum > MAX_ELEMENTS_OF_TEXT) return false;
    sizes.set(box, size);
    return true;
  }

  /** Returns the diagrams of the text of a box, without those that were removed. */
  #findSizes(box: Element): Map<Element, number> {
    const text = findText(box);
    const sizes = this.#texts.get(text) ?? new Map<Element, number>();
    this.#texts.set(text, sizes);
    for (const other of sizes.keys()) if (!text.contains(other)) sizes.delete(other);
    return sizes;
  }
}

/** Returns the container of the text of a box; the box itself if it was removed from the text. */
function findText(box: Element): Element {
  const around = box.closest('.ubik-markdown')?.parentElement ?? box;
  // In a long text, further groups of blocks are inside sections, which follow the first groups.
  const outer = around.parentElement;
  return outer?.firstElementChild?.matches('.ubik-markdown') ? outer : around;
}
