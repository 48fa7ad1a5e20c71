import type { Inline } from '../inline/inline.js';
import type { MarkdownStrings } from '../strings.js';
import { make, setAttributes } from './render-context.js';

/** Notes of one text. What would be one more stays where it was written. */
const MAX_NOTES = 1000;
/** So many references to one note, the first ones, have a link back. */
const MAX_BACKS = 20;

/** Where a reference stands: where its block begins in the source, and its place in the order of the text. */
interface Place {
  readonly start: number;
  readonly order: number;
}

/** A footnote that is defined. */
interface Note {
  readonly start: number;
  /** What it says, and the links back. */
  readonly item: HTMLElement;
  /** Names the note; with `-ref` behind it, its references. */
  readonly id: string;
  readonly uses: Map<HTMLElement, Place>;
  /** Those that have a link back, in order. */
  first: readonly HTMLElement[];
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
  /** The first references to one have changed. */
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
    const item = make(this.#context, 'li', { id, tabindex: '-1' }, body);
    this.#notes.set(label, { start, item, id, uses: new Map(), first: [], number: 0 });
    return body;
  }

  /** Makes a reference. Its number comes with `arrange`. */
  createReference(label: string): HTMLElement {
    const attributes = {
      href: `#${this.#notes.get(label)?.id ?? ''}`,
      role: 'doc-noteref',
      lang: this.#context.strings.lang,
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
    const touched = new Set<Note>();
    for (const [note, reference] of this.#findUses(old)) {
      if (!kept.has(reference) && note.uses.delete(reference)) touched.add(note);
    }
    for (const note of touched) this.#leadAgain(note);
    for (const [note, reference, index] of this.#findUses(now)) {
      note.uses.set(reference, { start, order: order * ORDERS + from + index });
      this.#lead(note, [...note.first, reference]);
      this.#label(note, reference);
    }
  }

  /** Forgets what begins at or behind a place of the source. */
  forgetFrom(start: number): void {
    for (const [label, note] of this.#notes) {
      for (const [node, use] of note.uses) if (use.start >= start) note.uses.delete(node);
      this.#leadAgain(note);
      if (note.start < start) continue;
      this.#lead(note, []);
      this.#notes.delete(label);
    }
    this.arrange();
  }

  /** Puts the footnotes in their order and shows their numbers, if something has changed. */
  arrange(): void {
    if (!this.#isMoved) return;
    this.#isMoved = false;
    const shown = [...this.#notes.values()]
      .filter(({ first }) => first.length > 0)
      .sort((a, b) => orderOf(a) - orderOf(b));
    for (const [index, note] of shown.entries()) {
      const there = this.#list.children[index];
      if (there !== note.item) this.#list.insertBefore(note.item, there ?? null);
      const isNew = note.number !== index + 1;
      note.number = index + 1;
      this.#linkBack(note, isNew ? 0 : note.item.childElementCount - 1);
      if (!isNew) continue;
      for (const reference of note.uses.keys()) this.#label(note, reference);
    }
    if (shown.length === 0) this.#section.remove();
    else if (this.#section.parentNode === null) {
      const { strings } = this.#context;
      setAttributes(this.#section, { lang: strings.lang, 'aria-label': strings.footnotes });
      setAttributes(this.#list, { lang: strings.textLang });
      this.#container.append(this.#section);
    }
  }

  /** The notes that inline content refers to, each with the reference and its number. */
  *#findUses(list: Inlines): Iterable<readonly [Note, HTMLElement, number]> {
    for (const [index, { text, node }] of list.entries()) {
      const note = this.#notes.get(text);
      if (note) yield [note, node as HTMLElement, index];
    }
  }

  /** One of those that have a link back may be gone. */
  #leadAgain(note: Note): void {
    if (note.first.some((node) => !note.uses.has(node))) this.#lead(note, [...note.uses.keys()]);
  }

  /** Takes the first of some references as those that have a link back. */
  #lead(note: Note, references: readonly HTMLElement[]): void {
    const first = [...new Set(references)]
      .sort((a, b) => orderOf(note, a) - orderOf(note, b))
      .slice(0, MAX_BACKS);
    const isSame = first.every((node, index) => node === note.first[index]);
    if (isSame && first.length === note.first.length) return;
    for (const node of note.first) node.removeAttribute('id');
    for (const [index, node] of first.entries()) node.setAttribute('id', refId(note, index));
    note.first = first;
    if (first.length === 0) note.item.remove();
    this.#isMoved = true;
  }

  /** Makes the links back that a note lacks, and takes those away that are too many. Those behind the first `kept` get new names. */
  #linkBack(note: Note, kept: number): void {
    const { item, first, number } = note;
    while (item.childElementCount - 1 > first.length) item.lastElementChild?.remove();
    for (let index = kept; index < first.length; index += 1) {
      const name = index > 0 ? `${number}-${index + 1}` : `${number}`;
      const link = item.children[index + 1] ?? item.appendChild(this.#makeBack(note, index));
      link.setAttribute('aria-label', this.#context.strings.footnoteBack(name));
    }
  }

  #makeBack(note: Note, index: number): HTMLElement {
    const attributes = {
      class: 'ubik-footnote-back',
      href: `#${refId(note, index)}`,
      role: 'doc-backlink',
      lang: this.#context.strings.lang,
      'data-ubik-act': 'footnote',
    };
    // In text style: as an emoji it would shout.
    const link = make(this.#context, 'a', attributes, '\u21a9\ufe0e');
    if (index > 0) link.append(make(this.#context, 'sup', {}, `${index + 1}`));
    return link;
  }

  #label({ number }: Note, reference: HTMLElement): void {
    const link = reference.firstElementChild;
    const text = link?.firstChild;
    if (number === 0 || !text || text.nodeValue === `${number}`) return;
    text.nodeValue = `${number}`;
    link.setAttribute('aria-label', this.#context.strings.footnote(number));
  }
}

/** The id of a reference by its place among those to its note. */
const refId = ({ id }: Note, index: number): string =>
  index > 0 ? `${id}-ref-${index + 1}` : `${id}-ref`;

function orderOf(note: Note, reference = note.first[0]): number {
  return (reference && note.uses.get(reference)?.order) ?? Infinity;
}
