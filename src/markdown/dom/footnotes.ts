import type { Inline } from '../parser/inline.js';
import type { MarkdownStrings } from '../options.js';
import { createElement, setAttributes } from './render-context.js';

/** Maximum number of footnotes in a text. Further definitions are rendered in place. */
const MAX_FOOTNOTES = 1000;
/** Maximum number of references to a footnote that have a backlink. */
const MAX_BACKLINKS = 20;

/** The position of a reference: where its block begins in the source, and its rank in reading order. */
interface ReferencePosition {
  readonly start: number;
  readonly order: number;
}

/** A defined footnote. */
interface Footnote {
  readonly start: number;
  /** The list item with the content of the footnote and its backlinks. */
  readonly item: HTMLElement;
  /** Element id of the footnote. Its references have the ids `{id}-ref`, `{id}-ref-2` and so on. */
  readonly id: string;
  readonly references: Map<HTMLElement, ReferencePosition>;
  /** The references that have a backlink, in order. */
  backlinked: readonly HTMLElement[];
  /** From 1; 0 before the footnote is shown. */
  number: number;
}

/** Context of {@link Footnotes}. */
interface FootnoteContext {
  readonly document: Document;
  readonly strings: MarkdownStrings;
  /** Prefix of all ids of the view. */
  readonly idPrefix: string;
}

/** More references than an inline region can contain. The order of a reference is that of its region times this number, plus its index in the region. */
const REFERENCES_PER_REGION = 2 ** 24;

/** The position of an inline region (`inline-region.ts`): where its block begins in the source, and its rank among the regions of the text. */
interface RegionPosition {
  readonly start: number;
  readonly order: number;
}

type Inlines = readonly Inline[];

/** The footnotes below a text. They are numbered by their first reference, and displayed once they are referenced. */
export class Footnotes {
  readonly #context: FootnoteContext;
  readonly #container: Element;
  /** The footnotes by label, in the order of their definitions. */
  readonly #notes = new Map<string, Footnote>();
  readonly #list: HTMLElement;
  readonly #section: HTMLElement;
  /** Whether the backlinked references of a footnote have changed since the last update. */
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

  /** Returns the rank of a new region. Regions are created in reading order. */
  nextRegionOrder(): number {
    return (this.#regionCount += 1);
  }

  /**
   * Creates the element for the content of a footnote. The first definition of a label wins: the element of a further one is never
   * attached. Returns null when there are too many footnotes.
   */
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

  /** Creates a reference. Its number is set by `replaceReferences` if the footnote already has one, else by `update`. */
  createReference(label: string): HTMLElement {
    const attributes = {
      href: `#${this.#notes.get(label)?.id ?? ''}`,
      role: 'doc-noteref',
      lang: this.#context.strings.lang,
      'aria-label': '',
      'data-ubik-action': 'footnote',
    };
    // The number is written to this text node, which is never replaced, so that a selection survives.
    const link = createElement(this.#context, 'a', attributes, '');
    return createElement(this.#context, 'sup', { class: 'ubik-footnote' }, link);
  }

  /** Replaces the references of a region, from index `from` on. */
  replaceReferences(
    { start, order }: RegionPosition,
    from: number,
    old: Inlines,
    now: Inlines,
  ): void {
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

  /** Removes definitions and references in blocks that begin at or after a position in the source. */
  truncate(start: number): void {
    this.removeReferences(start);
    for (const [label, note] of this.#notes) {
      if (note.start < start) continue;
      this.#setBacklinked(note, []);
      this.#notes.delete(label);
    }
    // Removes the section when no footnote is left. Its label and `lang` are set again when it is attached again, as they may have changed.
    this.update();
  }

  /** Removes references in blocks that begin at or after a position in the source, and before `end`. */
  removeReferences(start: number, end = Infinity): void {
    for (const note of this.#notes.values()) {
      for (const [node, position] of note.references)
        if (position.start >= start && position.start < end) note.references.delete(node);
      this.#refreshBacklinks(note);
    }
  }

  /** Sorts and numbers the footnotes if references have changed. */
  update(): void {
    if (!this.#isDirty) return;
    this.#isDirty = false;
    const shown = [...this.#notes.values()]
      .filter(({ backlinked }) => backlinked.length > 0)
      .sort((a, b) => compare(positionOf(a), positionOf(b)));
    for (const [index, note] of shown.entries()) {
      const present = this.#list.children[index];
      if (present !== note.item) this.#list.insertBefore(note.item, present ?? null);
      const isRenumbered = note.number !== index + 1;
      note.number = index + 1;
      this.#updateBacklinks(note, isRenumbered ? 0 : note.item.childElementCount - 1);
      if (!isRenumbered) continue;
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

  /** Iterates over references: the footnote, the element and the index of each. */
  *#findReferences(list: Inlines): Iterable<readonly [Footnote, HTMLElement, number]> {
    for (const [index, { text, node }] of list.entries()) {
      const note = this.#notes.get(text);
      if (note) yield [note, node as HTMLElement, index];
    }
  }

  /** Updates the backlinked references of a footnote if one of them was removed. */
  #refreshBacklinks(note: Footnote): void {
    if (note.backlinked.some((node) => !note.references.has(node)))
      this.#setBacklinked(note, [...note.references.keys()]);
  }

  /** Sets the backlinked references of a footnote: the first ones of the given references in reading order. */
  #setBacklinked(note: Footnote, references: readonly HTMLElement[]): void {
    const first = [...new Set(references)]
      .sort((a, b) => compare(positionOf(note, a), positionOf(note, b)))
      .slice(0, MAX_BACKLINKS);
    const isSame = first.every((node, index) => node === note.backlinked[index]);
    if (isSame && first.length === note.backlinked.length) return;
    for (const node of note.backlinked) node.removeAttribute('id');
    for (const [index, node] of first.entries()) node.setAttribute('id', referenceId(note, index));
    note.backlinked = first;
    if (first.length === 0) note.item.remove();
    this.#isDirty = true;
  }

  /** Adds and removes backlinks as needed. Updates the labels of those after the first `kept`. */
  #updateBacklinks(note: Footnote, kept: number): void {
    const { item, backlinked, number } = note;
    // The first child of the item is its content, so a backlink is the child with the next higher index.
    while (item.childElementCount - 1 > backlinked.length) item.lastElementChild?.remove();
    for (let index = kept; index < backlinked.length; index += 1) {
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
      'data-ubik-action': 'footnote',
    };
    // U+FE0E selects the text presentation of the arrow instead of the emoji.
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

/** Returns the element id of a reference by its index among the references to a footnote. */
const referenceId = ({ id }: Footnote, index: number): string =>
  index > 0 ? `${id}-ref-${index + 1}` : `${id}-ref`;

function positionOf(note: Footnote, reference = note.backlinked[0]): ReferencePosition {
  return (reference && note.references.get(reference)) ?? { start: Infinity, order: 0 };
}

/** Compares by `start` first, because a block that an extension has drawn is rendered again after those that follow it. */
const compare = (a: ReferencePosition, b: ReferencePosition): number =>
  a.start - b.start || a.order - b.order;
