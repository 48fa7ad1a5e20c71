/** A text that grows at its end in many pieces and is read from its beginning. Nothing is copied for a piece. */
export class SourceText {
  /** How much has been read. */
  read = 0;
  #length = 0;
  #pieces: string[] = [];
  /** What is not read yet: its pieces and where they begin in the source. */
  #unread = '';
  #unreadStart = 0;

  /** UTF-16 units so far. */
  get length(): number {
    return this.#length;
  }

  /** Whether everything has been read. */
  get isRead(): boolean {
    return this.read >= this.#length;
  }

  /** The whole text. Joins the pieces at the first call after a change. */
  get whole(): string {
    if (this.#pieces.length > 1) this.#pieces = [this.#pieces.join('')];
    return this.#pieces[0] ?? '';
  }

  /** Adds a piece. */
  append(text: string): void {
    this.#pieces.push(text);
    this.#length += text.length;
    this.#unread += text;
  }

  /** Shortens the text. */
  cut(length: number): void {
    this.#pieces = [this.whole.slice(0, length)];
    this.#length = length;
    this.#unread = '';
    this.#unreadStart = length;
    if (this.read < length) this.#reread();
  }

  /** Reads on, at most so many units. */
  take(most: number): string {
    if (this.read < this.#unreadStart) this.#reread();
    const from = this.read - this.#unreadStart;
    const text = this.#unread.slice(from, from + most);
    this.read += text.length;
    if (this.isRead) {
      this.#unread = '';
      this.#unreadStart = this.#length;
    }
    return text;
  }

  #reread(): void {
    this.#unread = this.whole.slice(this.read);
    this.#unreadStart = this.read;
  }
}
