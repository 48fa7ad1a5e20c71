import type { Inline } from './inline.js';

/**
 * A piece of a line while it is read. A piece with a `span` holds the pieces from `first` on; one with `inline` is complete in
 * itself; any other is text.
 */
export interface Piece {
  /** Where it begins in the source. */
  readonly start: number;
  text: string;
  /** Whether the text is the source itself. */
  readonly verbatim: boolean;
  /** Whether it may be read in two parts with the same result. */
  readonly divisible: boolean;
  inline: Inline | null;
  span: ((children: readonly Inline[]) => Inline) | null;
  /** Whether it is a link that was recognised by its look: it gives way inside of another link. */
  automatic: boolean;
  /** How many constructs are inside one another in it. */
  depth: number;
  first: Piece | null;
  previous: Piece | null;
  next: Piece | null;
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
    return this.#append({ ...EMPTY, text, start, verbatim, divisible });
  }

  /** Adds something complete at the end. */
  addInline(inline: Inline, start: number, automatic = false): Piece {
    return this.#append({ ...EMPTY, inline, start, automatic });
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
    const start = piece.start + length;
    const { next } = piece;
    const second = { ...piece, start, text: piece.text.slice(length), previous: piece, next };
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
    span: NonNullable<Piece['span']>,
    place: { readonly start: number; readonly depth: number },
  ): Piece {
    const first = from.next === to ? null : from.next;
    const lastInside = to === null ? this.#last : to.previous;
    const piece: Piece = { ...EMPTY, span, ...place, first, previous: from, next: to };
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

const EMPTY: Piece = {
  start: 0,
  text: '',
  verbatim: false,
  divisible: false,
  inline: null,
  span: null,
  automatic: false,
  depth: 0,
  first: null,
  previous: null,
  next: null,
};

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
