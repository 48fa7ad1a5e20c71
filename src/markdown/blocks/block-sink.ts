import type { Block, Leaf, ListBlock, ParagraphBlock, TableBlock } from './block.js';

/** Hears what becomes of the text, in the order of the text. */
export interface BlockSink {
  /** A block was added at the end of its parent. */
  open(block: Block): void;
  /** A leaf's text grew; `text` is what came. */
  grow(leaf: Leaf, text: string): void;
  /** A row of a table is complete. */
  row(table: TableBlock): void;
  /** A block takes nothing more. */
  close(block: Block): void;
  /** A paragraph that was shown is something else: its pieces were taken away. */
  drop(block: ParagraphBlock): void;
  /** A list turned loose: its paragraphs are paragraphs. */
  loosen(list: ListBlock): void;
  /** A reference got its meaning. */
  define(label: string): void;
}
