import { element } from '../../dom/element.js';

/** Maximum number of children of one box. */
export const BOX_CHILDREN = 8;
/** Number of box levels around each group. */
export const BOX_LEVELS = 2;

/** The members of a message group that the boxes use. */
interface BoxedGroup {
  readonly node: HTMLElement;
  /** Estimated height before the first layout, in px. */
  readonly estimatedHeight: number;
}

/**
 * Nested boxes around the message groups, in order. All boxes and groups, except the last group and its ancestors, get
 * `content-visibility: auto`, so that the browser skips their contents while they are far from the viewport. Every box that is not skipped
 * costs style and layout time in each frame of a stream; nesting keeps their number small.
 */
export class ContainmentBoxes {
  readonly #column: HTMLElement;
  readonly #skippable = new Set<HTMLElement>();

  constructor(column: HTMLElement) {
    this.#column = column;
  }

  /** Appends a group. */
  append(group: HTMLElement): void {
    let node = group;
    for (const box of this.#lastBoxes()) {
      if (box.childElementCount < BOX_CHILDREN) {
        box.append(node);
        return;
      }
      // The box is full: its parent gets a new one.
      node = element('div', 'box', node);
    }
    for (let level = this.#lastBoxes().length; level < BOX_LEVELS; level += 1) {
      node = element('div', 'box', node);
    }
    this.#column.append(node);
  }

  /** Lets the browser skip these groups and their boxes, except the last group and its boxes. Resets all others and removes empty boxes. */
  update(groups: readonly BoxedGroup[]): void {
    const heights = new Map<HTMLElement, number>();
    for (const { node, estimatedHeight } of groups) {
      for (const box of [node, ...this.#ancestorsOf(node)]) {
        heights.set(box, (heights.get(box) ?? 0) + estimatedHeight);
      }
    }
    const last = groups.at(-1)?.node;
    for (const box of last ? [last, ...this.#ancestorsOf(last)] : []) heights.delete(box);
    for (const box of this.#skippable) {
      if (heights.has(box)) continue;
      box.classList.remove('skippable');
      this.#skippable.delete(box);
    }
    for (const [box, height] of heights) {
      if (this.#skippable.has(box)) continue;
      this.#skippable.add(box);
      box.classList.add('skippable');
      if (height) box.style.containIntrinsicBlockSize = `auto ${height}px`;
    }
    // Once for each level, because removing inner boxes may leave outer ones empty.
    for (const box of this.#column.querySelectorAll('.box:empty')) box.remove();
    for (const box of this.#column.querySelectorAll('.box:empty')) box.remove();
  }

  /** Returns the boxes at the end, innermost first. */
  #lastBoxes(): HTMLElement[] {
    const boxes: HTMLElement[] = [];
    let box = this.#column.lastElementChild;
    while (box?.classList.contains('box')) {
      boxes.unshift(box as HTMLElement);
      box = box.lastElementChild;
    }
    return boxes;
  }

  #ancestorsOf(node: HTMLElement): HTMLElement[] {
    const ancestors: HTMLElement[] = [];
    let box = node.parentElement;
    while (box && box !== this.#column) {
      ancestors.push(box);
      box = box.parentElement;
    }
    return ancestors;
  }
}
