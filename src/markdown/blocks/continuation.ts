import { MAX_MARKER_LINE } from '../syntax/limits.js';
import type { Block, BlockOf } from './block.js';
import type { LineCursor } from './line-cursor.js';

/** `closes`: the line is the closing fence. `wait`: the line must be longer for this to be known. */
export type GoesOn = boolean | 'closes' | 'wait';

/** Whether an open block goes on in this line. Moves the cursor behind what belongs to the block. */
export function goesOn(block: Block, cursor: LineCursor, isTip: boolean): GoesOn {
  switch (block.kind) {
    case 'document':
    case 'list':
      return true;
    case 'quote':
      return skipQuote(cursor);
    case 'item':
    case 'footnote':
      if (cursor.blank ? isTip && block.last === null : cursor.indent < block.indent) return false;
      cursor.skipColumns(block.indent);
      return true;
    case 'code':
      if (!cursor.blank && cursor.indent < 4) return false;
      cursor.skipColumns(4);
      return true;
    case 'fence':
      return fenceGoesOn(block, cursor);
    case 'html':
      return !cursor.blank || block.end !== null;
    default:
      return !cursor.blank;
  }
}

/** Goes over the sign of a quote and the one space that belongs to it. False when there is none. */
export function skipQuote(cursor: LineCursor): boolean {
  if (cursor.indent > 3 || !cursor.rest.startsWith('>')) return false;
  cursor.skip(1);
  cursor.skipColumns(1);
  return true;
}

function fenceGoesOn({ fence, indent }: BlockOf<'fence'>, cursor: LineCursor): GoesOn {
  const { rest, complete } = cursor;
  const length = fenceLength(rest);
  const mayClose =
    cursor.indent < 4 && rest.startsWith(fence.charAt(0)) && rest.length <= MAX_MARKER_LINE;
  if (mayClose && !/[^ \t]/.test(rest.slice(length))) {
    if (!complete) return 'wait';
    if (length >= fence.length) return 'closes';
  }
  cursor.skipColumns(indent);
  return true;
}

/** How many signs of a fence a line begins with. */
export function fenceLength(line: string): number {
  return /^(?:`+|~+)/.exec(line)?.[0].length ?? 0;
}
