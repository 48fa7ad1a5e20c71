/** A text that grows at its end and is sometimes cut, as readers see it: live, and never to be written by them. */
export interface TextSource {
  /** Length in UTF-16 units. */
  readonly length: number;
  /** Rises with each cut, not with an append. */
  readonly revision: number;
  /** How many of the units that were readable at `sinceRevision` still stand; from there on a reader has to read again. */
  kept(sinceRevision: number): number;
  /** The text from `from` (0 by default) to its end. Costs what it returns, not what the text is long. */
  read(from?: number): string;
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
  readonly #pieces: string[] = [];
  /** Where each piece begins, so that a read from the end finds its piece by halving. */
  readonly #starts: number[] = [];
  /** Cuts that still matter: their positions rise from the oldest to the newest, so the first one after a revision is the lowest. */
  readonly #cuts: Cut[] = [];
  #length = 0;
  #revision = 0;

  constructor(text = '') {
    this.append(text);
  }

  get length(): number {
    return this.#length;
  }

  get revision(): number {
    return this.#revision;
  }

  kept(sinceRevision: number): number {
    return this.#cuts.find((cut) => cut.revision > sinceRevision)?.at ?? this.#length;
  }

  read(from = 0): string {
    if (from >= this.#length) return '';
    const index = this.#pieceAt(from);
    const first = this.#pieces[index] ?? '';
    const head = first.slice(from - (this.#starts[index] ?? 0));
    return index === this.#pieces.length - 1 ? head : head + this.#pieces.slice(index + 1).join('');
  }

  /** Adds to the end. */
  append(text: string): void {
    if (text === '') return;
    this.#starts.push(this.#length);
    this.#pieces.push(text);
    this.#length += text.length;
  }

  /** Drops everything from `at` on. Does nothing at or behind the end. */
  cut(at: number): void {
    if (at >= this.#length) return;
    const index = this.#pieceAt(at);
    const start = this.#starts[index] ?? 0;
    const rest = (this.#pieces[index] ?? '').slice(0, at - start);
    this.#pieces.length = index;
    this.#starts.length = index;
    this.#length = start;
    this.append(rest);
    this.#revision += 1;
    while ((this.#cuts.at(-1)?.at ?? -1) >= at) this.#cuts.pop();
    this.#cuts.push({ revision: this.#revision, at });
  }

  /** Index of the piece that holds position `at`, which must be inside the text. */
  #pieceAt(at: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
