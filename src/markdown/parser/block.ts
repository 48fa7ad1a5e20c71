import type { Definition } from './links.js';
import type { HtmlStart } from './html.js';

/** The alignment of a column; empty for none. */
export type Alignment = '' | 'left' | 'right' | 'center';

/** A table, by its header and the row of dashes below. */
export interface TableStart {
  readonly kind: 'table';
  readonly header: readonly string[];
  readonly alignments: readonly Alignment[];
}

/** How the items of a list are marked: `sign` is `-`, `+`, `*`, `.` or `)`. Items of one list agree in it. */
interface Marker {
  readonly sign: string;
  /** The number of the first item. */
  readonly number: number;
}

/** A list. */
export interface ListStart extends Marker {
  readonly kind: 'list';
  /** No blank line between its items or between the blocks of one of them. Turns false once and stays so. */
  tight: boolean;
}

/** A paragraph; it may still become a heading or lose its last line to a table, or turn out to be nothing but definitions. */
export interface ParagraphStart {
  readonly kind: 'paragraph';
  /** The text so far while it may still be nothing but definitions; null once it is known to be a paragraph and shown. */
  undecided: string | null;
}

/** Indented code. */
export interface CodeStart {
  readonly kind: 'code';
  /** Blank lines that count only if code follows. */
  blankLines: string;
}

/** Code between fences. */
export interface FenceStart {
  readonly kind: 'fence';
  /** The opening fence. */
  readonly fence: string;
  /** Columns before it. */
  readonly indent: number;
  /** What stands behind it, unescaped. */
  readonly info: string;
}

/** What a footnote says, under its normalised name, with the sign before it. */
export interface FootnoteStart {
  readonly kind: 'footnote';
  readonly label: string;
  /** The signs with which it begins. */
  readonly sign: string;
  readonly indent: number;
}

/** A block that a line begins. `indent`: columns that a line must be indented by to belong to the item. */
export type Start =
  | { readonly kind: 'quote' | 'rule' }
  | (Marker & { readonly kind: 'item'; readonly indent: number })
  | { readonly kind: 'heading'; readonly level: number }
  | FootnoteStart
  | CodeStart
  | FenceStart
  | HtmlStart
  | TableStart;

/** A block and its place. Blocks are made and changed by the parser only. */
export type Block = (Start | ListStart | ParagraphStart | { readonly kind: 'document' }) & {
  /** The container it stands in; null for the document. */
  readonly parent: Block | null;
  /** Where its first line begins in the source. */
  readonly start: number;
  /** The number of its first line. */
  readonly firstLine: number;
  /** The number of the last line that belongs to its content. */
  lastLine: number;
  /** The last block in it. */
  last: Block | null;
  /** The present line of a block that holds text, so far. */
  line: string;
  /** What is shown of it; null before it is in its place. */
  view: BlockView | null;
};

/** A block of one kind. */
export type BlockOf<K extends Block['kind']> = Extract<Block, { readonly kind: K }>;

const CONTAINERS: ReadonlySet<Block['kind']> = new Set([
  'document',
  'quote',
  'list',
  'item',
  'footnote',
]);

/** Whether a block holds blocks. */
export function isContainer({ kind }: Block): boolean {
  return CONTAINERS.has(kind);
}

/** The line in which the content of a block ends: that of the last block in it for lists, their items and footnotes. */
export function endLineOf({ kind, last, lastLine }: Block): number {
  const isOpenEnded = kind === 'list' || kind === 'item' || kind === 'footnote';
  return isOpenEnded && last !== null ? endLineOf(last) : lastLine;
}

/** What is shown of a block; one that takes no text of its own has only some of it. The text of code, tables and HTML comes with its line ends. */
export interface BlockView {
  /** More of its text. Nothing is drawn yet. */
  append?(text: string): void;
  /** Draws what has come, but for so many characters at its end. */
  draw?(held: number): void;
  /** Draws all of it but for so many characters at its end, which do not belong to it. Nothing more comes. */
  close?(dropped: number): void;
  /** Makes a heading of a paragraph. */
  toHeading?(level: number): void;
}

/** Hears what becomes of the text, in the order of the text. */
export interface BlockSink {
  /** A block is added at the end of its parent. */
  open(block: Block): BlockView;
  /** A list turned loose: its paragraphs are paragraphs. */
  makeLoose(list: BlockOf<'list'>): void;
  /** A reference got its meaning in a block that begins at `start`. */
  define(definition: Definition, start: number): void;
}
