import { appendInline, createInline, type Inline } from '../parser/inline.js';
import { InlineParser } from '../parser/inline-parser.js';
import { MAX_SPAN } from '../parser/limits.js';
import { patchInlines } from './inline-nodes.js';
import { LayoutBreaks } from './layout-breaks.js';
import { updateNotices, updateOuterNotices } from './link-notice.js';
import type { Redrawable } from './references.js';
import { MAX_TEXT_NODE, type RenderContext } from './render-context.js';

/** Length of the stable text that is parsed with the tail, as context for the first delimiter of the tail. */
const LOOKBEHIND = 4;

/** Elements of blocks, which in a list item may precede and follow the text. */
const BLOCKS: ReadonlySet<string> = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol blockquote hr div details'.split(' '),
);

/**
 * Growing inline content: that of a paragraph, heading or cell. Its nodes are stable, except for those of the tail, which later text can still
 * change. Appending never visits stable nodes again.
 */
export class InlineRegion implements Redrawable {
  readonly start: number;
  /** The rank of the region among the regions of the text. */
  readonly order: number;
  readonly #context: RenderContext;
  readonly #breaks: LayoutBreaks;
  readonly #mayBeTask: boolean;
  #parent: Node;
  /** The block before the text; null when the text is first in its parent. */
  #previous: Node | null;
  /** All rendered nodes. */
  readonly #shown: Inline[] = [];
  /** Number of stable nodes among the rendered ones. */
  #stableCount = 0;
  /** The whole source, which is needed again when a reference is defined later. */
  #source = '';
  /** The end of the source: some context and the tail. */
  #window = '';
  /** Position of the tail in the window. */
  #tailStart = 0;
  /**
   * Length of the chunks at the end that consist of spaces and tabs only; Infinity once they are so long that further chunks of this kind have
   * no effect.
   */
  #trailingSpaces = 0;
  /** The footnote references. */
  readonly #footnoteReferences: Inline[] = [];
  /** Number of stable references among the footnote references. */
  #stableReferences = 0;
  #isRemoved = false;

  constructor(context: RenderContext, parent: Node, start: number, mayBeTask = false) {
    this.#context = context;
    this.#breaks = new LayoutBreaks(context);
    this.#parent = parent;
    this.#previous = parent.lastChild;
    this.start = start;
    this.order = context.footnotes.nextRegionOrder();
    this.#mayBeTask = mayBeTask;
  }

  /** The first DOM node. While nothing is rendered, the block that follows, or null. */
  get first(): ChildNode | null {
    return this.#previous ? this.#previous.nextSibling : this.#parent.firstChild;
  }

  get length(): number {
    return this.#source.length;
  }

  /** Moves the DOM nodes to an empty element. With `inPlace`, the element replaces them. */
  moveTo(parent: Element, inPlace: boolean): void {
    this.#breaks.removeAll();
    const nodes = this.#listNodes();
    if (inPlace) nodes[0]?.before(parent);
    for (const node of nodes) parent.append(node);
    this.#parent = parent;
    this.#previous = null;
  }

  /** Appends to the text without rendering it. */
  append(text: string): void {
    this.#window += text;
    this.#source += text;
    this.#trailingSpaces = /[^ \t]/.test(text) ? 0 : this.#trailingSpaces + text.length;
  }

  /** Replaces the text. DOM nodes that can be updated are reused. */
  setText(text: string): void {
    if (text.startsWith(this.#source)) return this.append(text.slice(this.#source.length));
    this.#source = text;
    this.#reset();
  }

  /** Renders the text so far, except for the last `pendingLength` characters. */
  render(pendingLength = 0): void {
    if (this.#trailingSpaces === Infinity) return;
    this.#stableCount += this.#breaks.insertBreak(
      this.#shown,
      this.#stableCount,
      this.#source.length,
    );
    this.#render(true, pendingLength);
    if (this.#trailingSpaces > MAX_SPAN) this.#trailingSpaces = Infinity;
  }

  /** Ends the text without its last `dropped` characters, and renders it. */
  close(dropped = 0): void {
    this.#breaks.close();
    if (dropped > 0) this.setText(this.#source.slice(0, -dropped));
    this.#render(false, 0);
    const { extras, mark, drawPart } = this.#context;
    const draw = (source: string, isInline: boolean): Element =>
      drawPart(source, this.start, isInline);
    extras.processText(this.#source, { mark, draw }, (marked) => {
      if (this.#isRemoved) return;
      this.setText(marked);
      this.#render(false, 0);
      // Possibly no frame follows in which the view would do this.
      this.#context.footnotes.update();
    });
  }

  /** Marks the region as removed, so that formulas and extensions that are being loaded for it are not rendered. */
  markRemoved(): void {
    this.#isRemoved = true;
  }

  /** Renders everything again, because a reference has been defined or removed. */
  redraw(): void {
    this.#reset();
    this.#render(false, 0);
  }

  /** Marks all nodes as unstable. */
  #reset(): void {
    this.#breaks.removeAll();
    for (const entry of this.#shown) {
      if (entry.kind === 'text') entry.text = entry.node?.nodeValue ?? '';
      entry.stableLength = 0;
    }
    this.#stableCount = this.#tailStart = this.#trailingSpaces = this.#stableReferences = 0;
    this.#window = this.#source;
  }

  /** Returns the DOM nodes, including those of a page translator. */
  #listNodes(): ChildNode[] {
    const nodes: ChildNode[] = [];
    for (let node = this.first; node && !isBlock(node); node = node.nextSibling) nodes.push(node);
    return nodes;
  }

  /** Removes all DOM nodes, so that everything is rendered again. */
  #clear(): void {
    this.#reset();
    const entry = createInline('text');
    entry.node = this.#context.document.createTextNode('');
    const nodes = this.#listNodes();
    this.#parent.insertBefore(entry.node, this.first);
    for (const node of nodes) node.remove();
    this.#shown.splice(0, Infinity, entry);
  }

  /** Renders the window. After an error, the region is rendered as plain text. */
  #render(open: boolean, pendingLength: number): void {
    try {
      this.#parseWindow(open, pendingLength);
    } catch (error) {
      globalThis.reportError(error);
      this.#clear();
      patchInlines(this.#context, this.#parent, this.#shown, 0, [
        createInline('text', this.#source),
      ]);
      this.#updateReferences([], 0);
    }
    // Only extensions draw links around text of the view.
    if (this.#context.extras.hasExtensions) updateOuterNotices(this.#context, this.#parent);
  }

  #parseWindow(open: boolean, pendingLength: number): void {
    // A page translator translates a text node in its context, so all nodes of the region are created again.
    if (!this.#shown.slice(this.#stableCount).every(isUnchanged)) this.#clear();
    const all: Inline[] = [];
    if (this.#mayBeTask && this.#tailStart === 0) this.#readTaskMarker(all);
    const end = Math.max(this.#tailStart, this.#window.length - pendingLength);
    const parser = new InlineParser(this.#window.slice(0, end), this.#tailStart, open, (label) => {
      this.#context.references.addUser(label, this);
      return this.#context.references.get(label);
    });
    const { stable, tail, resumeAt } = parser.read();
    // A text node with a stable beginning is reused, even if no text is added to it.
    const boundary = this.#shown[this.#stableCount];
    if (boundary !== undefined && boundary.stableLength > 0) all.push(createInline('text'));
    for (const entry of stable) appendInline(all, entry);
    const stableCount = all.length;
    const last = all.at(-1);
    const stableLength = last?.kind === 'text' ? last.text.length : 0;
    const base = stableCount === 1 ? (boundary?.stableLength ?? 0) : 0;
    const isFull = base + stableLength > MAX_TEXT_NODE;
    // After a long text node, a new text node begins.
    if (isFull) all.push(...tail);
    else for (const entry of tail) appendInline(all, entry);
    patchInlines(this.#context, this.#parent, this.#shown, this.#stableCount, all);
    updateNotices(this.#context, this.#shown, this.#stableCount);
    this.#updateReferences(all, stableCount);
    this.#stableCount += stableCount;
    if (last?.kind === 'text' && !isFull) {
      // The last text node may still be appended to.
      this.#stableCount -= 1;
      last.stableLength += stableLength;
      last.text = last.text.slice(stableLength);
    }
    const offset = Math.max(0, resumeAt - LOOKBEHIND);
    this.#window = this.#window.slice(offset);
    this.#tailStart = resumeAt - offset;
  }

  /** Updates the footnote references of this region. */
  #updateReferences(shown: readonly Inline[], stableCount: number): void {
    const stable = findFootnoteReferences(shown.slice(0, stableCount));
    const now = [...stable, ...findFootnoteReferences(shown.slice(stableCount))];
    const old = this.#footnoteReferences.splice(this.#stableReferences);
    if (old.length + now.length === 0) return;
    this.#context.footnotes.replaceReferences(this, this.#stableReferences, old, now);
    this.#footnoteReferences.push(...now);
    this.#stableReferences += stable.length;
  }

  #readTaskMarker(all: Inline[]): void {
    const [box, state] = /^\[([ xX])\](?=[ \t\n])/.exec(this.#window) ?? [];
    if (box === undefined) return;
    this.#tailStart = box.length;
    all.push(createInline('task', state === ' ' ? '' : 'x'));
  }
}

/** Whether a node is the element of a block. Uses only properties that the nodes of a document on a server have, too. */
function isBlock(node: Node): boolean {
  const { localName = '', classList } = node as Node & Partial<Element>;
  return BLOCKS.has(localName) && classList?.contains('ubik-break') !== true;
}

/** Whether the text nodes of a rendered node are attached and have the rendered lengths. A page translator replaces or changes them. */
function isUnchanged({ kind, node, text, stableLength, children }: Inline): boolean {
  if (kind !== 'text') return children.every(isUnchanged);
  return (
    node === null ||
    (node.parentNode !== null && (node as Text).length === stableLength + text.length)
  );
}

/** Returns the footnote references in inline nodes, in order. */
function findFootnoteReferences(list: readonly Inline[], found: Inline[] = []): Inline[] {
  for (const entry of list) {
    if (entry.kind === 'footnote') found.push(entry);
    else if (entry.children.length > 0) findFootnoteReferences(entry.children, found);
  }
  return found;
}
