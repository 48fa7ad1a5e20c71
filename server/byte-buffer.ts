/**
 * A growing buffer into which chunks are copied. If the chunks were kept instead, a client that sends one byte at a time could make them use
 * a hundred times the memory of its body.
 */
export class ByteBuffer {
  #buffer = Buffer.alloc(0);
  #length = 0;

  /** Number of bytes. */
  get length(): number {
    return this.#length;
  }

  append(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (length > this.#buffer.length) {
      this.#buffer = Buffer.concat([this.#buffer], Math.max(length, 2 * this.#buffer.length));
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = length;
  }

  /** Returns the bytes, without copying them. */
  toBuffer(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}
