import { addInline, inline, type Inline } from '../inline/inline.js';
import { InlineParser } from '../inline/inline-parser.js';
import { MAX_SPAN } from '../syntax/limits.js';
import { patchInlines } from './inline-nodes.js';
import { LineCuts } from './line-cuts.js';
import { updateNotices } from './link-notice.js';
import type { Redrawable } from './references.js';
import { LONGEST_TEXT, type RenderContext } from './render-context.js';

/** How much of the settled text is kept before the tail: enough to see what a sign stands behind. */
const LOOK_BEHIND = 4;

/** A stretch of inline content that grows at its end. What is settled is not looked at again. */
export class InlineRegion implements Redrawable {
  readonly start: number;
  /** Its place among all stretches of the text. */
  readonly order: number;
  readonly #context: RenderContext;
  readonly #cuts: LineCuts;
  readonly #mayBeTask: boolean;
  #parent: Node;
  /** Everything that is shown, and how many of it are settled. */
  readonly #shown: Inline[] = [];
  #settled = 0;
  /** All of the source: it is needed again if a reference gets its meaning later. */
  #source = '';
  /** The source from a little before the tail on, and where in it the tail begins. */
  #text = '';
  #from = 0;
  /** How many spaces stand at the end; Infinity once so many were drawn that more of them change nothing. */
  #spaces = 0;
  /** The references to footnotes, and how many of them are settled. */
  readonly #notes: Inline[] = [];
  #settledNotes = 0;
  #isForgotten = false;

  constructor(context: RenderContext, parent: Node, start: number, mayBeTask = false) {
    this.#context = context;
    this.#cuts = new LineCuts(context);
    this.#parent = parent;
    this.start = start;
    this.order = context.footnotes.nextOrder();
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
    this.#text += text;
    this.#source += text;
    this.#spaces = /[^ \t]/.test(text) ? 0 : this.#spaces + text.length;
  }

  /** Takes another text, which may be the old one with more behind it. Nodes that fit are kept. */
  become(text: string): void {
    if (text.startsWith(this.#source)) return this.append(text.slice(this.#source.length));
    this.#source = text;
    this.#beginAnew();
  }

  /** Draws what has come. The last `held` characters are not shown yet. */
  draw(held = 0): void {
    if (this.#spaces === Infinity) return;
    this.#settled += this.#cuts.grow(this.#shown, this.#settled, this.#source.length);
    this.#draw(true, held);
    if (this.#spaces > MAX_SPAN) this.#spaces = Infinity;
  }

  /** Draws the end: nothing more comes, and so many characters at the end do not belong here. */
  close(dropped = 0): void {
    this.#cuts.close();
    if (dropped > 0) this.become(this.#source.slice(0, -dropped));
    this.#draw(false, 0);
    this.#context.extras.finishText(this.#source, (marked) => {
      if (this.#isForgotten) return;
      this.become(marked);
      this.#draw(false, 0);
    });
  }

  /** It was cut away: what was on its way for it comes too late. */
  forget(): void {
    this.#isForgotten = true;
  }

  /** Draws everything again, because a reference has changed its meaning. */
  redraw(): void {
    this.#beginAnew();
    this.#draw(false, 0);
  }

  /** Nothing is settled any more. */
  #beginAnew(): void {
    this.#cuts.undo();
    for (const entry of this.#shown) {
      if (entry.kind === 'text') entry.text = entry.node?.nodeValue ?? '';
      entry.base = 0;
    }
    this.#settled = this.#from = this.#spaces = this.#settledNotes = 0;
    this.#text = this.#source;
  }

  /** An error costs this stretch its looks and nothing else. */
  #draw(open: boolean, held: number): void {
    try {
      this.#read(open, held);
    } catch (error) {
      globalThis.reportError(error);
      this.#beginAnew();
      patchInlines(this.#context, this.#parent, this.#shown, 0, [inline('text', this.#source)]);
      this.#takeNotes([], 0);
    }
  }

  #read(open: boolean, held: number): void {
    const all: Inline[] = [];
    if (this.#mayBeTask && this.#from === 0) this.#takeTask(all);
    const end = Math.max(this.#from, this.#text.length - held);
    const parser = new InlineParser(this.#text.slice(0, end), this.#from, open, (label) => {
      this.#context.references.use(label, this);
      return this.#context.references.get(label);
    });
    const { settled, tail, safe } = parser.read();
    // A text node of which a part is settled stays, even if nothing follows in it.
    const border = this.#shown[this.#settled];
    if (border !== undefined && border.base > 0) all.push(inline('text'));
    for (const entry of settled) addInline(all, entry);
    const settledCount = all.length;
    const last = all.at(-1);
    const settledLength = last?.kind === 'text' ? last.text.length : 0;
    const base = settledCount === 1 ? (border?.base ?? 0) : 0;
    const isFull = base + settledLength > LONGEST_TEXT;
    // Behind a long text another one begins.
    if (isFull) all.push(...tail);
    else for (const entry of tail) addInline(all, entry);
    patchInlines(this.#context, this.#parent, this.#shown, this.#settled, all);
    updateNotices(this.#context, this.#shown, this.#settled);
    this.#takeNotes(all, settledCount);
    this.#settled += settledCount;
    if (last?.kind === 'text' && !isFull) {
      // It may still grow.
      this.#settled -= 1;
      last.base += settledLength;
      last.text = last.text.slice(settledLength);
    }
    const cut = Math.max(0, safe - LOOK_BEHIND);
    this.#text = this.#text.slice(cut);
    this.#from = safe - cut;
  }

  /** Tells which references to footnotes are shown now. */
  #takeNotes(shown: readonly Inline[], settledCount: number): void {
    const settled = findNotes(shown.slice(0, settledCount));
    const now = [...settled, ...findNotes(shown.slice(settledCount))];
    const old = this.#notes.splice(this.#settledNotes);
    if (old.length + now.length === 0) return;
    this.#context.footnotes.exchange(this, this.#settledNotes, old, now);
    this.#notes.push(...now);
    this.#settledNotes += settled.length;
  }

  #takeTask(all: Inline[]): void {
    const [box, sign] = /^\[([ xX])\](?=[ \t\n])/.exec(this.#text) ?? [];
    if (box === undefined) return;
    this.#from = box.length;
    all.push(inline('task', sign === ' ' ? '' : 'x'));
  }
}

/** The references to footnotes in inline content, in order. */
function findNotes(list: readonly Inline[]): Inline[] {
  return list.flatMap((entry) => (entry.kind === 'footnote' ? [entry] : findNotes(entry.children)));
}
