import type { Definition } from './links.js';
import type { HtmlStart } from './html.js';

/** Alignment of a column; empty for none. */
export type Alignment = '' | 'left' | 'right' | 'center';

/** A table: its header row and the alignments of its delimiter row. */
export interface TableStart {
  readonly kind: 'table';
  readonly header: readonly string[];
  readonly alignments: readonly Alignment[];
}

/**
 * The marker of a list item, or of the first item of a list. `character` is `-`, `+`, `*`, `.` or `)`, and is the same for all items of a
 * list.
 */
interface ListMarker {
  readonly character: string;
  /** The number of the item, or of the first item of a list; 0 for a bullet. */
  readonly number: number;
}

/** A list. */
export interface ListStart extends ListMarker {
  readonly kind: 'list';
  /** Whether no blank line separates its items or the blocks of an item. Changes to false at most once. */
  tight: boolean;
}

/** A paragraph. It may become a heading, lose its last line to a table, or turn out to consist of definitions only. */
export interface ParagraphStart {
  readonly kind: 'paragraph';
  /** The text after the definitions found so far, while it may be definitions only; null once it is rendered as a paragraph. */
  undecided: string | null;
}

/** Indented code. */
export interface CodeStart {
  readonly kind: 'code';
  /** Blank lines at the end, which belong to the block only if more code follows. */
  blankLines: string;
}

/** A fenced code block. */
export interface FenceStart {
  readonly kind: 'fence';
  /** The opening fence. */
  readonly fence: string;
  /** The indentation of the opening fence, in columns. */
  readonly indent: number;
  /** The info string, unescaped. */
  readonly info: string;
}

/** A footnote definition with its normalized label. */
export interface FootnoteStart {
  readonly kind: 'footnote';
  readonly label: string;
  /** The source of the label, such as `[^1]: `. */
  readonly source: string;
  readonly indent: number;
}

/** Kinds of alerts (GFM). */
export type AlertKind = 'note' | 'tip' | 'important' | 'warning' | 'caution';

/** A block quote, or an alert: a quote whose first line is a marker such as `[!NOTE]`. */
export interface QuoteStart {
  readonly kind: 'quote';
  /** Null for a quote. */
  readonly alert: AlertKind | null;
}

/** A `<details>` element. */
export interface DetailsStart {
  readonly kind: 'details';
  readonly isOpen: boolean;
}

/** A block that begins in a line. Lines with at least `indent` columns of indentation belong to an item or footnote. */
export type BlockStart =
  | QuoteStart
  | DetailsStart
  | { readonly kind: 'thematic-break' | 'summary' }
  | (ListMarker & { readonly kind: 'item'; readonly indent: number })
  | { readonly kind: 'heading'; readonly level: number }
  | FootnoteStart
  | CodeStart
  | FenceStart
  | HtmlStart
  | TableStart;

/** A block in the tree. Blocks are created and changed by the parser only. */
export type Block = (BlockStart | ListStart | ParagraphStart | { readonly kind: 'document' }) & {
  /** The container of the block; null for the document. */
  readonly parent: Block | null;
  /** Position of its first line in the source. */
  readonly start: number;
  /** Number of its first line. */
  readonly firstLine: number;
  /** Number of the last line of its content. */
  lastLine: number;
  /** Its last child. */
  last: Block | null;
  /** The current line of a leaf block, as far as it has arrived. */
  line: string;
  /** Its view; null before the block is attached and after it is closed. */
  view: BlockView | null;
};

/** A block of kind `K`. */
export type BlockOf<K extends Block['kind']> = Extract<Block, { readonly kind: K }>;

const CONTAINERS: ReadonlySet<Block['kind']> = new Set([
  'document',
  'quote',
  'list',
  'item',
  'footnote',
  'details',
]);

/** Whether a block can contain blocks. */
export function isContainer({ kind }: Block): boolean {
  return CONTAINERS.has(kind);
}

/** Returns the last line of the content of a block; for lists, items and footnotes that of their last child. */
export function endLineOf({ kind, last, lastLine }: Block): number {
  const isOpenEnded = kind === 'list' || kind === 'item' || kind === 'footnote';
  return isOpenEnded && last !== null ? endLineOf(last) : lastLine;
}

/** Renders a block. Container blocks implement only some of the methods. The text of code, tables and HTML includes line ends. */
export interface BlockView {
  /** Appends to the text without rendering it. */
  append?(text: string): void;
  /** Renders the text so far, except for the last `pendingLength` characters, which the following text may turn into something else. */
  render?(pendingLength: number): void;
  /** Ends the block and renders it without the last `dropped` characters, which do not belong to it. */
  close?(dropped: number): void;
  /** Turns a paragraph into a heading. */
  toHeading?(level: number): void;
}

/** Receives the blocks of a text, in source order. */
export interface BlockSink {
  /** Called for a new block, which is the last child of its parent. Returns its view. */
  open(block: Block): BlockView;
  /** Called when a list becomes loose: each of its paragraphs gets a `<p>` element. */
  makeLoose(list: BlockOf<'list'>): void;
  /** Called for a link reference definition in a block that begins at `start`. */
  define(definition: Definition, start: number): void;
}
