/** A position in a line, with columns counted by tab stops of four. */
export class LineCursor {
  /** Whether the end of the line is known. */
  readonly complete: boolean;
  /** Columns of white space at the cursor. */
  indent = 0;
  /** The rest of the line, without its indentation. */
  rest = '';
  #line: string;
  #offset = 0;
  #column = 0;

  constructor(line: string, complete: boolean) {
    this.#line = line;
    this.complete = complete;
    this.#update();
  }

  /** Whether the rest of the line is white space. */
  get blank(): boolean {
    return this.rest === '';
  }

  /** The rest of the line, with its indentation. */
  get content(): string {
    return this.#line.slice(this.#offset);
  }

  /** Skips the indentation and `count` characters. */
  skip(count: number): void {
    this.skipColumns(this.indent);
    this.#offset += count;
    this.#column += count;
    this.#update();
  }

  /** Skips up to `count` columns of white space. A tab that is skipped partially is replaced by spaces. */
  skipColumns(count: number): void {
    let left = Math.min(count, this.indent);
    this.indent -= left;
    while (left > 0) {
      const width = this.#widthAt(this.#offset, this.#column);
      if (width > left) {
        const following = this.#line.slice(this.#offset + 1);
        this.#line = this.#line.slice(0, this.#offset) + ' '.repeat(width) + following;
        continue;
      }
      this.#offset += 1;
      this.#column += width;
      left -= width;
    }
  }

  #update(): void {
    let index = this.#offset;
    let column = this.#column;
    for (let width = 0; (width = this.#widthAt(index, column)) > 0; index += 1) column += width;
    this.indent = column - this.#column;
    this.rest = this.#line.slice(index);
  }

  /** Returns the width in columns of a white-space character; 0 for any other one. */
  #widthAt(index: number, column: number): number {
    const character = this.#line.charAt(index);
    if (character === '\t') return 4 - (column % 4);
    return character === ' ' ? 1 : 0;
  }
}
