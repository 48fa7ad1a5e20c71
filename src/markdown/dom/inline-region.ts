import type { Inline } from '../inline/inline.js';
import { parseInline } from '../inline/inline-parser.js';
import { patchInlines, type Entry } from './inline-nodes.js';
import type { Redrawable } from './references.js';
import type { RenderContext } from './render-context.js';

/** How much of the settled text is kept before the tail: enough to see what a delimiter stands behind. */
const LOOK_BEHIND = 4;

/** A stretch of inline content that grows at its end. What is settled is not looked at again. */
export class InlineRegion implements Redrawable {
  readonly start: number;
  readonly #context: RenderContext;
  readonly #mayBeTask: boolean;
  #parent: Node;
  /** Everything that is shown, and how many of it are settled. */
  #entries: Entry[] = [];
  #settled = 0;
  /** The source from a little before the tail on, and where in it the tail begins. */
  #text = '';
  #from = 0;
  /** All of the source: it is needed again if a reference gets its meaning later. */
  #pieces: string[] = [];
  /** The references that were asked for, and whether they had a meaning. */
  readonly #labels = new Map<string, boolean>();

  constructor(context: RenderContext, parent: Node, start: number, mayBeTask = false) {
    this.#context = context;
    this.#parent = parent;
    this.start = start;
    this.#mayBeTask = mayBeTask;
  }

  /** Whether nothing is shown yet. */
  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** The nodes, in their order. */
  get nodes(): readonly Node[] {
    return this.#entries.map((entry) => entry.node);
  }

  /** Puts the nodes into another element. */
  moveTo(parent: Element): void {
    for (const { node } of this.#entries) parent.append(node);
    this.#parent = parent;
  }

  /** More text. Nothing is drawn yet. */
  append(text: string): void {
    this.#text += text;
    this.#pieces.push(text);
  }

  /** Begins anew with another text. Nodes that fit are kept. */
  reset(text: string): void {
    this.#unsettle();
    this.#pieces = [text];
    this.#text = text;
  }

  /** Draws what has come. The last `held` characters are not shown yet. */
  draw(held = 0): void {
    this.#guard(() => this.#draw(true, held));
  }

  /** Draws the end: nothing more comes. */
  close(): void {
    // The paragraph's own definitions count only now.
    if (this.#isOutdated) this.reset(this.#pieces.join(''));
    this.#guard(() => this.#draw(false, 0));
    this.#text = '';
    if (this.#labels.size === 0) {
      this.#pieces = [];
      return;
    }
    this.#pieces = [this.#pieces.join('')];
    this.#context.references.add(this.#labels.keys(), this);
  }

  /** Draws everything again, because a reference has changed its meaning. */
  redraw(): void {
    this.reset(this.#pieces.join(''));
    this.#guard(() => this.#draw(false, 0));
    this.#text = '';
  }

  #draw(open: boolean, held: number): void {
    const task = this.#takeTask();
    const { settled, tail, safe } = parseInline({
      text: this.#text,
      from: this.#from,
      to: Math.max(this.#from, this.#text.length - held),
      open,
      lookup: (label) => this.#lookup(label),
    });
    const entries = this.#entries;
    const first = entries[this.#settled];
    const before = first === undefined ? 0 : first.base;
    const all: Inline[] = task === null ? [] : [task];
    // A text node of which a part is settled stays, even if nothing follows in it.
    if (before > 0) all.push({ kind: 'text', text: '' });
    for (const inline of settled) push(all, inline);
    const border = all.length;
    const last = all.at(-1);
    const lastLength = last?.kind === 'text' ? last.text.length : 0;
    for (const inline of tail) push(all, inline);
    patchInlines(this.#context, this.#parent, entries, this.#settled, all);
    this.#settle(border, lastLength);
    const cut = Math.max(0, safe - LOOK_BEHIND);
    this.#text = this.#text.slice(cut);
    this.#from = safe - cut;
  }

  /** Takes the first entries off the tail. A text at the border may still grow. */
  #settle(border: number, lastLength: number): void {
    if (border === 0) return;
    const entry = this.#entries[this.#settled + border - 1];
    if (entry?.inline.kind !== 'text') {
      this.#settled += border;
      return;
    }
    this.#settled += border - 1;
    entry.base += lastLength;
    entry.inline = { kind: 'text', text: entry.inline.text.slice(lastLength) };
  }

  #takeTask(): Inline | null {
    if (!this.#mayBeTask || this.#from > 0) return null;
    const match = /^\[([ xX])\](?=[ \t\n])/.exec(this.#text);
    if (match === null) return null;
    this.#from = match[0].length;
    return { kind: 'task', done: match[1] !== ' ' };
  }

  #lookup(label: string) {
    const definition = this.#context.definitions.get(label);
    this.#labels.set(label, definition !== undefined);
    return definition;
  }

  get #isOutdated(): boolean {
    for (const [label, hadMeaning] of this.#labels) {
      if ((this.#context.definitions.get(label) !== undefined) !== hadMeaning) return true;
    }
    return false;
  }

  #unsettle(): void {
    for (const entry of this.#entries) {
      if (entry.inline.kind !== 'text') continue;
      entry.inline = { kind: 'text', text: entry.node.nodeValue ?? '' };
      entry.base = 0;
    }
    this.#settled = 0;
    this.#from = 0;
  }

  /** An error costs this stretch its looks and nothing else. */
  #guard(draw: () => void): void {
    try {
      draw();
    } catch (error) {
      this.#context.report(error);
      const text = this.#context.document.createTextNode(this.#pieces.join(''));
      for (const { node } of this.#entries) node.parentNode?.removeChild(node);
      this.#parent.appendChild(text);
      const inline = { kind: 'text', text: text.data } as const;
      this.#entries = [{ inline, node: text, children: [], base: 0 }];
      this.#settled = 0;
    }
  }
}

/** Adds inline content; a text joins the text before it. */
function push(inlines: Inline[], inline: Inline): void {
  const last = inlines.at(-1);
  if (last?.kind === 'text' && inline.kind === 'text') {
    inlines[inlines.length - 1] = { kind: 'text', text: last.text + inline.text };
  } else {
    inlines.push(inline);
  }
}
