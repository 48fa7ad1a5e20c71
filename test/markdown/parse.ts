// Parses texts without a DOM, and prints the result in one line.
import type { Block } from '../../src/markdown/parser/block.js';
import { BlockParser } from '../../src/markdown/parser/block-parser.js';
import { InlineParser } from '../../src/markdown/parser/inline-parser.js';
import type { Inline, InlineKind } from '../../src/markdown/parser/inline.js';
import type { LinkTarget } from '../../src/markdown/parser/links.js';
import type { InlineResult } from '../../src/markdown/parser/tokens.js';

/** A block with its text as far as it is shown, and the position where it begins. */
export interface ParsedBlock {
  kind: string;
  text: string;
  readonly start: number;
}

const kindOf = (block: Block): string => {
  const { kind, parent } = block;
  if (kind === 'heading') return `h${String(block.level)}`;
  if (kind === 'item' && parent?.kind === 'list' && !parent.tight) return 'loose-item';
  return block.kind === 'quote' ? (block.alert ?? block.kind) : block.kind;
};

/** Parses pieces of a text, rendering after each. Returns the blocks in order, without lists: their items say whether they are loose. */
export function parseBlocks(pieces: readonly string[], isEnded: boolean): readonly ParsedBlock[] {
  const blocks: ParsedBlock[] = [];
  const items: [list: Block | null, item: ParsedBlock][] = [];
  const parser = new BlockParser({
    open: (block) => {
      const parsed = { kind: kindOf(block), text: '', start: block.start };
      if (block.kind !== 'list') blocks.push(parsed);
      if (block.kind === 'item') items.push([block.parent, parsed]);
      let source = '';
      const show = (hiddenLength: number): void => {
        parsed.text = source.slice(0, source.length - hiddenLength);
      };
      return {
        append: (text) => void (source += text),
        render: show,
        close: show,
        toHeading: (level) => {
          parsed.kind = `h${String(level)}`;
        },
      };
    },
    makeLoose: (loose) => {
      for (const [list, item] of items) if (list === loose) item.kind = 'loose-item';
    },
    define: () => undefined,
  });
  for (const piece of pieces) {
    parser.feed(piece);
    parser.flush();
  }
  if (isEnded) parser.end();
  return blocks;
}

/** The kinds of the blocks of a text, without paragraphs of which nothing is shown. Without its end, the last line may be withheld. */
export function kindsOf(text: string, isEnded = true): string {
  return parseBlocks([text], isEnded)
    .filter((block) => block.kind !== 'paragraph' || block.text !== '')
    .map(({ kind }) => kind)
    .join(' ');
}

/** Kinds that are printed without their kind or without content. */
const LEAVES: ReadonlySet<InlineKind> = new Set(['text', 'br', 'mark']);

function printInline({ kind, text, destination, title, children }: Inline): string {
  if (LEAVES.has(kind)) return kind === 'text' ? text : `<${kind}>`;
  const target = [destination, title].filter(Boolean).join(' ');
  const inner = text + children.map(printInline).join('');
  return `${kind}${target && `(${target})`}[${inner}]`;
}

/** Labels that begin with R are references, those that begin with a caret are footnotes. */
const lookup = (label: string): LinkTarget | undefined => {
  if (label.startsWith('R')) return { destination: '/r', title: '' };
  return label.startsWith('^') ? { destination: '', title: '', footnote: label } : undefined;
};

/** Parses inline text from a position on. `isOpen` means that it may continue. */
export function parseInlines(text: string, isOpen: boolean, from = 0): InlineResult {
  return new InlineParser(text, from, isOpen, lookup).read();
}

/** The inline nodes of a text: `em[a]` for `*a*`, `link(/b)[a]` for `[a](/b)`. */
export function printInlines(text: string, isOpen = false): string {
  const { stable, tail } = parseInlines(text, isOpen);
  return [...stable, ...tail].map(printInline).join('');
}
