import { trimEnd } from './characters.js';
import {
  type Block,
  type BlockSink,
  type BlockStart,
  endLineOf,
  isContainer,
  type ListStart,
  type ParagraphStart,
} from './block.js';
import { readLeadingDefinitions } from './links.js';
import { MAX_MARKER_LINE } from './limits.js';
import type { LineCursor } from './line-cursor.js';
import { findDetails, type LineStart } from './block-rules.js';
import { findPipe } from './table-syntax.js';

/** The effect of a line: how many of the open blocks continue, and the blocks that begin. */
export interface LinePlan {
  readonly depth: number;
  readonly starts: readonly LineStart[];
}

/** Kinds of {@link LineStart} that consume the whole line. */
const WHOLE_LINES: ReadonlySet<string | undefined> = new Set([
  'thematic-break',
  'setext-underline',
  'table',
  'fence',
  'closing-fence',
]);

/** The stack of open blocks, and how blocks are opened, extended and closed. */
export class OpenBlocks {
  /** Position of the next line in the source. */
  nextLineStart = 0;
  readonly #sink: BlockSink;
  readonly #blocks: Block[] = [];
  #lineNumber = 0;
  /** Positions of the current and the previous line in the source. */
  #lineStart = 0;
  #previousLineStart = 0;

  constructor(sink: BlockSink) {
    this.#sink = sink;
    this.reset(0);
  }

  /** Restarts at a position where no block is open. */
  reset(start: number): void {
    this.nextLineStart = this.#lineStart = start;
    this.#blocks.length = 0;
    this.#push({ kind: 'document' }, null);
  }

  /** The open blocks, from the document to the innermost block. */
  get all(): readonly Block[] {
    return this.#blocks;
  }

  /** The innermost open block. */
  get tip(): Block {
    // The stack is never empty: the document is always open.
    return this.#blocks.at(-1) as Block;
  }

  /** Applies a line and returns the block to which the rest of the line is appended. */
  applyLine({ depth, starts }: LinePlan, cursor: LineCursor): Block | null {
    this.#lineNumber += 1;
    this.#previousLineStart = this.#lineStart;
    this.#lineStart = this.nextLineStart;
    const last = starts.at(-1)?.kind;
    const isLazy = last === undefined && !cursor.blank && this.tip.kind === 'paragraph';
    if (!isLazy) this.#closeTo(depth);
    for (const start of starts) this.#openStart(start);
    return WHOLE_LINES.has(last) ? null : this.#addLine(cursor);
  }

  /** Appends text to the block of the current line. */
  appendText(leaf: Block, text: string): void {
    leaf.line += text;
    if (leaf.kind === 'paragraph' && leaf.undecided !== null) leaf.undecided += text;
    else leaf.view?.append?.(text);
  }

  /** Ends the current line of a block. */
  endLine(leaf: Block): void {
    if (leaf.kind === 'heading') this.#closeTip();
    else if (leaf.kind === 'paragraph') this.#closeDetailsAfter(leaf);
    else if (leaf.kind !== 'summary') leaf.view?.append?.('\n');
    if (leaf.kind === 'html' && leaf.end?.test(leaf.line)) this.#closeTip();
  }

  /** Renders the innermost block, unless it may still consist of definitions only. */
  render(): void {
    const { tip } = this;
    this.#resolveParagraph(tip, false);
    tip.view?.render?.(pendingLength(tip));
  }

  /** Closes all blocks at the end of the text. */
  end(): void {
    this.#closeTo(1);
  }

  /** Closes the innermost `<details>` if a paragraph in it ends with the closing tag of a `<details>`. */
  #closeDetailsAfter(paragraph: Block): void {
    const length = closingDetailsLength(paragraph);
    if (length === 0) return;
    this.#closeTip(length);
    this.#closeTo(findDetails(this.#blocks));
  }

  #closeTo(depth: number): void {
    while (this.#blocks.length > depth) this.#closeTip();
  }

  /** Closes the innermost block without the last `dropped` characters. */
  #closeTip(dropped = 0): void {
    const { tip } = this;
    this.#resolveParagraph(tip, true);
    this.#blocks.pop();
    if (tip.kind === 'quote') tip.lastLine = this.#lineNumber - 1;
    if (tip.kind === 'details') tip.lastLine = this.#lineNumber;
    tip.view?.close?.(tip.kind === 'heading' ? pendingLength(tip) : dropped);
    tip.view = null;
  }

  #openStart(start: LineStart): void {
    const { tip } = this;
    if (start.kind === 'setext-underline' || start.kind === 'closing-fence') {
      this.#resolveParagraph(tip, true);
      tip.lastLine = this.#lineNumber;
      if (start.kind === 'setext-underline') tip.view?.toHeading?.(start.level);
      this.#closeTip();
    } else if (start.kind === 'table') {
      this.#closeTip(tip.line.length);
      this.#push(start, this.#openContainer(), this.#previousLineStart);
    } else if (start.kind === 'item') {
      const { character, number } = start;
      const isSameList = tip.kind === 'list' && tip.character === character;
      if (!isSameList)
        this.#push({ kind: 'list', character, number, tight: true }, this.#openContainer());
      this.#push(start, this.tip);
    } else if (start.kind !== 'closing-details') {
      this.#push(start, this.#openContainer());
      if (start.kind === 'thematic-break') this.#closeTip();
    }
  }

  /** Appends the rest of a line to a leaf block, which is opened if needed. */
  #addLine(cursor: LineCursor): Block | null {
    const { tip } = this;
    if (cursor.blank) {
      if (isContainer(tip)) return null;
      if (tip.kind === 'code') {
        tip.blankLines += `${cursor.content}\n`;
        return null;
      }
    }
    if (tip.kind === 'summary') return this.#addSummaryLine(tip, cursor.rest);
    if (tip.kind === 'paragraph') this.appendText(tip, '\n');
    // Only a paragraph that begins with a bracket can contain definitions.
    const undecided = cursor.rest.startsWith('[') ? '' : null;
    if (isContainer(tip)) this.#push({ kind: 'paragraph', undecided }, this.#openContainer());
    const leaf = this.tip;
    leaf.lastLine = this.#lineNumber;
    leaf.line = '';
    if (leaf.kind === 'code') {
      this.appendText(leaf, leaf.blankLines + cursor.content);
      leaf.blankLines = '';
    } else {
      this.appendText(
        leaf,
        leaf.kind === 'html' || leaf.kind === 'fence' ? cursor.content : cursor.rest,
      );
    }
    return leaf;
  }

  /** Appends a line to a summary. Its end tag closes it; what follows in the line is a paragraph. */
  #addSummaryLine(summary: Block, rest: string): Block | null {
    const { index, 0: tag = '' } = (rest.length <= MAX_MARKER_LINE && SUMMARY_END.exec(rest)) || {
      index: rest.length,
    };
    const text = rest.slice(0, index).trim();
    if (text !== '') this.appendText(summary, (summary.line && '\n') + text);
    if (tag === '') return summary;
    this.#closeTip();
    const after = rest.slice(index + tag.length).trim();
    if (after === '') return null;
    this.#push({ kind: 'paragraph', undecided: null }, this.tip);
    this.appendText(this.tip, after);
    return this.tip;
  }

  /** Closes blocks up to a container that can contain a new block, and returns that container. */
  #openContainer(): Block {
    while (!isContainer(this.tip) || this.tip.kind === 'list') this.#closeTip();
    return this.tip;
  }

  #push(
    kind: BlockStart | ListStart | ParagraphStart | { readonly kind: 'document' },
    parent: Block | null,
    start = this.#lineStart,
  ): void {
    const line = this.#lineNumber;
    const position = {
      parent,
      start,
      firstLine: line,
      lastLine: line,
      last: null,
      line: '',
      view: null,
    };
    const block: Block = { ...kind, ...position };
    this.#blocks.push(block);
    if (block.kind !== 'paragraph' || block.undecided === null) this.#attach(block);
  }

  /** Adds a block to its parent. A blank line before it makes a surrounding list loose. */
  #attach(block: Block): void {
    const { parent, firstLine } = block;
    if (parent === null) return;
    const list = parent.kind === 'item' ? parent.parent : parent;
    const hasGap = parent.last !== null && endLineOf(parent.last) + 1 < firstLine;
    block.view = this.#sink.open(block);
    parent.last = block;
    if (!hasGap || list?.kind !== 'list' || !list.tight) return;
    list.tight = false;
    this.#sink.makeLoose(list);
  }

  /** Removes the definitions at the start of a paragraph, and attaches the paragraph if it has more text. */
  #resolveParagraph(paragraph: Block, complete: boolean): void {
    if (paragraph.kind !== 'paragraph' || paragraph.undecided === null) return;
    const { found, end, open } = readLeadingDefinitions(paragraph.undecided, complete);
    for (const definition of found) this.#sink.define(definition, paragraph.start);
    const rest = paragraph.undecided.slice(end);
    const isText = !open && rest !== '';
    paragraph.undecided = isText ? null : rest;
    if (!isText) return;
    this.#attach(paragraph);
    paragraph.view?.append?.(rest);
  }
}

const SUMMARY_END = /<\/summary\s*>/i;
/** The closing tag of a `<details>` at the end of a line. */
const DETAILS_END = /<\/details\s*>\s*$/i;
/** Number of characters at the end of a line in which the closing tag of a `<details>` is searched. */
const MAX_DETAILS_END = 40;

/** Returns the length of the closing tag of a surrounding `<details>` at the end of a paragraph; 0 without one. */
function closingDetailsLength(paragraph: Block): number {
  let block: Block | null = paragraph;
  while (block && block.kind !== 'details') block = block.parent;
  return (block && DETAILS_END.exec(paragraph.line.slice(-MAX_DETAILS_END))?.[0].length) ?? 0;
}

/** Returns how many characters at the end of an open block are not rendered yet, because the following text may change their meaning. */
function pendingLength(block: Block): number {
  const { kind, line } = block;
  if (kind === 'heading') {
    if (line.length > MAX_MARKER_LINE) return 0;
    // The possible closing sequence of a heading, with the white space after it.
    const text = trimEnd(line, ' \t');
    const before = trimEnd(text, '#');
    const isClosingSequence = before !== text && /(?:^|[ \t])$/.test(before.slice(-1));
    return isClosingSequence ? line.length - before.length : 0;
  }
  // A line with a pipe may be the header row of a table, which the next line decides.
  const pipe = kind === 'paragraph' ? findPipe(line) : -1;
  if (pipe >= 0) return line.length - pipe;
  // Reading the end of a long line costs as much as the line, so it is read only when the line is complete.
  return kind === 'paragraph' && line.length <= MAX_MARKER_LINE ? closingDetailsLength(block) : 0;
}
