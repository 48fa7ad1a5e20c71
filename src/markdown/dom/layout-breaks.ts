import { createInline, type Inline } from '../parser/inline.js';
import { createElement, type RenderContext } from './render-context.js';

/** Length of appended text, in UTF-16 units, after which the next break is inserted. */
const BREAK_INTERVAL = 4096;
/** Maximum number of inline nodes that are searched for the start of a line. */
const MAX_LOOKBACK = 64;
/** Matches a text whose first letter is right-to-left, which determines the direction of the text. */
const RIGHT_TO_LEFT = /^\P{L}*(?=\p{L})[\u0590-\u08ff\ufb1d-\ufefc]/u;

/**
 * Breaks that bound the layout cost of a growing paragraph, which browsers lay out as a whole for each appended text. An empty block of
 * zero height, inserted at the start of a line, ends the inline formatting context, so that the text before it is not laid out again.
 * The breaks are removed when the paragraph is closed or its width changes.
 */
export class LayoutBreaks {
  readonly #context: RenderContext;
  readonly #breaks: Element[] = [];
  /** Length of the source at the last attempt to insert a break. */
  #length = 0;
  #isRightToLeft: boolean | undefined;
  /** Observes the width, from the first break on. */
  #observer: ResizeObserver | undefined;

  constructor(context: RenderContext) {
    this.#context = context;
  }

  /**
   * Inserts a break into the stable nodes, if enough text was appended since the last attempt. Splits a text node into two entries. Call
   * it before rendering, because it reads the layout. Returns the number of added entries.
   */
  insertBreak(shown: Inline[], stableCount: number, length: number): number {
    if (length - this.#length < BREAK_INTERVAL) return 0;
    this.#length = length;
    for (let index = stableCount; index > stableCount - MAX_LOOKBACK; index -= 1) {
      const { kind, node } = shown[index - 1] ?? {};
      const remaining = kind === 'text' ? this.#breakText(node as Text) : null;
      if (!remaining) continue;
      const entry = createInline('text', remaining.data);
      entry.node = remaining;
      shown.splice(index, 0, entry);
      return 1;
    }
    return 0;
  }

  /** Removes all breaks when the page is idle, because that lays out the whole paragraph. */
  close(): void {
    const observer = this.#observer;
    if (!observer) return;
    this.#context.frames.whenIdle(() => {
      observer.disconnect();
      this.removeAll();
    });
  }

  /** Removes all breaks. */
  readonly removeAll = (): void => {
    for (const lineBreak of this.#breaks.splice(0)) lineBreak.remove();
  };

  /** Splits a text node before its last line and inserts a break. Returns the text node after it. */
  #breakText(node: Text): Text | null {
    const at = findLastLine(node);
    const parent = node.parentElement;
    if (at === 0 || !parent) return null;
    this.#observer ??= this.#observeWidth(parent);
    this.#isRightToLeft ??= RIGHT_TO_LEFT.test(parent.textContent);
    // A line of the opposite direction would be aligned to the other side.
    if (this.#isRightToLeft !== RIGHT_TO_LEFT.test(node.data.slice(at))) return null;
    const lineBreak = createElement(this.#context, 'div', { class: 'ubik-break' });
    this.#breaks.push(lineBreak);
    node.splitText(at).before(lineBreak);
    return lineBreak.nextSibling as Text;
  }

  /**
   * Observes the width, because a new width moves the starts of lines. The breaks are removed in a frame: a change of size inside a
   * resize observer fires an error event.
   */
  #observeWidth(parent: Element): ResizeObserver {
    let width = parent.clientWidth;
    const observer = new ResizeObserver(() => {
      if (parent.clientWidth !== width) this.#context.frames.schedule(this.removeAll);
      width = parent.clientWidth;
    });
    observer.observe(parent);
    return observer;
  }
}

/** Returns the position of the last line of a text; 0 for a single line and for a text without layout. */
function findLastLine(node: Text): number {
  const range = node.ownerDocument.createRange();
  range.selectNodeContents(node);
  const readRects = (): DOMRect[] => [...range.getClientRects()];
  const last = readRects().at(-1)?.top;
  if (last === undefined) return 0;
  let [low, high] = [-1, node.length];
  // Binary search for the first position in the last line.
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    range.setStart(node, middle);
    if ((readRects()[0]?.top ?? last) >= last) high = middle;
    else low = middle;
  }
  return high;
}
