import {
  endLineOf,
  isContainer,
  type Block,
  type Container,
  type Leaf,
  type ListMarker,
  type ParagraphBlock,
} from './block.js';
import type { BlockSink } from './block-sink.js';
import type { DefinitionTable } from './definition-table.js';
import type { Start } from './line-plan.js';
import { addToParagraph, takeDefinitions, textOf } from './paragraph.js';

const NO_FENCE = { fence: '', length: 0, indent: 0, info: '' };

/** The blocks that are open, outermost first, and the rules by which they open, grow and close. */
export class OpenBlocks {
  /** The number of the present line. */
  lineNumber = 0;
  /** Where the present line begins in the source. */
  lineStart = 0;
  readonly #sink: BlockSink;
  readonly #definitions: DefinitionTable;
  readonly #blocks: Block[] = [];

  constructor(sink: BlockSink, definitions: DefinitionTable) {
    this.#sink = sink;
    this.#definitions = definitions;
    this.reset(0);
  }

  /** Begins at a place where no block is open. */
  reset(start: number): void {
    this.lineStart = start;
    this.#blocks.length = 0;
    this.#blocks.push({ kind: 'document', ...this.#base(null), last: null });
  }

  /** How many blocks are open inside the document. */
  get depth(): number {
    return this.#blocks.length - 1;
  }

  /** The open blocks, the document first. */
  get all(): readonly Block[] {
    return this.#blocks;
  }

  /** The innermost open block. */
  get tip(): Block {
    const tip = this.#blocks.at(-1);
    if (tip === undefined) throw new RangeError('No block is open: call reset() first.');
    return tip;
  }

  /** Closes blocks until so many are open. */
  closeTo(depth: number): void {
    while (this.depth > depth) this.closeTip();
  }

  /** Opens what a line begins. */
  begin(start: Start): void {
    if (start.start === 'underline') return this.#underline(start.level);
    if (start.start === 'item') return this.#beginItem(start.marker, start.indent);
    const header = start.start === 'table' ? this.#takeHeader() : null;
    const base = this.#base(this.#room());
    switch (start.start) {
      case 'quote':
        return this.#push({ kind: 'quote', ...base, last: null });
      case 'heading':
        return this.#push({ kind: 'heading', ...base, level: start.level, text: '' });
      case 'html':
        return this.#push({ kind: 'html', ...base, type: start.type, line: '' });
      case 'rule':
        this.#push({ kind: 'rule', ...base });
        return this.closeTip();
      case 'fence':
      case 'indented': {
        const { fence, length, indent, info } = { ...NO_FENCE, ...start };
        const code = { fence, fenceLength: length, fenceIndent: indent, info, blankLines: '' };
        return this.#push({ kind: 'code', ...base, ...code });
      }
      case 'table': {
        const { alignments } = start;
        const place = { ...base, ...header };
        return this.#push({ kind: 'table', ...place, header: start.header, alignments, row: '' });
      }
    }
  }

  /** Opens a paragraph. It is shown once it is known to be more than definitions. */
  openParagraph(): ParagraphBlock {
    const parent = this.#room();
    const paragraph: ParagraphBlock = {
      kind: 'paragraph',
      ...this.#base(parent),
      pieces: [],
      undecided: '',
      definitions: [],
      line: '',
      lineStart: this.lineStart,
      before: null,
      mayBeTask: parent.kind === 'item' && parent.last === null,
    };
    if (parent.kind === 'item') parent.holdsText = true;
    this.#blocks.push(paragraph);
    return paragraph;
  }

  /** A further line of a paragraph begins. */
  beginParagraphLine(paragraph: ParagraphBlock): void {
    paragraph.lastLine = this.lineNumber;
    paragraph.lineStart = this.lineStart;
    this.addText(paragraph, '\n');
    paragraph.line = '';
  }

  /** Text for the leaf that is the tip. */
  addText(leaf: Leaf, text: string): void {
    if (leaf.kind === 'paragraph') {
      const wasShown = leaf.undecided === null;
      leaf.line += text;
      if (!addToParagraph(leaf, text)) return;
      if (!wasShown) return this.#place(leaf);
    } else if (leaf.kind === 'heading') leaf.text += text;
    else if (leaf.kind === 'table') leaf.row += text;
    else if (leaf.kind === 'html') leaf.line += text;
    this.#sink.grow(leaf, text);
  }

  /** Makes sure that an undecided paragraph is shown as soon as it is known to be one. */
  decide(): void {
    const { tip } = this;
    if (tip.kind !== 'paragraph' || tip.undecided === null) return;
    if (takeDefinitions(tip, false)) this.#place(tip);
  }

  /** Closes the innermost block. */
  closeTip(): void {
    const block = this.tip;
    if (block.kind !== 'paragraph') {
      this.#blocks.pop();
      if (block.kind === 'quote') block.lastLine = this.lineNumber - 1;
      return this.#sink.close(block);
    }
    const wasShown = block.undecided === null;
    const isText = takeDefinitions(block, true);
    if (isText && !wasShown) this.#place(block);
    this.#pop(block);
    if (isText) this.#sink.close(block);
  }

  #base(parent: Container | null): Pick<Block, 'start' | 'firstLine' | 'lastLine' | 'view'> & {
    parent: Container | null;
  } {
    const { lineStart: start, lineNumber } = this;
    return { parent, start, firstLine: lineNumber, lastLine: lineNumber, view: null };
  }

  /** The innermost container that takes a new block; what cannot is closed. */
  #room(): Container {
    for (;;) {
      const { tip } = this;
      if (isContainer(tip) && tip.kind !== 'list') return tip;
      this.closeTip();
    }
  }

  #push(block: Block): void {
    this.#blocks.push(block);
    this.#place(block);
  }

  /** Puts a block behind its siblings. A blank line between them makes the list loose. */
  #place(block: Block): void {
    const { parent } = block;
    if (parent === null) return;
    const list = parent.kind === 'item' ? parent.parent : parent;
    const gap = parent.last !== null && endLineOf(parent.last) + 1 < block.firstLine;
    if (block.kind === 'paragraph') block.before = parent.last;
    parent.last = block;
    this.#sink.open(block);
    if (gap && list?.kind === 'list' && list.tight) {
      list.tight = false;
      this.#sink.loosen(list);
    }
  }

  #beginItem(marker: ListMarker, indent: number): void {
    if (!isContainer(this.tip)) this.closeTip();
    const { tip } = this;
    const goesOn =
      tip.kind === 'list' &&
      tip.marker.ordered === marker.ordered &&
      tip.marker.sign === marker.sign;
    if (!goesOn) {
      const base = this.#base(this.#room());
      this.#push({ kind: 'list', ...base, marker, tight: true, last: null });
    }
    const list = this.tip;
    if (!isContainer(list)) return;
    this.#push({ kind: 'item', ...this.#base(list), indent, holdsText: false, last: null });
  }

  /** Makes a heading of the open paragraph. */
  #underline(level: number): void {
    const paragraph = this.tip;
    if (paragraph.kind !== 'paragraph') return;
    takeDefinitions(paragraph, true);
    const { parent, start, firstLine } = paragraph;
    const text = textOf(paragraph);
    this.#discard(paragraph);
    const place = { ...this.#base(parent), start, firstLine };
    this.#push({ kind: 'heading', ...place, level, text });
    this.closeTip();
  }

  /** Takes the last line off the open paragraph, as the header of a table. Tells where it stood. */
  #takeHeader(): { firstLine: number; start: number } | null {
    const paragraph = this.tip;
    if (paragraph.kind !== 'paragraph') return null;
    const wasShown = paragraph.undecided === null;
    takeDefinitions(paragraph, true);
    const text = textOf(paragraph);
    const before = text.slice(0, text.length - paragraph.line.length).trimEnd();
    paragraph.pieces = [before];
    paragraph.lastLine = this.lineNumber - 2;
    if (before === '') {
      this.#discard(paragraph);
    } else {
      if (!wasShown) this.#place(paragraph);
      this.closeTip();
    }
    return { firstLine: this.lineNumber - 1, start: paragraph.lineStart };
  }

  /** Takes a paragraph away that became another block. */
  #discard(paragraph: ParagraphBlock): void {
    const { parent } = paragraph;
    if (parent?.last === paragraph) {
      parent.last = paragraph.before;
      this.#sink.drop(paragraph);
    }
    this.#pop(paragraph);
  }

  #pop(paragraph: ParagraphBlock): void {
    this.#blocks.pop();
    paragraph.before = null;
    if (paragraph.parent?.kind === 'item') paragraph.parent.holdsText = false;
    for (const label of this.#definitions.add(paragraph)) this.#sink.define(label);
  }
}
