/** Reads one line from left to right, counting columns as tab stops of four. */
export class LineCursor {
  /** The next character to read. */
  offset = 0;
  /** The column of `offset`. */
  column = 0;
  /** Whether `offset` stands on a tab of which a part is used up. */
  insideTab = false;
  /** The first character at or after `offset` that is no space and no tab. */
  next = 0;
  /** Columns between `offset` and `next`. */
  indent = 0;
  /** Whether only spaces and tabs are left. */
  blank = false;
  readonly line: string;
  /** Whether the line's end is known. A line that is not complete may still grow. */
  readonly complete: boolean;

  constructor(line: string, complete: boolean) {
    this.line = line;
    this.complete = complete;
    this.look();
  }

  /** More than three columns of indentation: code, unless a paragraph goes on. */
  get indented(): boolean {
    return this.indent >= 4;
  }

  /** What is left, without its indentation. */
  get rest(): string {
    return this.line.slice(this.next);
  }

  /** The character at `next`, empty at the end. */
  get peek(): string {
    return this.line.charAt(this.next);
  }

  /** Finds `next`, `indent` and `blank` again. */
  look(): void {
    let index = this.offset;
    let column = this.column;
    for (; index < this.line.length; index += 1) {
      const code = this.line.charCodeAt(index);
      if (code === 32) column += 1;
      else if (code === 9) column += 4 - (column % 4);
      else break;
    }
    this.next = index;
    this.indent = column - this.column;
    this.blank = index >= this.line.length;
  }

  /** Goes to the first character that is no space and no tab. */
  skipIndent(): void {
    this.column += this.indent;
    this.offset = this.next;
    this.insideTab = false;
    this.look();
  }

  /** Goes on by characters. */
  skip(count: number): void {
    this.#advance(count, false);
  }

  /** Goes on by columns; a tab may be used up in part. */
  skipColumns(count: number): void {
    this.#advance(count, true);
  }

  /** The rest of the line as content; what is left of a tab becomes spaces. */
  content(): string {
    if (!this.insideTab) return this.line.slice(this.offset);
    return ' '.repeat(4 - (this.column % 4)) + this.line.slice(this.offset + 1);
  }

  #advance(count: number, columns: boolean): void {
    let left = count;
    while (left > 0 && this.offset < this.line.length) {
      if (this.line.charCodeAt(this.offset) !== 9) {
        this.insideTab = false;
        this.offset += 1;
        this.column += 1;
        left -= 1;
        continue;
      }
      const toStop = 4 - (this.column % 4);
      this.insideTab = columns && toStop > left;
      const step = columns ? Math.min(left, toStop) : toStop;
      this.column += step;
      if (!this.insideTab) this.offset += 1;
      left -= columns ? step : 1;
    }
    this.look();
  }
}
