import type { Inline } from './inline.js';

/** Makes of the pieces inside a span what it says. */
export type Span = (children: readonly Inline[]) => Inline;

/**
 * A piece of a line while it is read. A piece with a `span` holds the pieces from `first` on; one with `inline` is complete in
 * itself; any other is text.
 */
export class Piece {
  /** Where it begins in the source. */
  readonly start: number;
  text: string;
  /** Whether the text is the source itself. */
  verbatim = false;
  /** Whether it may be read in two parts with the same result. */
  divisible = false;
  /** Whether a part of the signs it was written with belongs to its neighbour, so that reading may not begin with it. */
  shared = false;
  inline: Inline | null = null;
  span: Span | null = null;
  /** How many constructs are inside one another in it. */
  depth = 0;
  first: Piece | null = null;
  previous: Piece | null = null;
  next: Piece | null = null;

  constructor(start: number, text = '') {
    this.start = start;
    this.text = text;
  }

  /** Where a text that is the source itself ends. */
  get end(): number {
    return this.start + this.text.length;
  }
}

/** The pieces of a line in their order. Stretches are moved into a span without being copied. */
export class PieceList {
  #first: Piece | null = null;
  #last: Piece | null = null;

  get first(): Piece | null {
    return this.#first;
  }

  get last(): Piece | null {
    return this.#last;
  }

  /** Adds text at the end. */
  addText(text: string, start: number, verbatim = false, divisible = false): Piece {
    const piece = new Piece(start, text);
    piece.verbatim = verbatim;
    piece.divisible = divisible;
    return this.#append(piece);
  }

  /** Adds something complete at the end. */
  addInline(inline: Inline, start: number): Piece {
    const piece = new Piece(start);
    piece.inline = inline;
    return this.#append(piece);
  }

  /** Takes a piece out. */
  remove(piece: Piece): void {
    if (piece.previous === null) this.#first = piece.next;
    else piece.previous.next = piece.next;
    if (piece.next === null) this.#last = piece.previous;
    else piece.next.previous = piece.previous;
    piece.previous = piece.next = null;
  }

  /** Divides a text and returns its second part. */
  split(piece: Piece, length: number): Piece {
    const { next } = piece;
    const second = new Piece(piece.start + length, piece.text.slice(length));
    second.verbatim = second.divisible = true;
    second.previous = piece;
    second.next = next;
    piece.text = piece.text.slice(0, length);
    piece.next = second;
    if (next === null) this.#last = second;
    else next.previous = second;
    return second;
  }

  /** Puts everything between two pieces (or up to the end) into a span behind the first. */
  wrap(
    from: Piece,
    to: Piece | null,
    span: Span,
    place: { readonly start: number; readonly depth: number },
  ): Piece {
    const first = from.next === to ? null : from.next;
    const lastInside = to === null ? this.#last : to.previous;
    const piece = new Piece(place.start);
    piece.span = span;
    piece.depth = place.depth;
    piece.first = first;
    piece.previous = from;
    piece.next = to;
    if (first !== null && lastInside !== null) {
      first.previous = null;
      lastInside.next = null;
    }
    from.next = piece;
    if (to === null) this.#last = piece;
    else to.previous = piece;
    return piece;
  }

  #append(piece: Piece): Piece {
    piece.previous = this.#last;
    if (this.#last === null) this.#first = piece;
    else this.#last.next = piece;
    this.#last = piece;
    return piece;
  }
}

/** How deep the pieces between two others are. */
export function depthBetween(from: Piece, to: Piece | null): number {
  let depth = 0;
  for (let piece = from.next; piece !== null && piece !== to; piece = piece.next) {
    if (piece.depth > depth) depth = piece.depth;
  }
  return depth;
}

/** What the pieces from one to another say. Neighbouring texts become one. */
export function toInlines(from: Piece | null, to: Piece | null = null): Inline[] {
  const inlines: Inline[] = [];
  let text = '';
  const flush = (): void => {
    if (text !== '') inlines.push({ kind: 'text', text });
    text = '';
  };
  for (let piece = from; piece !== null && piece !== to; piece = piece.next) {
    if (piece.span === null && piece.inline === null) {
      text += piece.text;
      continue;
    }
    flush();
    const inline = piece.span === null ? piece.inline : piece.span(toInlines(piece.first));
    if (inline !== null) inlines.push(inline);
  }
  flush();
  return inlines;
}
