/** The two texts that are compared. */
export type ComparedSide = 'step' | 'final';

/**
 * Whether one of two growing texts is the beginning of the other, leading white space aside. Compares each character once, so that a
 * piece costs its length.
 */
export class PrefixComparison {
  /** Pieces of the longer text that the other one has not reached. */
  #ahead: string[] = [];
  #longer: ComparedSide = 'step';
  /** Units of the first piece that are compared already. */
  #offset = 0;
  #differs = false;
  readonly #begun = new Set<ComparedSide>();

  /** Whether the shorter text is the beginning of the longer one. */
  get matches(): boolean {
    return !this.#differs;
  }

  /** Whether a text has more than white space. */
  hasText(side: ComparedSide): boolean {
    return this.#begun.has(side);
  }

  /** Appends a piece to one of the texts. */
  append(side: ComparedSide, piece: string): void {
    const text = this.#begun.has(side) ? piece : piece.trimStart();
    if (text === '') return;
    this.#begun.add(side);
    const rest = side === this.#longer ? text : this.#compare(text);
    if (this.#differs || rest === '') return;
    this.#longer = side;
    this.#ahead.push(rest);
  }

  /** Compares a piece of the shorter text with the pieces ahead. Returns what exceeds them. */
  #compare(text: string): string {
    let at = 0;
    let done = 0;
    for (const piece of this.#ahead) {
      const length = Math.min(piece.length - this.#offset, text.length - at);
      if (!piece.startsWith(text.slice(at, at + length), this.#offset)) {
        this.#differs = true;
        this.#ahead = [];
        return '';
      }
      at += length;
      this.#offset += length;
      if (this.#offset < piece.length) break;
      this.#offset = 0;
      done += 1;
    }
    this.#ahead.splice(0, done);
    return text.slice(at);
  }
}
