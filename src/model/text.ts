/** A text that grows at its end and is sometimes cut, as readers see it: live, and never to be written by them. */
export interface TextSource {
  /** Length in UTF-16 units. */
  readonly length: number;
  /** Rises with each cut, not with an append. */
  readonly revision: number;
  /** How many of the units that were readable at `sinceRevision` still stand; from there on a reader has to read again. */
  unchangedLength(sinceRevision: number): number;
  /** The text from `from` (0 by default) to its end. Costs what it returns, not what the text is long. */
  read(from?: number): string;
}

/** A stretch of the text, and where it begins. */
interface Piece {
  readonly at: number;
  readonly text: string;
}

interface Cut {
  readonly revision: number;
  readonly at: number;
}

/**
 * The one implementation of {@link TextSource}. Only `apply` writes to it. Appending never copies what is there: the pieces stay
 * apart until somebody reads over them.
 */
export class GrowingText implements TextSource {
  readonly #pieces: Piece[] = [];
  /** Cuts that still matter: their positions rise from the oldest to the newest, so the first one after a revision is the lowest. */
  readonly #cuts: Cut[] = [];
  length = 0;
  revision = 0;

  constructor(text = '') {
    this.append(text);
  }

  unchangedLength(sinceRevision: number): number {
    return this.#cuts.find((truncate) => truncate.revision > sinceRevision)?.at ?? this.length;
  }

  read(from = 0): string {
    if (from >= this.length) return '';
    const [first, ...rest] = this.#pieces.slice(this.#pieceAt(from));
    if (!first) return '';
    return first.text.slice(from - first.at) + rest.map(({ text }) => text).join('');
  }

  /** Adds to the end. */
  append(text: string): void {
    if (text === '') return;
    this.#pieces.push({ at: this.length, text });
    this.length += text.length;
  }

  /** Drops everything from `at` on. Does nothing at or behind the end. */
  cut(at: number): void {
    if (at >= this.length) return;
    const [first] = this.#pieces.splice(this.#pieceAt(at));
    this.length = first?.at ?? 0;
    this.append(first?.text.slice(0, at - first.at) ?? '');
    this.revision += 1;
    while ((this.#cuts.at(-1)?.at ?? -1) >= at) this.#cuts.pop();
    this.#cuts.push({ revision: this.revision, at });
  }

  /** Index of the piece that holds position `at`, which must be inside the text. */
  #pieceAt(at: number): number {
    let low = 0;
    let high = this.#pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#pieces[middle]?.at ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
