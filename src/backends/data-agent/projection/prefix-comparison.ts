/** The two texts that are compared. */
export type ComparedSide = 'step' | 'final';

/**
 * Compares two growing texts: is one a prefix of the other, ignoring leading white space? Compares each character once, so that a chunk
 * takes time proportional to its length.
 */
export class PrefixComparison {
  /** Chunks of the longer text that the shorter one has not reached. */
  #ahead: string[] = [];
  #longer: ComparedSide = 'step';
  /** Number of UTF-16 units of the first chunk that were compared. */
  #offset = 0;
  #differs = false;
  readonly #started = new Set<ComparedSide>();

  /** Whether the shorter text is a prefix of the longer one. */
  get matches(): boolean {
    return !this.#differs;
  }

  /** Whether a text contains more than white space. */
  hasText(side: ComparedSide): boolean {
    return this.#started.has(side);
  }

  /** Appends a chunk to one of the texts. */
  append(side: ComparedSide, chunk: string): void {
    const text = this.#started.has(side) ? chunk : chunk.trimStart();
    if (text === '') return;
    this.#started.add(side);
    const rest = side === this.#longer ? text : this.#compare(text);
    if (this.#differs || rest === '') return;
    this.#longer = side;
    this.#ahead.push(rest);
  }

  /** Compares a chunk of the shorter text with the chunks ahead. Returns the part that is longer than them. */
  #compare(text: string): string {
    let at = 0;
    let done = 0;
    for (const chunk of this.#ahead) {
      const length = Math.min(chunk.length - this.#offset, text.length - at);
      if (!chunk.startsWith(text.slice(at, at + length), this.#offset)) {
        this.#differs = true;
        this.#ahead = [];
        return '';
      }
      at += length;
      this.#offset += length;
      if (this.#offset < chunk.length) break;
      this.#offset = 0;
      done += 1;
    }
    this.#ahead.splice(0, done);
    return text.slice(at);
  }
}
