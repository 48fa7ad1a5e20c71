import { MAX_BLOCK_DEPTH, MAX_MARKER_LINE, MAX_SPAN } from './limits.js';
import type { Block, BlockSink } from './block.js';
import { continueBlock, findDetails, findStart, type LineStart } from './block-rules.js';
import { LineCursor } from './line-cursor.js';
import { type LinePlan, OpenBlocks } from './open-blocks.js';

/** Blocks in which no other block can begin. */
const RAW_BLOCKS: ReadonlySet<string | undefined> = new Set(['code', 'fence', 'html', 'summary']);

/** Starts of containers, and the end of `<details>`: another block may begin after them in the same line. */
const CONTAINER_STARTS: ReadonlySet<string> = new Set([
  'quote',
  'item',
  'footnote',
  'details',
  'closing-details',
]);

const LINE_END = /\r\n?|\n/g;

/**
 * Parses the blocks of a growing text line by line, by the algorithm of CommonMark. A line is buffered until its beginning determines
 * its block. From then on, the rest of the line is appended to that block as it arrives.
 */
export class BlockParser {
  readonly #blocks: OpenBlocks;
  /** The current line while its block is not known, else empty. */
  #line = '';
  /** Whether a long line was found to need more text, and only white space has followed, so that `flush` need not parse all of it again. */
  #isUndecidable = false;
  /** Whether the block of the current line is determined. */
  #isPlaced = false;
  /** The block to which the rest of the current line is appended. */
  #leaf: Block | null = null;
  #position = 0;
  /** Whether the last character was a CR: a following LF belongs to the same line end. */
  #endsWithCR = false;

  constructor(sink: BlockSink) {
    this.#blocks = new OpenBlocks(sink);
  }

  /** Restarts at a position in the source where no block is open. */
  reset(start: number): void {
    this.#line = '';
    this.#isPlaced = this.#isUndecidable = this.#endsWithCR = false;
    this.#leaf = null;
    this.#position = start;
    this.#blocks.reset(start);
  }

  /** Parses more text. */
  feed(text: string): void {
    let from = this.#endsWithCR && text.startsWith('\n') ? 1 : 0;
    this.#blocks.nextLineStart += from;
    if (text !== '') this.#endsWithCR = text.endsWith('\r');
    const safe = text.replaceAll('\0', '\uFFFD');
    LINE_END.lastIndex = from;
    for (let end = LINE_END.exec(safe); end !== null; end = LINE_END.exec(safe)) {
      this.#extendLine(safe.slice(from, end.index));
      this.#endLine();
      from = LINE_END.lastIndex;
      this.#blocks.nextLineStart = this.#position + from;
    }
    this.#extendLine(safe.slice(from));
    this.#position += text.length;
  }

  /** Renders the text so far, except for a line whose block is not determined. */
  flush(): void {
    if (this.#line !== '' && !this.#isUndecidable) this.#placeLine(false);
    this.#blocks.render();
  }

  /** Ends the text: closes all blocks. */
  end(): void {
    if (this.#isPlaced || this.#line !== '') this.#endLine();
    this.#blocks.end();
  }

  #extendLine(text: string): void {
    this.#isUndecidable &&= !/[^ \t]/.test(text);
    if (!this.#isPlaced) this.#line += text;
    else if (this.#leaf !== null) this.#blocks.appendText(this.#leaf, text);
  }

  #endLine(): void {
    if (!this.#isPlaced) this.#placeLine(true);
    if (this.#leaf !== null) this.#blocks.endLine(this.#leaf);
    this.#leaf = null;
    this.#isPlaced = this.#isUndecidable = false;
  }

  /** Determines the block of the current line, unless more of the line is needed. */
  #placeLine(complete: boolean): void {
    const cursor = new LineCursor(this.#line, complete);
    const plan = this.#planLine(cursor);
    this.#isUndecidable = plan === null && this.#line.length > MAX_SPAN;
    if (plan === null) return;
    this.#isPlaced = true;
    this.#line = '';
    this.#leaf = this.#blocks.applyLine(plan, cursor);
  }

  /** Determines which open blocks continue in a line and which blocks begin; returns null when more of the line is needed. */
  #planLine(cursor: LineCursor): LinePlan | null {
    const { all } = this.#blocks;
    let depth = 0;
    for (const block of all) {
      const continuation = continueBlock(block, cursor, depth === all.length - 1);
      if (continuation === 'incomplete') return null;
      if (continuation === false) break;
      depth += 1;
      if (continuation === 'closes') return { depth, starts: [{ kind: 'closing-fence' }] };
    }
    return this.#findStarts(cursor, depth);
  }

  /** Finds the blocks that begin after the markers of the first `matched` open blocks; returns null when more of the line is needed. */
  #findStarts(cursor: LineCursor, matched: number): LinePlan | null {
    const { all, tip } = this.#blocks;
    let open = all.slice(0, matched);
    const block = open.at(-1);
    let paragraph = block?.kind === 'paragraph' ? block : null;
    let paragraphOpen = tip.kind === 'paragraph';
    const starts: LineStart[] = [];
    // The line of a summary may contain its end.
    const { rest, complete } = cursor;
    if (block?.kind === 'summary' && !complete && rest.length <= MAX_MARKER_LINE) return null;
    for (let nested = 0; ;) {
      if (cursor.blank && !cursor.complete) return null;
      const plan = { depth: open.length, starts };
      if (RAW_BLOCKS.has(block?.kind)) return plan;
      const found = findStart(cursor, {
        paragraph,
        paragraphOpen,
        mayNest: open.length + nested <= MAX_BLOCK_DEPTH,
        open: nested > 0 ? [] : open,
        isDetailsStart: isStartOfDetails(starts.at(-1) ?? block),
      });
      if (found === 'incomplete') return null;
      if (found === null) return plan;
      starts.push(found);
      if (!CONTAINER_STARTS.has(found.kind)) return plan;
      if (found.kind === 'closing-details') open = open.slice(0, findDetails(open));
      // An item opens two blocks: the list and the item.
      else nested += found.kind === 'item' ? 2 : 1;
      paragraph = null;
      paragraphOpen = false;
    }
  }
}

/** Whether a block is a `<details>` without content. */
function isStartOfDetails(block: Block | LineStart | undefined): boolean {
  return block?.kind === 'details' && !('last' in block && block.last !== null);
}
