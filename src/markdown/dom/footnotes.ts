import type { Inline } from '../inline/inline.js';
import type { MarkdownStrings } from '../strings.js';
import { make } from './render-context.js';

/** Notes of one text. What would be one more stays where it was written. */
const MAX_NOTES = 1000;

/** Where a reference stands: where its block begins in the source, and its place in the order of the text. */
interface Place {
  readonly start: number;
  readonly order: number;
}

/** A footnote that is defined. */
interface Note {
  readonly start: number;
  readonly item: HTMLElement;
  readonly back: HTMLElement;
  /** Names the note; with `-ref` behind it, the first reference. */
  readonly id: string;
  readonly uses: Map<HTMLElement, Place>;
  first: HTMLElement | null;
  number: number;
}

/** What footnotes need of their view. */
interface FootnoteContext {
  readonly document: Document;
  readonly strings: MarkdownStrings;
  /** What all ids of the view begin with. */
  readonly idPrefix: string;
}

/** More references than one stretch can hold. */
const ORDERS = 2 ** 24;

type Inlines = readonly Inline[];

/** The footnotes of a text, below it: numbered by their first use, and shown once they are used. */
export class Footnotes {
  readonly #context: FootnoteContext;
  readonly #container: Element;
  /** By name, in the order of their definitions. */
  readonly #notes = new Map<string, Note>();
  readonly #list: HTMLElement;
  readonly #section: HTMLElement;
  /** The first reference to one has changed. */
  #isMoved = false;
  #orders = 0;

  constructor(context: FootnoteContext, container: Element) {
    this.#context = context;
    this.#container = container;
    this.#list = make(context, 'ol');
    this.#section = make(context, 'section', { class: 'ubik-markdown ubik-footnotes' }, this.#list);
  }

  /** The place of a new stretch of text: they are made in the order of the text. */
  nextOrder(): number {
    return (this.#orders += 1);
  }

  /** Makes the box for the content of a footnote. The first definition of a name wins; null when there are too many. */
  define(label: string, start: number): HTMLElement | null {
    const body = make(this.#context, 'div');
    if (this.#notes.has(label)) return body;
    const key = this.#notes.size + 1;
    if (key > MAX_NOTES) return null;
    const id = `${this.#context.idPrefix}-note-${key}`;
    const back = make(this.#context, 'a', {
      class: 'ubik-footnote-back',
      href: `#${id}-ref`,
      role: 'doc-backlink',
      'aria-label': '',
      'data-ubik-act': 'footnote',
    });
    // In text style: as an emoji it would shout.
    back.append('\u21a9\ufe0e');
    const item = make(this.#context, 'li', { id, tabindex: '-1' }, body, ' ', back);
    this.#notes.set(label, { start, item, back, id, uses: new Map(), first: null, number: 0 });
    return body;
  }

  /** Makes a reference. Its number comes with `arrange`. */
  createReference(label: string): HTMLElement {
    const attributes = {
      href: `#${this.#notes.get(label)?.id ?? ''}`,
      role: 'doc-noteref',
      'aria-label': '',
      'data-ubik-act': 'footnote',
    };
    // The number goes into one and the same text: somebody may have selected it.
    const link = make(this.#context, 'a', attributes, '');
    return make(this.#context, 'sup', { class: 'ubik-footnote' }, link);
  }

  /**
   * Takes the references of a stretch of text in place of those that it had; both begin with the one of the number `from`. The stretch
   * is known by its own place.
   */
  exchange({ start, order }: Place, from: number, old: Inlines, now: Inlines): void {
    const kept = new Set(now.map(({ node }) => node));
    for (const { text, node } of old) {
      const note = this.#notes.get(text);
      if (note && !kept.has(node)) this.#forget(note, node as HTMLElement);
    }
    for (const [index, { text, node }] of now.entries()) {
      const note = this.#notes.get(text);
      if (!note) continue;
      const reference = node as HTMLElement;
      note.uses.set(reference, { start, order: order * ORDERS + from + index });
      if (note.first === null || orderOf(note) > orderOf(note, reference))
        this.#lead(note, reference);
      this.#label(note, reference);
    }
  }

  /** Forgets what begins at or behind a place of the source. */
  forgetFrom(start: number): void {
    for (const [label, note] of this.#notes) {
      for (const [node, use] of note.uses) if (use.start >= start) this.#forget(note, node);
      if (note.start < start) continue;
      this.#lead(note, null);
      this.#notes.delete(label);
    }
    this.arrange();
  }

  /** Puts the footnotes in their order and shows their numbers, if something has changed. */
  arrange(): void {
    if (!this.#isMoved) return;
    this.#isMoved = false;
    const shown = [...this.#notes.values()]
      .filter(({ first }) => first !== null)
      .sort((a, b) => orderOf(a) - orderOf(b));
    for (const [index, note] of shown.entries()) {
      const there = this.#list.children[index];
      if (there !== note.item) this.#list.insertBefore(note.item, there ?? null);
      if (note.number === index + 1) continue;
      note.number = index + 1;
      note.back.setAttribute('aria-label', this.#context.strings.footnoteBack(note.number));
      for (const reference of note.uses.keys()) this.#label(note, reference);
    }
    if (shown.length === 0) this.#section.remove();
    else if (this.#section.parentNode === null) {
      this.#section.setAttribute('aria-label', this.#context.strings.footnotes);
      this.#container.append(this.#section);
    }
  }

  #forget(note: Note, reference: HTMLElement): void {
    note.uses.delete(reference);
    if (note.first !== reference) return;
    const rest = [...note.uses.keys()].sort((a, b) => orderOf(note, a) - orderOf(note, b));
    this.#lead(note, rest[0] ?? null);
  }

  /** Another reference is the first one. */
  #lead(note: Note, first: HTMLElement | null): void {
    note.first?.removeAttribute('id');
    first?.setAttribute('id', `${note.id}-ref`);
    note.first = first;
    if (first === null) note.item.remove();
    this.#isMoved = true;
  }

  #label({ number }: Note, reference: HTMLElement): void {
    const link = reference.firstElementChild;
    const text = link?.firstChild;
    if (number === 0 || !text || text.nodeValue === `${number}`) return;
    text.nodeValue = `${number}`;
    link.setAttribute('aria-label', this.#context.strings.footnote(number));
  }
}

function orderOf(note: Note, reference = note.first): number {
  return (reference && note.uses.get(reference)?.order) ?? Infinity;
}
