/**
 * Bytes that come in pieces. They are copied: a client chooses how small the pieces are, and a million `Buffer`s of one byte each take
 * some hundred times as much memory as the bytes in them.
 */
export class ByteBuffer {
  #buffer = Buffer.alloc(0);
  #length = 0;

  /** How many bytes there are. */
  get length(): number {
    return this.#length;
  }

  append(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#buffer.length) {
      this.#buffer = Buffer.concat([this.#buffer], Math.max(length, 2 * this.#buffer.length));
    }
    this.#buffer.set(piece, this.#length);
    this.#length = length;
  }

  /** All of them, not copied once more. */
  toBuffer(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}
