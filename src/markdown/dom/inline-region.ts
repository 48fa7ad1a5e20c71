import { appendInline, createInline, type Inline } from '../parser/inline.js';
import { InlineParser } from '../parser/inline-parser.js';
import { MAX_SPAN } from '../parser/limits.js';
import { patchInlines } from './inline-nodes.js';
import { LayoutBreaks } from './layout-breaks.js';
import { updateNotices } from './link-notice.js';
import type { Redrawable } from './references.js';
import { MAX_TEXT_NODE, type RenderContext } from './render-context.js';

/** How much of the settled text is kept before the tail: enough to see what a sign stands behind. */
const LOOKBEHIND = 4;

/** A stretch of inline content that grows at its end. What is settled is not looked at again. */
export class InlineRegion implements Redrawable {
  readonly start: number;
  /** Its place among all stretches of the text. */
  readonly order: number;
  readonly #context: RenderContext;
  readonly #breaks: LayoutBreaks;
  readonly #mayBeTask: boolean;
  #parent: Node;
  /** Everything that is shown, and how many of it are settled. */
  readonly #shown: Inline[] = [];
  #stableCount = 0;
  /** All of the source: it is needed again if a reference gets its meaning later. */
  #source = '';
  /** The source from a little before the tail on, and where in it the tail begins. */
  #window = '';
  #tailStart = 0;
  /** How many spaces stand at the end; Infinity once so many were drawn that more of them change nothing. */
  #trailingSpaces = 0;
  /** The references to footnotes, and how many of them are settled. */
  readonly #footnoteReferences: Inline[] = [];
  #stableReferences = 0;
  #isInvalidated = false;

  constructor(context: RenderContext, parent: Node, start: number, mayBeTask = false) {
    this.#context = context;
    this.#breaks = new LayoutBreaks(context);
    this.#parent = parent;
    this.start = start;
    this.order = context.footnotes.nextRegionOrder();
    this.#mayBeTask = mayBeTask;
  }

  /** The first node; undefined as long as nothing is shown. */
  get first(): ChildNode | null | undefined {
    return this.#shown[0]?.node;
  }

  get length(): number {
    return this.#source.length;
  }

  /** Puts the nodes into another element. */
  moveTo(parent: Element): void {
    for (const { node } of this.#shown) if (node !== null) parent.append(node);
    this.#parent = parent;
  }

  /** More text. Nothing is drawn yet. */
  append(text: string): void {
    this.#window += text;
    this.#source += text;
    this.#trailingSpaces = /[^ \t]/.test(text) ? 0 : this.#trailingSpaces + text.length;
  }

  /** Takes another text, which may be the old one with more behind it. Nodes that fit are kept. */
  setText(text: string): void {
    if (text.startsWith(this.#source)) return this.append(text.slice(this.#source.length));
    this.#source = text;
    this.#reset();
  }

  /** Draws what has come. The last `held` characters are not shown yet. */
  draw(held = 0): void {
    if (this.#trailingSpaces === Infinity) return;
    this.#stableCount += this.#breaks.insertBreak(
      this.#shown,
      this.#stableCount,
      this.#source.length,
    );
    this.#draw(true, held);
    if (this.#trailingSpaces > MAX_SPAN) this.#trailingSpaces = Infinity;
  }

  /** Draws the end: nothing more comes, and so many characters at the end do not belong here. */
  close(dropped = 0): void {
    this.#breaks.close();
    if (dropped > 0) this.setText(this.#source.slice(0, -dropped));
    this.#draw(false, 0);
    this.#context.extras.processFormulas(this.#source, (marked) => {
      if (this.#isInvalidated) return;
      this.setText(marked);
      this.#draw(false, 0);
    });
  }

  /** It was cut away: what was on its way for it comes too late. */
  invalidate(): void {
    this.#isInvalidated = true;
  }

  /** Draws everything again, because a reference has changed its meaning. */
  redraw(): void {
    this.#reset();
    this.#draw(false, 0);
  }

  /** Nothing is settled any more. */
  #reset(): void {
    this.#breaks.removeAll();
    for (const entry of this.#shown) {
      if (entry.kind === 'text') entry.text = entry.node?.nodeValue ?? '';
      entry.stableLength = 0;
    }
    this.#stableCount = this.#tailStart = this.#trailingSpaces = this.#stableReferences = 0;
    this.#window = this.#source;
  }

  /** An error costs this stretch its looks and nothing else. */
  #draw(open: boolean, held: number): void {
    try {
      this.#read(open, held);
    } catch (error) {
      globalThis.reportError(error);
      this.#reset();
      patchInlines(this.#context, this.#parent, this.#shown, 0, [
        createInline('text', this.#source),
      ]);
      this.#updateReferences([], 0);
    }
  }

  #read(open: boolean, held: number): void {
    const all: Inline[] = [];
    if (this.#mayBeTask && this.#tailStart === 0) this.#readTaskMarker(all);
    const end = Math.max(this.#tailStart, this.#window.length - held);
    const parser = new InlineParser(this.#window.slice(0, end), this.#tailStart, open, (label) => {
      this.#context.references.addUser(label, this);
      return this.#context.references.get(label);
    });
    const { stable: settled, tail, resumeAt: safe } = parser.read();
    // A text node of which a part is settled stays, even if nothing follows in it.
    const border = this.#shown[this.#stableCount];
    if (border !== undefined && border.stableLength > 0) all.push(createInline('text'));
    for (const entry of settled) appendInline(all, entry);
    const settledCount = all.length;
    const last = all.at(-1);
    const settledLength = last?.kind === 'text' ? last.text.length : 0;
    const base = settledCount === 1 ? (border?.stableLength ?? 0) : 0;
    const isFull = base + settledLength > MAX_TEXT_NODE;
    // Behind a long text another one begins.
    if (isFull) all.push(...tail);
    else for (const entry of tail) appendInline(all, entry);
    patchInlines(this.#context, this.#parent, this.#shown, this.#stableCount, all);
    updateNotices(this.#context, this.#shown, this.#stableCount);
    this.#updateReferences(all, settledCount);
    this.#stableCount += settledCount;
    if (last?.kind === 'text' && !isFull) {
      // It may still grow.
      this.#stableCount -= 1;
      last.stableLength += settledLength;
      last.text = last.text.slice(settledLength);
    }
    const cut = Math.max(0, safe - LOOKBEHIND);
    this.#window = this.#window.slice(cut);
    this.#tailStart = safe - cut;
  }

  /** Tells which references to footnotes are shown now. */
  #updateReferences(shown: readonly Inline[], settledCount: number): void {
    const settled = findFootnoteReferences(shown.slice(0, settledCount));
    const now = [...settled, ...findFootnoteReferences(shown.slice(settledCount))];
    const old = this.#footnoteReferences.splice(this.#stableReferences);
    if (old.length + now.length === 0) return;
    this.#context.footnotes.replaceReferences(this, this.#stableReferences, old, now);
    this.#footnoteReferences.push(...now);
    this.#stableReferences += settled.length;
  }

  #readTaskMarker(all: Inline[]): void {
    const [box, state] = /^\[([ xX])\](?=[ \t\n])/.exec(this.#window) ?? [];
    if (box === undefined) return;
    this.#tailStart = box.length;
    all.push(createInline('task', state === ' ' ? '' : 'x'));
  }
}

/** The references to footnotes in inline content, in order. */
function findFootnoteReferences(list: readonly Inline[]): Inline[] {
  return list.flatMap((entry) =>
    entry.kind === 'footnote' ? [entry] : findFootnoteReferences(entry.children),
  );
}
