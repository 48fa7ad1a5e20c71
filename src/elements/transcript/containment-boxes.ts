import { element } from '../../dom/element.js';

/** Children of one box. */
export const BOX_CHILDREN = 8;
/** Boxes around each group. */
export const BOX_LEVELS = 2;

/** What stands in the boxes. */
interface BoxedGroup {
  readonly node: HTMLElement;
  /** About how high it is, in px, before it was ever drawn. */
  readonly estimatedHeight: number;
}

/**
 * Boxes in boxes, for groups of messages in their order. All but those on the way to the last group are closed: the browser leaves
 * out what is in them while it is far away. Each box that it sees costs in each frame in which text comes, so no row is long.
 */
export class ContainmentBoxes {
  readonly #column: HTMLElement;
  readonly #skippable = new Set<HTMLElement>();

  constructor(column: HTMLElement) {
    this.#column = column;
  }

  /** Puts a group behind the others. */
  append(group: HTMLElement): void {
    let node = group;
    for (const box of this.#lastBoxes()) {
      if (box.childElementCount < BOX_CHILDREN) {
        box.append(node);
        return;
      }
      node = element('div', 'box', node);
    }
    for (let level = this.#lastBoxes().length; level < BOX_LEVELS; level += 1) {
      node = element('div', 'box', node);
    }
    this.#column.append(node);
  }

  /** Closes these groups and what is around them, but for the way to the last; opens the others, and drops empty boxes. */
  update(groups: readonly BoxedGroup[]): void {
    const heights = new Map<HTMLElement, number>();
    for (const { node, estimatedHeight: height } of groups) {
      for (const box of [node, ...this.#ancestorsOf(node)]) {
        heights.set(box, (heights.get(box) ?? 0) + height);
      }
    }
    const last = groups.at(-1)?.node;
    for (const box of last ? [last, ...this.#ancestorsOf(last)] : []) heights.delete(box);
    for (const box of this.#skippable) {
      if (heights.has(box)) continue;
      box.classList.remove('closed');
      this.#skippable.delete(box);
    }
    for (const [box, height] of heights) {
      if (this.#skippable.has(box)) continue;
      this.#skippable.add(box);
      box.classList.add('closed');
      if (height) box.style.containIntrinsicBlockSize = `auto ${height}px`;
    }
    for (const box of this.#column.querySelectorAll('.box:empty')) box.remove();
    for (const box of this.#column.querySelectorAll('.box:empty')) box.remove();
  }

  /** The boxes at the end, the inner ones first. */
  #lastBoxes(): HTMLElement[] {
    const open: HTMLElement[] = [];
    let box = this.#column.lastElementChild;
    while (box?.classList.contains('box')) {
      open.unshift(box as HTMLElement);
      box = box.lastElementChild;
    }
    return open;
  }

  #ancestorsOf(node: HTMLElement): HTMLElement[] {
    const around: HTMLElement[] = [];
    let box = node.parentElement;
    while (box && box !== this.#column) {
      around.push(box);
      box = box.parentElement;
    }
    return around;
  }
}
