import { isContainer, type Leaf } from './block.js';
import type { BlockSink } from './block-sink.js';
import type { DefinitionTable } from './definition-table.js';
import { endsHtmlBlock } from '../syntax/html-syntax.js';
import { MAX_BLOCK_DEPTH } from '../syntax/limits.js';
import { continues } from './line-continue.js';
import { LineCursor } from './line-cursor.js';
import { findStart, type Start, type StartContext } from './line-plan.js';
import { OpenBlocks } from './open-blocks.js';
import { definitionsOnly } from './paragraph.js';

/** What one line does: how many of the open blocks go on, and what it opens. */
interface LinePlan {
  readonly matched: number;
  readonly closesFence: boolean;
  readonly starts: readonly Start[];
}

/** Starts that leave nothing of their line for text. */
const WHOLE_LINES: ReadonlySet<string> = new Set(['rule', 'fence', 'underline', 'table']);

/**
 * Finds the blocks of a growing text, line by line, by CommonMark's own method. A line takes effect as soon as what has come
 * of it fixes where it belongs; the rest of it is then only appended. Until then it is not taken at all.
 */
export class BlockParser {
  readonly #blocks: OpenBlocks;
  readonly #sink: BlockSink;
  /** The leaf that the rest of the present line goes to. */
  #leaf: Leaf | null = null;

  constructor(sink: BlockSink, definitions: DefinitionTable) {
    this.#sink = sink;
    this.#blocks = new OpenBlocks(sink, definitions);
  }

  /** The innermost open block. */
  get tip() {
    return this.#blocks.tip;
  }

  /** Begins at a place in the source where no block is open. */
  reset(start: number): void {
    this.#leaf = null;
    this.#blocks.reset(start);
  }

  /**
   * Takes a line that begins at `start` in the source. Returns false when it must be longer for its place to be known; nothing
   * has happened then.
   */
  beginLine(line: string, complete: boolean, start: number): boolean {
    const cursor = new LineCursor(line, complete);
    const plan = this.#plan(cursor);
    if (plan === null) return false;
    this.#blocks.lineNumber += 1;
    this.#blocks.lineStart = start;
    this.#carryOut(plan, cursor);
    if (complete) this.endLine();
    return true;
  }

  /** More of the line that was begun. */
  growLine(text: string): void {
    if (this.#leaf !== null) this.#blocks.addText(this.#leaf, text);
  }

  /** The line that was begun is complete. */
  endLine(): void {
    const leaf = this.#leaf;
    this.#leaf = null;
    if (leaf?.kind === 'heading') this.#blocks.closeTip();
    else if (leaf?.kind === 'code') this.#sink.grow(leaf, '\n');
    else if (leaf?.kind === 'table') {
      this.#sink.row(leaf);
      leaf.row = '';
    } else if (leaf?.kind === 'html' && endsHtmlBlock(leaf.type, leaf.line)) {
      this.#blocks.closeTip();
    }
  }

  /** Shows an open paragraph that was held because it may be a definition, if it is known to be none. */
  decide(): void {
    this.#blocks.decide();
  }

  /** Nothing more comes. */
  close(): void {
    this.endLine();
    this.#blocks.lineNumber += 1;
    this.#blocks.closeTo(0);
  }

  #plan(cursor: LineCursor): LinePlan | null {
    let matched = 0;
    for (const [index, block] of this.#blocks.all.entries()) {
      if (cursor.blank && !cursor.complete) return null;
      const answer = continues(block, cursor);
      if (answer === 'wait') return null;
      if (answer === 'closes') return { matched: index, closesFence: true, starts: [] };
      if (answer === 'no') break;
      matched = index;
    }
    if (cursor.blank && !cursor.complete) return null;
    const starts = this.#findStarts(cursor, matched);
    return starts === null ? null : { matched, closesFence: false, starts };
  }

  #findStarts(cursor: LineCursor, matched: number): readonly Start[] | null {
    const block = this.#blocks.all[matched];
    const starts: Start[] = [];
    if (block?.kind === 'code' || block?.kind === 'html') return starts;
    const paragraph = block?.kind === 'paragraph' ? block : null;
    let depth = matched;
    let context: StartContext = {
      paragraphLine: paragraph?.line ?? null,
      hasText: () => paragraph !== null && !definitionsOnly(paragraph),
      paragraphOpen: this.tip.kind === 'paragraph',
      mayNest: depth < MAX_BLOCK_DEPTH,
    };
    for (;;) {
      const found = findStart(cursor, context);
      if (found === 'wait') return null;
      if (found === null) return starts;
      starts.push(found);
      if (found.start !== 'quote' && found.start !== 'item') return starts;
      if (cursor.blank && !cursor.complete) return null;
      depth += found.start === 'item' ? 2 : 1;
      const mayNest = depth < MAX_BLOCK_DEPTH;
      context = { paragraphLine: null, hasText: () => false, paragraphOpen: false, mayNest };
    }
  }

  #carryOut(plan: LinePlan, cursor: LineCursor): void {
    const blocks = this.#blocks;
    const last = plan.starts.at(-1)?.start;
    const isLazy = last === undefined && !cursor.blank && blocks.tip.kind === 'paragraph';
    if (!isLazy) blocks.closeTo(plan.matched);
    if (plan.closesFence) {
      blocks.tip.lastLine = blocks.lineNumber;
      blocks.closeTip();
      return;
    }
    for (const start of plan.starts) blocks.begin(start);
    if (last === undefined || !WHOLE_LINES.has(last)) this.#addLine(cursor);
  }

  /** Gives the rest of the line to the leaf that takes it. */
  #addLine(cursor: LineCursor): void {
    const blocks = this.#blocks;
    const { tip } = blocks;
    if (tip.kind === 'code' && tip.fence === '' && cursor.blank) {
      tip.blankLines += `${cursor.content()}\n`;
      return;
    }
    if (isContainer(tip) && cursor.blank) return;
    if (isContainer(tip)) blocks.openParagraph();
    else if (tip.kind === 'paragraph') blocks.beginParagraphLine(tip);
    const leaf = blocks.tip;
    if (isContainer(leaf)) return;
    leaf.lastLine = blocks.lineNumber;
    this.#leaf = leaf;
    if (leaf.kind === 'paragraph' || leaf.kind === 'table') cursor.skipIndent();
    blocks.addText(leaf, this.#before(leaf) + cursor.content());
  }

  /** What stands between a leaf's text and its next line. */
  #before(leaf: Leaf): string {
    if (leaf.kind === 'html') {
      leaf.line = '';
      return leaf.firstLine < this.#blocks.lineNumber ? '\n' : '';
    }
    if (leaf.kind !== 'code') return '';
    // Blank lines inside indented code count only when code follows.
    const { blankLines } = leaf;
    leaf.blankLines = '';
    return blankLines;
  }
}
