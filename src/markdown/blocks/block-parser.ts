import { MAX_BLOCK_DEPTH, MAX_SPAN } from '../syntax/limits.js';
import type { Block, BlockSink } from './block.js';
import { goesOn } from './continuation.js';
import { LineCursor } from './line-cursor.js';
import { OpenBlocks, type LinePlan } from './open-blocks.js';
import { findStart, type LineStart } from './starts.js';

/** Blocks in whose lines nothing begins. */
const RAW: ReadonlySet<string | undefined> = new Set(['code', 'fence', 'html']);

/** Starts behind which another block may begin in the same line. */
const OPENERS: ReadonlySet<string> = new Set(['quote', 'item', 'footnote']);

const LINE_END = /\r\n?|\n/g;

/**
 * Finds the blocks of a growing text, line by line, by CommonMark's own method. A line takes effect as soon as what has come
 * of it fixes where it belongs; the rest of it is then only appended. Until then it is not taken at all.
 */
export class BlockParser {
  readonly #blocks: OpenBlocks;
  /** The line that is not taken yet because its place is not known. */
  #line = '';
  /** Whether it was looked at when it was long, and only white space has come since: that does not make its place known. */
  #isIdle = false;
  /** Whether the present line has been taken and is only growing. */
  #begun = false;
  /** The block that the rest of the present line goes to. */
  #leaf: Block | null = null;
  #position = 0;
  /** Whether the last character was a carriage return: a line feed behind it belongs to it. */
  #afterReturn = false;

  constructor(sink: BlockSink) {
    this.#blocks = new OpenBlocks(sink);
  }

  /** Begins at a place in the source where no block is open. */
  reset(start: number): void {
    this.#line = '';
    this.#begun = this.#isIdle = this.#afterReturn = false;
    this.#leaf = null;
    this.#position = start;
    this.#blocks.reset(start);
  }

  /** Takes more text. */
  feed(text: string): void {
    let from = this.#afterReturn && text.startsWith('\n') ? 1 : 0;
    this.#blocks.nextLine += from;
    if (text !== '') this.#afterReturn = text.endsWith('\r');
    const safe = text.replaceAll('\0', '\uFFFD');
    LINE_END.lastIndex = from;
    for (let end = LINE_END.exec(safe); end !== null; end = LINE_END.exec(safe)) {
      this.#grow(safe.slice(from, end.index));
      this.#endLine();
      from = LINE_END.lastIndex;
      this.#blocks.nextLine = this.#position + from;
    }
    this.#grow(safe.slice(from));
    this.#position += text.length;
  }

  /** Draws what has come, as far as its place is known by now. */
  draw(): void {
    if (!this.#begun && this.#line !== '' && !this.#isIdle) this.#takeLine(false);
    this.#blocks.draw();
  }

  /** Nothing more comes. */
  end(): void {
    if (this.#begun || this.#line !== '') this.#endLine();
    this.#blocks.end();
  }

  #grow(text: string): void {
    this.#isIdle &&= !/[^ \t]/.test(text);
    if (!this.#begun) this.#line += text;
    else if (this.#leaf !== null) this.#blocks.addText(this.#leaf, text);
  }

  #endLine(): void {
    if (!this.#begun) this.#takeLine(true);
    if (this.#leaf !== null) this.#blocks.endLine(this.#leaf);
    this.#leaf = null;
    this.#begun = this.#isIdle = false;
  }

  /** Takes the line that has come so far, unless it must be longer for its place to be known. */
  #takeLine(complete: boolean): void {
    const cursor = new LineCursor(this.#line, complete);
    const plan = this.#plan(cursor);
    this.#isIdle = plan === null && this.#line.length > MAX_SPAN;
    if (plan === null) return;
    this.#begun = true;
    this.#line = '';
    this.#leaf = this.#blocks.takeLine(plan, cursor);
  }

  #plan(cursor: LineCursor): LinePlan | null {
    const { all } = this.#blocks;
    let depth = 0;
    for (const block of all) {
      if (cursor.blank && !cursor.complete) return null;
      const answer = goesOn(block, cursor, depth === all.length - 1);
      if (answer === 'wait') return null;
      if (answer === false) break;
      depth += 1;
      if (answer === 'closes') return { depth, starts: [{ kind: 'end' }] };
    }
    const starts = this.#findStarts(cursor, depth);
    return starts && { depth, starts };
  }

  #findStarts(cursor: LineCursor, matched: number): readonly LineStart[] | null {
    const { all, tip } = this.#blocks;
    const block = all[matched - 1];
    let paragraph = block?.kind === 'paragraph' ? block : null;
    let paragraphOpen = tip.kind === 'paragraph';
    const starts: LineStart[] = [];
    for (let depth = matched; ;) {
      if (cursor.blank && !cursor.complete) return null;
      if (RAW.has(block?.kind)) return starts;
      const mayNest = depth <= MAX_BLOCK_DEPTH;
      const found = findStart(cursor, { paragraph, paragraphOpen, mayNest });
      if (found === 'wait') return null;
      if (found === null) return starts;
      starts.push(found);
      if (!OPENERS.has(found.kind)) return starts;
      depth += found.kind === 'item' ? 2 : 1;
      paragraph = null;
      paragraphOpen = false;
    }
  }
}
