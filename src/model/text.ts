/** A read-only, live view of a text that grows and is sometimes truncated. */
export interface TextSource {
  /** In UTF-16 units. */
  readonly length: number;
  /** Increases with each truncation, not with an append. */
  readonly revision: number;
  /**
   * Returns how many leading UTF-16 units have not changed since `sinceRevision`; the length if nothing was truncated since. A reader that
   * has read `n` units continues at `n` or at the returned position, whichever is smaller.
   */
  unchangedLength(sinceRevision: number): number;
  /** Returns the text from `from` (0 by default) to the end. Takes time proportional to the result, not to the whole text. */
  read(from?: number): string;
}

/** An appended piece of the text, and its offset. */
interface Piece {
  readonly at: number;
  readonly text: string;
}

/** The position of a truncation, and the revision of the text after it. */
interface Truncation {
  readonly revision: number;
  readonly at: number;
}

/**
 * The implementation of {@link TextSource}, written by `apply` only. Appending copies nothing: the pieces are joined when they are
 * read.
 */
export class GrowingText implements TextSource {
  readonly #pieces: Piece[] = [];
  /**
   * Truncations without the ones that a later truncation at a lower or equal position has superseded. Their positions increase from the
   * oldest to the newest, so the first one after a revision has the lowest position.
   */
  readonly #truncations: Truncation[] = [];
  length = 0;
  revision = 0;

  constructor(text = '') {
    this.append(text);
  }

  unchangedLength(sinceRevision: number): number {
    return this.#truncations.find(({ revision }) => revision > sinceRevision)?.at ?? this.length;
  }

  read(from = 0): string {
    if (from >= this.length) return '';
    const index = this.#pieceAt(from);
    const first = this.#pieces[index];
    const start = first?.text.slice(from - first.at) ?? '';
    // Most readers read each piece as it arrives.
    if (index === this.#pieces.length - 1) return start;
    const rest = this.#pieces.slice(index + 1);
    return start + rest.map(({ text }) => text).join('');
  }

  /** Appends to the text. */
  append(text: string): void {
    if (text === '') return;
    this.#pieces.push({ at: this.length, text });
    this.length += text.length;
  }

  /** Removes everything from `at` on. Does nothing when `at` is at or beyond the end. */
  truncate(at: number): void {
    if (at >= this.length) return;
    const [first] = this.#pieces.splice(this.#pieceAt(at));
    this.length = first?.at ?? 0;
    this.append(first?.text.slice(0, at - first.at) ?? '');
    this.revision += 1;
    while ((this.#truncations.at(-1)?.at ?? -1) >= at) this.#truncations.pop();
    this.#truncations.push({ revision: this.revision, at });
  }

  /** Returns the index of the piece that contains position `at`, which must be inside the text. Tests the last piece first. */
  #pieceAt(at: number): number {
    let low = 0;
    let high = this.#pieces.length - 1;
    for (let middle = high; low < high; middle = (low + high + 1) >>> 1) {
      // Rounded up, because `low = middle` must make progress when `high` is `low + 1`.
      if ((this.#pieces[middle]?.at ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
