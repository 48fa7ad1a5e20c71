/**
 * Bytes that come in pieces. They are copied: a client chooses how small the pieces are, and a million `Buffer`s of one byte each take
 * some hundred times as much memory as the bytes in them.
 */
export class CollectedBytes {
  #held = Buffer.alloc(0);
  #length = 0;

  /** How many bytes there are. */
  get length(): number {
    return this.#length;
  }

  add(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#held.length) {
      this.#held = Buffer.concat([this.#held], Math.max(length, 2 * this.#held.length));
    }
    this.#held.set(piece, this.#length);
    this.#length = length;
  }

  /** All of them, not copied once more. */
  toBuffer(): Buffer {
    return this.#held.subarray(0, this.#length);
  }
}
