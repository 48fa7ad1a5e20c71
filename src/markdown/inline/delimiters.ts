import { MAX_GUESS, MAX_INLINE_DEPTH, MAX_SPAN } from '../syntax/limits.js';
import type { Inline, SpanInline } from './inline.js';
import { depthBetween, type Piece, type PieceList } from './pieces.js';

/** What a run of signs is. */
export interface DelimiterRun {
  readonly piece: Piece;
  readonly sign: string;
  readonly start: number;
  /** How many signs there are. */
  readonly length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  /** Whether it is likely enough to open emphasis to be shown so before its end is there. */
  readonly mayGuess: boolean;
}

/** A run of `*`, `_` or `~` that waits for its other half. */
export class Delimiter {
  readonly run: DelimiterRun;
  /** How many signs are left. */
  left: number;
  previous: Delimiter | null;
  next: Delimiter | null = null;

  constructor(run: DelimiterRun, previous: Delimiter | null) {
    this.run = run;
    this.left = run.length;
    this.previous = previous;
  }
}

const spanOf =
  (kind: SpanInline['kind']) =>
  (children: readonly Inline[]): Inline => ({ kind, children });

/**
 * The delimiters that wait for their other half, and CommonMark's method of pairing them. Two halves may not be further apart
 * than MAX_SPAN, so that an opener without an end costs nothing for ever.
 */
export class DelimiterStack {
  #last: Delimiter | null = null;
  readonly #pieces: PieceList;

  constructor(pieces: PieceList) {
    this.#pieces = pieces;
  }

  /** The newest one. */
  get last(): Delimiter | null {
    return this.#last;
  }

  /** Adds a run. */
  push(run: DelimiterRun): void {
    const delimiter = new Delimiter(run, this.#last);
    if (this.#last !== null) this.#last.next = delimiter;
    this.#last = delimiter;
  }

  /** Forgets those that begin at or behind a place of the source. */
  dropFrom(start: number): void {
    while (this.#last !== null && this.#last.run.start >= start) this.#remove(this.#last);
  }

  /** Pairs the delimiters behind `bottom` and forgets them. */
  pair(bottom: Delimiter | null, keepOpeners = false): void {
    // Behind which place of the source an opener must stand, by kind of closer: nothing before it fits.
    const floors = new Map<string, number>();
    let closer = this.#firstBehind(bottom);
    while (closer !== null) {
      if (!closer.run.canClose) {
        closer = closer.next;
        continue;
      }
      const kind = kindOf(closer);
      const opener = findOpener(closer, floors.get(kind) ?? -1, bottom);
      if (opener === null) {
        const following: Delimiter | null = closer.next;
        floors.set(kind, closer.run.start);
        if (!closer.run.canOpen) this.#remove(closer);
        closer = following;
      } else {
        closer = this.#join(opener, closer);
      }
    }
    if (keepOpeners) return;
    while (this.#last !== null && this.#last !== bottom) this.#remove(this.#last);
  }

  /** The first opener that may still find its end in a text that goes on behind `end`. */
  firstAlive(end: number): number {
    let alive = Infinity;
    for (let entry = this.#last; entry !== null; entry = entry.previous) {
      if (end - entry.run.start > MAX_SPAN) break;
      if (entry.run.canOpen && entry.left > 0) alive = entry.run.start;
    }
    return alive;
  }

  /** Shows the openers that are left as what they will most likely be, up to the end of the text. */
  guess(end: number): void {
    const openers: Delimiter[] = [];
    for (let entry = this.#last; entry !== null; entry = entry.previous) {
      if (end - entry.run.start > MAX_GUESS) break;
      if (entry.run.canOpen && entry.run.mayGuess && entry.left === entry.run.length)
        openers.push(entry);
    }
    if (openers.length > 4) return;
    for (const opener of openers) this.#guessOne(opener);
  }

  #guessOne(opener: Delimiter): void {
    const { piece, sign, length, start } = opener.run;
    if (length > 3 || (sign === '~' && length !== 2)) return;
    piece.text = '';
    if (piece.next === null) return;
    const depth = depthBetween(piece, null) + 1;
    if (sign === '~') {
      this.#pieces.wrap(piece, null, spanOf('strike'), { start, depth });
      return;
    }
    if (length >= 2) this.#pieces.wrap(piece, null, spanOf('strong'), { start, depth });
    if (length !== 2) this.#pieces.wrap(piece, null, spanOf('emphasis'), { start, depth });
  }

  #firstBehind(bottom: Delimiter | null): Delimiter | null {
    if (bottom !== null) return bottom.next;
    let first = this.#last;
    while (first !== null && first.previous !== null) first = first.previous;
    return first;
  }

  /** Pairs two and returns the delimiter to go on with. */
  #join(opener: Delimiter, closer: Delimiter): Delimiter | null {
    for (let between = closer.previous; between !== null && between !== opener;) {
      const { previous } = between;
      this.#remove(between);
      between = previous;
    }
    const isStrike = closer.run.sign === '~';
    const used = isStrike ? closer.left : closer.left >= 2 && opener.left >= 2 ? 2 : 1;
    const depth = depthBetween(opener.run.piece, closer.run.piece) + 1;
    const following = closer.next;
    if (depth > MAX_INLINE_DEPTH) {
      // Too deep: both stay as they were written.
      this.#remove(opener);
      this.#remove(closer);
      return following;
    }
    opener.left -= used;
    closer.left -= used;
    opener.run.piece.text = opener.run.sign.repeat(opener.left);
    closer.run.piece.text = closer.run.sign.repeat(closer.left);
    const kind = isStrike ? 'strike' : used === 2 ? 'strong' : 'emphasis';
    const start = opener.run.start + opener.left;
    const span = this.#pieces.wrap(opener.run.piece, closer.run.piece, spanOf(kind), {
      start,
      depth,
    });
    span.shared = opener.left > 0 || opener.run.piece.shared;
    closer.run.piece.shared = closer.left > 0;
    if (opener.left === 0) this.#remove(opener);
    if (closer.left > 0) return closer;
    this.#remove(closer);
    return following;
  }

  #remove(delimiter: Delimiter): void {
    if (delimiter.previous !== null) delimiter.previous.next = delimiter.next;
    if (delimiter.next !== null) delimiter.next.previous = delimiter.previous;
    else if (this.#last === delimiter) this.#last = delimiter.previous;
    delimiter.previous = delimiter.next = null;
  }
}

function kindOf(closer: Delimiter): string {
  const rest = closer.run.sign === '~' ? closer.run.length : closer.run.length % 3;
  return `${closer.run.sign}${closer.run.canOpen ? 1 : 0}${rest}`;
}

function findOpener(closer: Delimiter, floor: number, bottom: Delimiter | null): Delimiter | null {
  let opener = closer.previous;
  while (opener !== null && opener !== bottom) {
    if (opener.run.start < floor || closer.run.start - opener.run.start > MAX_SPAN) return null;
    if (opener.run.sign === closer.run.sign && opener.run.canOpen && fits(opener, closer))
      return opener;
    opener = opener.previous;
  }
  return null;
}

/** CommonMark's rule of three, and for strikethrough that both halves are of one length. */
function fits(opener: Delimiter, closer: Delimiter): boolean {
  if (closer.run.sign === '~') return opener.run.length === closer.run.length;
  const mayBeBoth = closer.run.canOpen || opener.run.canClose;
  return (
    !mayBeBoth || closer.run.length % 3 === 0 || (opener.run.length + closer.run.length) % 3 !== 0
  );
}
