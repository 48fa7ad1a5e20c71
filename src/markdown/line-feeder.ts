import type { BlockParser } from './blocks/block-parser.js';

const LINE_END = /\r\n?|\n/g;

/** Cuts a text that comes in pieces into lines and gives them to the parser, each as soon as its place is known. */
export class LineFeeder {
  readonly #parser: BlockParser;
  /** The line that is not taken yet because its place is not known. */
  #line = '';
  /** Whether the present line has been taken and is only growing. */
  #begun = false;
  #lineStart = 0;
  #position = 0;
  /** Whether the last character was a carriage return: a line feed behind it belongs to it. */
  #afterReturn = false;

  constructor(parser: BlockParser) {
    this.#parser = parser;
  }

  /** Begins at a place of the source. */
  reset(start: number): void {
    this.#line = '';
    this.#begun = false;
    this.#lineStart = this.#position = start;
    this.#afterReturn = false;
    this.#parser.reset(start);
  }

  /** Takes more text. */
  feed(text: string): void {
    let from = 0;
    if (this.#afterReturn && text.startsWith('\n')) {
      from = 1;
      this.#lineStart += 1;
    }
    if (text !== '') this.#afterReturn = text.endsWith('\r');
    LINE_END.lastIndex = from;
    for (let end = LINE_END.exec(text); end !== null; end = LINE_END.exec(text)) {
      this.#add(text.slice(from, end.index));
      this.#endLine();
      from = end.index + end[0].length;
      this.#lineStart = this.#position + from;
    }
    this.#add(text.slice(from));
    this.#position += text.length;
  }

  /** Takes what has come of the present line, if its place is known by now. */
  settle(): void {
    if (this.#begun || this.#line === '') return;
    this.#begun = this.#parser.beginLine(this.#line, false, this.#lineStart);
    if (this.#begun) this.#line = '';
  }

  /** Nothing more comes. */
  end(): void {
    if (this.#begun || this.#line !== '') this.#endLine();
    this.#parser.close();
  }

  #add(text: string): void {
    if (text === '') return;
    const safe = text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
    if (this.#begun) this.#parser.growLine(safe);
    else this.#line += safe;
  }

  #endLine(): void {
    if (this.#begun) this.#parser.endLine();
    else this.#parser.beginLine(this.#line, true, this.#lineStart);
    this.#begun = false;
    this.#line = '';
  }
}
