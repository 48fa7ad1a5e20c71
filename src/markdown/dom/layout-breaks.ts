import { createInline, type Inline } from '../parser/inline.js';
import { createElement, type RenderContext } from './render-context.js';

/** How much text comes, in UTF-16 units, before the next cut is looked for. */
const BREAK_INTERVAL = 4096;
/** How many pieces of content are looked through for the beginning of a line. */
const MAX_LOOKBACK = 64;
/** A text whose first letter is of a script that runs from right to left, so that the whole does. */
const RIGHT_TO_LEFT = /^\P{L}*[\u0590-\u08ff\ufb1d-\ufefc]/u;

/**
 * Cuts in a paragraph that grows: the browser lays the whole of a paragraph out for each addition. Where a line begins anyway, an
 * empty block of no height goes in between, and what stands before it is laid out no more. The cuts go when the paragraph is
 * closed, or gets another width.
 */
export class LayoutBreaks {
  readonly #context: RenderContext;
  readonly #breaks: Element[] = [];
  /** How long the source was when a cut was last looked for. */
  #length = 0;
  #isRightToLeft: boolean | undefined;
  /** Watches the width from the first cut on. */
  #observer: ResizeObserver | undefined;

  constructor(context: RenderContext) {
    this.#context = context;
  }

  /**
   * Cuts what is settled, if enough has come since the last time. A text that is cut becomes two entries. It reads the layout, so
   * that it is called before anything is drawn. Returns how many entries there are more.
   */
  insertBreak(shown: Inline[], settled: number, length: number): number {
    if (length - this.#length < BREAK_INTERVAL) return 0;
    this.#length = length;
    for (let index = settled; index > settled - MAX_LOOKBACK; index -= 1) {
      const { kind, node } = shown[index - 1] ?? {};
      const rest = kind === 'text' ? this.#breakText(node as Text) : null;
      if (!rest) continue;
      const entry = createInline('text', rest.data);
      entry.node = rest;
      shown.splice(index, 0, entry);
      return 1;
    }
    return 0;
  }

  /** Takes all cuts away when there is nothing else to do: all of the paragraph is laid out for it. */
  close(): void {
    const observer = this.#observer;
    if (!observer) return;
    this.#context.frames.whenIdle(() => {
      observer.disconnect();
      this.removeAll();
    });
  }

  /** Takes all cuts away. */
  readonly removeAll = (): void => {
    for (const cut of this.#breaks.splice(0)) cut.remove();
  };

  /** Cuts a text before its last line; gives the text behind the cut. */
  #breakText(node: Text): Text | null {
    const at = findLastLine(node);
    const parent = node.parentElement;
    if (at === 0 || !parent) return null;
    this.#isRightToLeft ??= this.#observeWidth(parent);
    // What begins in the other direction would stand on the other side.
    if (this.#isRightToLeft !== RIGHT_TO_LEFT.test(node.data.slice(at))) return null;
    const cut = createElement(this.#context, 'div', { class: 'ubik-cut' });
    this.#breaks.push(cut);
    node.splitText(at).before(cut);
    return cut.nextSibling as Text;
  }

  /** In another width the lines begin elsewhere. What others observe may not change size while the browser tells of sizes. */
  #observeWidth(parent: Element): boolean {
    let width = parent.clientWidth;
    this.#observer = new ResizeObserver(() => {
      if (parent.clientWidth !== width) this.#context.frames.schedule(this.removeAll);
      width = parent.clientWidth;
    });
    this.#observer.observe(parent);
    return RIGHT_TO_LEFT.test(parent.textContent);
  }
}

/** Where the last line begins in a text of several lines; 0 in any other, and where nothing is laid out. */
function findLastLine(node: Text): number {
  const range = node.ownerDocument.createRange();
  range.selectNodeContents(node);
  const readRects = (): DOMRect[] => [...range.getClientRects()];
  const last = readRects().at(-1)?.top;
  if (last === undefined) return 0;
  let [low, high] = [-1, node.length];
  // The first place from which on all is in the last line.
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    range.setStart(node, middle);
    if ((readRects()[0]?.top ?? last) >= last) high = middle;
    else low = middle;
  }
  return high;
}
