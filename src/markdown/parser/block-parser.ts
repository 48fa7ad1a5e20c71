import { MAX_BLOCK_DEPTH, MAX_SPAN } from './limits.js';
import type { Block, BlockSink } from './block.js';
import { continueBlock, findStart, type LineStart } from './block-rules.js';
import { LineCursor } from './line-cursor.js';
import { type LinePlan, OpenBlocks } from './open-blocks.js';

/** Blocks in whose lines nothing begins. */
const RAW_BLOCKS: ReadonlySet<string | undefined> = new Set(['code', 'fence', 'html']);

/** Starts behind which another block may begin in the same line. */
const CONTAINER_STARTS: ReadonlySet<string> = new Set(['quote', 'item', 'footnote']);

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
  #isPlaced = false;
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
    this.#isPlaced = this.#isIdle = this.#afterReturn = false;
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
      this.#extendLine(safe.slice(from, end.index));
      this.#endLine();
      from = LINE_END.lastIndex;
      this.#blocks.nextLine = this.#position + from;
    }
    this.#extendLine(safe.slice(from));
    this.#position += text.length;
  }

  /** Draws what has come, as far as its place is known by now. */
  flush(): void {
    if (!this.#isPlaced && this.#line !== '' && !this.#isIdle) this.#placeLine(false);
    this.#blocks.draw();
  }

  /** Nothing more comes. */
  end(): void {
    if (this.#isPlaced || this.#line !== '') this.#endLine();
    this.#blocks.end();
  }

  #extendLine(text: string): void {
    this.#isIdle &&= !/[^ \t]/.test(text);
    if (!this.#isPlaced) this.#line += text;
    else if (this.#leaf !== null) this.#blocks.appendText(this.#leaf, text);
  }

  #endLine(): void {
    if (!this.#isPlaced) this.#placeLine(true);
    if (this.#leaf !== null) this.#blocks.endLine(this.#leaf);
    this.#leaf = null;
    this.#isPlaced = this.#isIdle = false;
  }

  /** Takes the line that has come so far, unless it must be longer for its place to be known. */
  #placeLine(complete: boolean): void {
    const cursor = new LineCursor(this.#line, complete);
    const plan = this.#planLine(cursor);
    this.#isIdle = plan === null && this.#line.length > MAX_SPAN;
    if (plan === null) return;
    this.#isPlaced = true;
    this.#line = '';
    this.#leaf = this.#blocks.applyLine(plan, cursor);
  }

  #planLine(cursor: LineCursor): LinePlan | null {
    const { all } = this.#blocks;
    let depth = 0;
    for (const block of all) {
      if (cursor.blank && !cursor.complete) return null;
      const answer = continueBlock(block, cursor, depth === all.length - 1);
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
      if (RAW_BLOCKS.has(block?.kind)) return starts;
      const mayNest = depth <= MAX_BLOCK_DEPTH;
      const found = findStart(cursor, { paragraph, paragraphOpen, mayNest });
      if (found === 'wait') return null;
      if (found === null) return starts;
      starts.push(found);
      if (!CONTAINER_STARTS.has(found.kind)) return starts;
      depth += found.kind === 'item' ? 2 : 1;
      paragraph = null;
      paragraphOpen = false;
    }
  }
}
