/** Reads one line from left to right, counting columns with tab stops of four. */
export class LineCursor {
  /** Whether the line's end is known. A line that is not complete may still grow. */
  readonly complete: boolean;
  /** Columns of white space before `rest`. */
  indent = 0;
  /** What is left, without its indentation. */
  rest = '';
  #line: string;
  #offset = 0;
  #column = 0;

  constructor(line: string, complete: boolean) {
    this.#line = line;
    this.complete = complete;
    this.#update();
  }

  /** Whether only white space is left. */
  get blank(): boolean {
    return this.rest === '';
  }

  /** What is left, with its indentation. */
  get content(): string {
    return this.#line.slice(this.#offset);
  }

  /** Goes over the indentation and so many characters behind it. */
  skip(count: number): void {
    this.skipColumns(this.indent);
    this.#offset += count;
    this.#column += count;
    this.#update();
  }

  /** Goes over so many columns of white space. A tab that is used up in part becomes spaces. */
  skipColumns(count: number): void {
    let left = Math.min(count, this.indent);
    this.indent -= left;
    while (left > 0) {
      const width = this.#widthAt(this.#offset, this.#column);
      if (width > left) {
        const behind = this.#line.slice(this.#offset + 1);
        this.#line = this.#line.slice(0, this.#offset) + ' '.repeat(width) + behind;
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

  /** How many columns the white space at a place takes; 0 for anything else. */
  #widthAt(index: number, column: number): number {
    const character = this.#line.charAt(index);
    if (character === '\t') return 4 - (column % 4);
    return character === ' ' ? 1 : 0;
  }
}
