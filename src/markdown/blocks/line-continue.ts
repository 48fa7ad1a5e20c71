import type { Block } from './block.js';
import { MAX_MARKER_LINE } from '../syntax/limits.js';
import type { LineCursor } from './line-cursor.js';
import { skipOneSpace } from './line-plan.js';

/** `yes`: the line goes on in the block. `no`: it does not. `closes`: it is the closing fence. `wait`: not known yet. */
export type Continues = 'yes' | 'no' | 'closes' | 'wait';

/** Whether an open block goes on in this line. Moves the cursor behind what belongs to the block. */
export function continues(block: Block, cursor: LineCursor): Continues {
  switch (block.kind) {
    case 'document':
    case 'list':
      return 'yes';
    case 'quote':
      if (cursor.indented || cursor.peek !== '>') return 'no';
      cursor.skipIndent();
      cursor.skip(1);
      skipOneSpace(cursor);
      return 'yes';
    case 'item':
      if (cursor.blank) {
        if (block.last === null && !block.holdsText) return 'no';
        cursor.skipIndent();
        return 'yes';
      }
      if (cursor.indent < block.indent) return 'no';
      cursor.skipColumns(block.indent);
      return 'yes';
    case 'code':
      return block.fence === '' ? indentedGoesOn(cursor) : fenceGoesOn(block, cursor);
    case 'html':
      return cursor.blank && block.type >= 6 ? 'no' : 'yes';
    case 'paragraph':
    case 'table':
      return cursor.blank ? 'no' : 'yes';
    case 'heading':
    case 'rule':
      return 'no';
  }
}

function indentedGoesOn(cursor: LineCursor): Continues {
  if (cursor.indented) cursor.skipColumns(4);
  else if (cursor.blank) cursor.skipIndent();
  else return 'no';
  return 'yes';
}

interface Fence {
  readonly fence: string;
  readonly fenceLength: number;
  readonly fenceIndent: number;
}

function fenceGoesOn(fence: Fence, cursor: LineCursor): Continues {
  const { rest } = cursor;
  if (!cursor.indented && cursor.peek === fence.fence && rest.length <= MAX_MARKER_LINE) {
    const run = /^(?:`+|~+)/.exec(rest)?.[0] ?? '';
    const isBare = rest.slice(run.length).trim() === '';
    if (isBare && !cursor.complete) return 'wait';
    if (isBare && run.length >= fence.fenceLength) return 'closes';
  }
  cursor.skipColumns(Math.min(cursor.indent, fence.fenceIndent));
  return 'yes';
}
