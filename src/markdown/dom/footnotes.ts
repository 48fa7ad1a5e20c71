import type { Inline } from '../parser/inline.js';
import type { MarkdownStrings } from '../options.js';
import { createElement, setAttributes } from './render-context.js';

/** Notes of one text. What would be one more stays where it was written. */
const MAX_FOOTNOTES = 1000;
/** So many references to one note, the first ones, have a link back. */
const MAX_BACKLINKS = 20;

/** Where a reference stands: where its block begins in the source, and its place in the order of the text. */
interface Place {
  readonly start: number;
  readonly order: number;
}

/** A footnote that is defined. */
interface Footnote {
  readonly start: number;
  /** What it says, and the links back. */
  readonly item: HTMLElement;
  /** Names the note; with `-ref` behind it, its references. */
  readonly id: string;
  readonly references: Map<HTMLElement, Place>;
  /** Those that have a link back, in order. */
  backlinked: readonly HTMLElement[];
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
const REFERENCES_PER_REGION = 2 ** 24;

type Inlines = readonly Inline[];

/** The footnotes of a text, below it: numbered by their first use, and shown once they are used. */
export class Footnotes {
  readonly #context: FootnoteContext;
  readonly #container: Element;
  /** By name, in the order of their definitions. */
  readonly #notes = new Map<string, Footnote>();
  readonly #list: HTMLElement;
  readonly #section: HTMLElement;
  /** The first references to one have changed. */
  #isDirty = false;
  #regionCount = 0;

  constructor(context: FootnoteContext, container: Element) {
    this.#context = context;
    this.#container = container;
    this.#list = createElement(context, 'ol');
    this.#section = createElement(
      context,
      'section',
      { class: 'ubik-markdown ubik-footnotes' },
      this.#list,
    );
  }

  /** The place of a new stretch of text: they are made in the order of the text. */
  nextRegionOrder(): number {
    return (this.#regionCount += 1);
  }

  /** Makes the box for the content of a footnote. The first definition of a name wins; null when there are too many. */
  define(label: string, start: number): HTMLElement | null {
    const body = createElement(this.#context, 'div');
    if (this.#notes.has(label)) return body;
    const key = this.#notes.size + 1;
    if (key > MAX_FOOTNOTES) return null;
    const id = `${this.#context.idPrefix}-note-${key}`;
    const item = createElement(this.#context, 'li', { id, tabindex: '-1' }, body);
    this.#notes.set(label, { start, item, id, references: new Map(), backlinked: [], number: 0 });
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
    const link = createElement(this.#context, 'a', attributes, '');
    return createElement(this.#context, 'sup', { class: 'ubik-footnote' }, link);
  }

  /**
   * Takes the references of a stretch of text in place of those that it had; both begin with the one of the number `from`. The stretch
   * is known by its own place.
   */
  replaceReferences({ start, order }: Place, from: number, old: Inlines, now: Inlines): void {
    const kept = new Set(now.map(({ node }) => node));
    const touched = new Set<Footnote>();
    for (const [note, reference] of this.#findReferences(old)) {
      if (!kept.has(reference) && note.references.delete(reference)) touched.add(note);
    }
    for (const note of touched) this.#refreshBacklinks(note);
    for (const [note, reference, index] of this.#findReferences(now)) {
      note.references.set(reference, {
        start,
        order: order * REFERENCES_PER_REGION + from + index,
      });
      this.#setBacklinked(note, [...note.backlinked, reference]);
      this.#setNumber(note, reference);
    }
  }

  /** Forgets what begins at or behind a place of the source. */
  truncate(start: number): void {
    for (const [label, note] of this.#notes) {
      for (const [node, use] of note.references)
        if (use.start >= start) note.references.delete(node);
      this.#refreshBacklinks(note);
      if (note.start < start) continue;
      this.#setBacklinked(note, []);
      this.#notes.delete(label);
    }
    this.update();
  }

  /** Puts the footnotes in their order and shows their numbers, if something has changed. */
  update(): void {
    if (!this.#isDirty) return;
    this.#isDirty = false;
    const shown = [...this.#notes.values()]
      .filter(({ backlinked: first }) => first.length > 0)
      .sort((a, b) => orderOf(a) - orderOf(b));
    for (const [index, note] of shown.entries()) {
      const there = this.#list.children[index];
      if (there !== note.item) this.#list.insertBefore(note.item, there ?? null);
      const isNew = note.number !== index + 1;
      note.number = index + 1;
      this.#updateBacklinks(note, isNew ? 0 : note.item.childElementCount - 1);
      if (!isNew) continue;
      for (const reference of note.references.keys()) this.#setNumber(note, reference);
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
  *#findReferences(list: Inlines): Iterable<readonly [Footnote, HTMLElement, number]> {
    for (const [index, { text, node }] of list.entries()) {
      const note = this.#notes.get(text);
      if (note) yield [note, node as HTMLElement, index];
    }
  }

  /** One of those that have a link back may be gone. */
  #refreshBacklinks(note: Footnote): void {
    if (note.backlinked.some((node) => !note.references.has(node)))
      this.#setBacklinked(note, [...note.references.keys()]);
  }

  /** Takes the first of some references as those that have a link back. */
  #setBacklinked(note: Footnote, references: readonly HTMLElement[]): void {
    const first = [...new Set(references)]
      .sort((a, b) => orderOf(note, a) - orderOf(note, b))
      .slice(0, MAX_BACKLINKS);
    const isSame = first.every((node, index) => node === note.backlinked[index]);
    if (isSame && first.length === note.backlinked.length) return;
    for (const node of note.backlinked) node.removeAttribute('id');
    for (const [index, node] of first.entries()) node.setAttribute('id', referenceId(note, index));
    note.backlinked = first;
    if (first.length === 0) note.item.remove();
    this.#isDirty = true;
  }

  /** Makes the links back that a note lacks, and takes those away that are too many. Those behind the first `kept` get new names. */
  #updateBacklinks(note: Footnote, kept: number): void {
    const { item, backlinked: first, number } = note;
    while (item.childElementCount - 1 > first.length) item.lastElementChild?.remove();
    for (let index = kept; index < first.length; index += 1) {
      const name = index > 0 ? `${number}-${index + 1}` : `${number}`;
      const link = item.children[index + 1] ?? item.appendChild(this.#createBacklink(note, index));
      link.setAttribute('aria-label', this.#context.strings.footnoteBack(name));
    }
  }

  #createBacklink(note: Footnote, index: number): HTMLElement {
    const attributes = {
      class: 'ubik-footnote-back',
      href: `#${referenceId(note, index)}`,
      role: 'doc-backlink',
      lang: this.#context.strings.lang,
      'data-ubik-act': 'footnote',
    };
    // In text style: as an emoji it would shout.
    const link = createElement(this.#context, 'a', attributes, '\u21a9\ufe0e');
    if (index > 0) link.append(createElement(this.#context, 'sup', {}, `${index + 1}`));
    return link;
  }

  #setNumber({ number }: Footnote, reference: HTMLElement): void {
    const link = reference.firstElementChild;
    const text = link?.firstChild;
    if (number === 0 || !text || text.nodeValue === `${number}`) return;
    text.nodeValue = `${number}`;
    link.setAttribute('aria-label', this.#context.strings.footnote(number));
  }
}

/** The id of a reference by its place among those to its note. */
const referenceId = ({ id }: Footnote, index: number): string =>
  index > 0 ? `${id}-ref-${index + 1}` : `${id}-ref`;

function orderOf(note: Footnote, reference = note.backlinked[0]): number {
  return (reference && note.references.get(reference)?.order) ?? Infinity;
}
