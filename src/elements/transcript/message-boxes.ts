import { element } from '../../dom/element.js';

/** Children of one box. */
export const ROW = 8;
/** Boxes around each group. */
export const LEVELS = 2;

/** What stands in the boxes. */
interface Boxed {
  readonly node: HTMLElement;
  /** About how high it is, in px, before it was ever drawn. */
  readonly height: number;
}

/**
 * Boxes in boxes, for groups of messages in their order. All but those on the way to the last group are closed: the browser leaves
 * out what is in them while it is far away. Each box that it sees costs in each frame in which text comes, so no row is long.
 */
export class MessageBoxes {
  readonly #column: HTMLElement;
  readonly #closed = new Set<HTMLElement>();

  constructor(column: HTMLElement) {
    this.#column = column;
  }

  /** Puts a group behind the others. */
  append(group: HTMLElement): void {
    let node = group;
    for (const box of this.#open()) {
      if (box.childElementCount < ROW) {
        box.append(node);
        return;
      }
      node = element('div', 'box', node);
    }
    for (let level = this.#open().length; level < LEVELS; level += 1) {
      node = element('div', 'box', node);
    }
    this.#column.append(node);
  }

  /** Closes these groups and what is around them, but for the way to the last; opens the others, and drops empty boxes. */
  close(groups: readonly Boxed[]): void {
    const heights = new Map<HTMLElement, number>();
    for (const { node, height } of groups) {
      for (const box of [node, ...this.#around(node)]) {
        heights.set(box, (heights.get(box) ?? 0) + height);
      }
    }
    const last = groups.at(-1)?.node;
    for (const box of last ? [last, ...this.#around(last)] : []) heights.delete(box);
    for (const box of this.#closed) {
      if (heights.has(box)) continue;
      box.classList.remove('closed');
      this.#closed.delete(box);
    }
    for (const [box, height] of heights) {
      if (this.#closed.has(box)) continue;
      this.#closed.add(box);
      box.classList.add('closed');
      if (height) box.style.containIntrinsicBlockSize = `auto ${height}px`;
    }
    for (const box of this.#column.querySelectorAll('.box:empty')) box.remove();
    for (const box of this.#column.querySelectorAll('.box:empty')) box.remove();
  }

  /** The boxes at the end, the inner ones first. */
  #open(): HTMLElement[] {
    const open: HTMLElement[] = [];
    let box = this.#column.lastElementChild;
    while (box?.classList.contains('box')) {
      open.unshift(box as HTMLElement);
      box = box.lastElementChild;
    }
    return open;
  }

  #around(node: HTMLElement): HTMLElement[] {
    const around: HTMLElement[] = [];
    let box = node.parentElement;
    while (box && box !== this.#column) {
      around.push(box);
      box = box.parentElement;
    }
    return around;
  }
}
