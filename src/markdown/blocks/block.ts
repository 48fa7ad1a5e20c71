import type { ReadDefinition } from './definitions.js';

/** What every block knows. Blocks are made and changed by the parser only. */
interface BlockBase {
  /** The container it stands in; null for the document. */
  readonly parent: Container | null;
  /** Where its first line begins in the source. */
  readonly start: number;
  /** The number of its first line. */
  readonly firstLine: number;
  /** The number of the last line that belongs to its content. */
  lastLine: number;
  /** What the renderer keeps with it; nobody else looks into it. */
  view: unknown;
}

/** The whole text. */
export interface DocumentBlock extends BlockBase {
  readonly kind: 'document';
  last: Block | null;
}

/** A block quote. */
export interface QuoteBlock extends BlockBase {
  readonly kind: 'quote';
  last: Block | null;
}

/** How the items of a list are marked. Items of one list agree in all of it but `start`. */
export interface ListMarker {
  readonly ordered: boolean;
  /** The number of the first item; 0 for bullets. */
  readonly start: number;
  /** `-`, `+`, `*`, `.` or `)`. */
  readonly sign: string;
}

/** A list. */
export interface ListBlock extends BlockBase {
  readonly kind: 'list';
  readonly marker: ListMarker;
  /** No blank line between its items or between the blocks of one of them. Turns false once and stays so. */
  tight: boolean;
  last: Block | null;
}

/** One item of a list. */
export interface ItemBlock extends BlockBase {
  readonly kind: 'item';
  /** Columns that a line must be indented by to belong to the item. */
  readonly indent: number;
  /** Whether a paragraph is open in it that may turn out to be definitions and is not placed yet. */
  holdsText: boolean;
  last: Block | null;
}

/** A paragraph; it may still become a heading or a table, or turn out to be nothing but definitions. */
export interface ParagraphBlock extends BlockBase {
  readonly kind: 'paragraph';
  /** The text in the pieces in which it came; line ends are pieces of their own. Empty while `undecided`. */
  pieces: string[];
  /** The text so far while it may still be nothing but definitions; null once it is known to be a paragraph. */
  undecided: string | null;
  /** Definitions read from the beginning of the text and taken out of it. */
  definitions: ReadDefinition[];
  /** The last line so far, and where it begins in the source. */
  line: string;
  lineStart: number;
  /** The block before it, as long as it is open: the paragraph may go again. */
  before: Block | null;
  /** Whether it is the first block of a list item, where a task box may stand. */
  readonly mayBeTask: boolean;
}

/** A heading. The text of a `#` heading grows while its line does. */
export interface HeadingBlock extends BlockBase {
  readonly kind: 'heading';
  readonly level: number;
  text: string;
}

/** A thematic break. */
export interface RuleBlock extends BlockBase {
  readonly kind: 'rule';
}

/** A code block, fenced or indented. */
export interface CodeBlock extends BlockBase {
  readonly kind: 'code';
  /** The sign of the fence; empty for indented code. */
  readonly fence: string;
  /** How many signs the fence has. */
  readonly fenceLength: number;
  /** Columns of indentation of the opening fence. */
  readonly fenceIndent: number;
  /** What stands behind the opening fence, unescaped. */
  readonly info: string;
  /** Blank lines of indented code that count only if code follows. */
  blankLines: string;
}

/** Raw HTML, which is shown as text. `type` is CommonMark's kind of HTML block, 1 to 7. */
export interface HtmlBlock extends BlockBase {
  readonly kind: 'html';
  readonly type: number;
  /** The last line so far, in which the end is looked for. */
  line: string;
}

/** The alignment of a column. */
export type Alignment = 'left' | 'right' | 'center' | null;

/** A table. */
export interface TableBlock extends BlockBase {
  readonly kind: 'table';
  readonly header: readonly string[];
  readonly alignments: readonly Alignment[];
  /** The row that is being written; empty between rows. */
  row: string;
}

/** A block that holds blocks. */
export type Container = DocumentBlock | QuoteBlock | ListBlock | ItemBlock;

/** A block that holds text. */
export type Leaf = ParagraphBlock | HeadingBlock | RuleBlock | CodeBlock | HtmlBlock | TableBlock;

/** Any block. */
export type Block = Container | Leaf;

/** Whether a block holds blocks. */
export function isContainer(block: Block): block is Container {
  return (
    block.kind === 'document' ||
    block.kind === 'quote' ||
    block.kind === 'list' ||
    block.kind === 'item'
  );
}

/** The line in which the content of a block ends: that of the last block in it for lists and their items. */
export function endLineOf(block: Block): number {
  let current: Block = block;
  while ((current.kind === 'list' || current.kind === 'item') && current.last !== null) {
    current = current.last;
  }
  return current.lastLine;
}
