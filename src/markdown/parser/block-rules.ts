import { MAX_LABEL, MAX_MARKER_LINE } from './limits.js';
import type { Block, BlockOf, Start } from './block.js';
import type { LineCursor } from './line-cursor.js';
import { unescape } from './entities.js';
import { findHtmlBlock } from './html.js';
import { stripMarks } from './characters.js';
import { isOnlyDefinitions, type MaybePending, normalizeLabel } from './links.js';
import { findPipe, mayBeDelimiterRow, readTable } from './table-syntax.js';

/** `closes`: the line is the closing fence. `wait`: the line must be longer for this to be known. */
export type Continuation = boolean | 'closes' | 'wait';

/** Whether an open block goes on in this line. Moves the cursor behind what belongs to the block. */
export function continueBlock(block: Block, cursor: LineCursor, isTip: boolean): Continuation {
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
      return continueFence(block, cursor);
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

function continueFence({ fence, indent }: BlockOf<'fence'>, cursor: LineCursor): Continuation {
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

/** What a line begins, that it makes a heading of the paragraph before it, or that it ends the code before it. */
export type LineStart =
  | Start
  | { readonly kind: 'underline'; readonly level: number }
  | { readonly kind: 'end' };

/** The block in which a start is looked for. */
export interface StartContext {
  /** The paragraph that goes on if nothing begins. */
  readonly paragraph: BlockOf<'paragraph'> | null;
  /** Whether a paragraph is open at all, be it in a deeper block: indentation then does not begin code. */
  readonly paragraphOpen: boolean;
  /** Whether a container may be opened here. */
  readonly mayNest: boolean;
}

/** Finds the block that begins at the cursor and moves the cursor behind its sign. `wait` when the line must be longer to know. */
export function findStart(cursor: LineCursor, context: StartContext): MaybePending<LineStart> {
  if (cursor.indent > 3) {
    if (context.paragraphOpen || cursor.blank) return null;
    cursor.skipColumns(4);
    return { kind: 'code', blankLines: '' };
  }
  if (!/^[#`~*+_=<>0-9|:[-]/.test(cursor.rest)) return null;
  for (const find of START_FINDERS) {
    const found = find(cursor, context);
    if (found !== null) return found;
  }
  return null;
}

type StartFinder = (cursor: LineCursor, context: StartContext) => MaybePending<LineStart>;

const START_FINDERS: readonly StartFinder[] = [
  (cursor, { mayNest }) => (mayNest && skipQuote(cursor) ? { kind: 'quote' } : null),
  findHeading,
  findFence,
  ({ rest, complete }, { paragraphOpen }) =>
    rest.startsWith('<') ? findHtmlBlock(rest, complete, paragraphOpen) : null,
  findUnderline,
  findRule,
  findItem,
  findFootnote,
  findTable,
];

function findHeading(cursor: LineCursor): MaybePending<LineStart> {
  const [sign, { length: level } = ''] = /^(#{1,6})(?:[ \t]+|$)/.exec(cursor.rest) ?? [];
  if (sign === undefined) return null;
  if (!cursor.complete && sign === cursor.rest) return 'wait';
  cursor.skip(sign.length);
  return { kind: 'heading', level };
}

function findFence({ rest, complete, indent }: LineCursor): MaybePending<LineStart> {
  const length = fenceLength(rest);
  if (length === 0 || rest.length > MAX_MARKER_LINE) return null;
  const isLong = length > 2 && !(rest.startsWith('`') && rest.includes('`', length));
  if (!complete && (isLong || length === rest.length)) return 'wait';
  if (!isLong) return null;
  const info = stripMarks(unescape(rest.slice(length).trim()));
  return { kind: 'fence', fence: rest.slice(0, length), indent, info };
}

function findUnderline(
  { rest, complete }: LineCursor,
  context: StartContext,
): MaybePending<LineStart> {
  if (context.paragraph === null || rest.length > MAX_MARKER_LINE) return null;
  if (!/^(?:=+|-+)[ \t]*$/.test(rest)) return null;
  if (!complete) return 'wait';
  return hasText(context) ? { kind: 'underline', level: rest.startsWith('=') ? 1 : 2 } : null;
}

function findRule({ rest, complete }: LineCursor): MaybePending<LineStart> {
  if (rest.length > MAX_MARKER_LINE || !/^(?:[*\t ]+|[-\t ]+|[_\t ]+)$/.test(rest)) return null;
  if (!complete) return 'wait';
  return rest.replace(/[ \t]/g, '').length > 2 ? { kind: 'rule' } : null;
}

function findItem(
  cursor: LineCursor,
  { mayNest, paragraph }: StartContext,
): MaybePending<LineStart> {
  if (!mayNest) return null;
  const { rest, complete, indent: outer } = cursor;
  if (!complete && /^(?:[*+-]|\d{1,9}[.)]?)[ \t]*$/.test(rest)) return 'wait';
  const [marker, number, delimiter] = /^(?:[*+-]|(\d{1,9})([.)]))(?=[ \t]|$)/.exec(rest) ?? [];
  if (marker === undefined) return null;
  const isEmpty = !/[^ \t]/.test(rest.slice(marker.length));
  if (paragraph !== null && (isEmpty || Number(number ?? 1) !== 1)) return null;
  cursor.skip(marker.length);
  // Five spaces or more between marker and content mean one, and code.
  const padding = isEmpty || cursor.indent > 4 ? 1 : cursor.indent;
  cursor.skipColumns(padding);
  const indent = outer + marker.length + padding;
  return { kind: 'item', sign: delimiter ?? marker, number: Number(number ?? 0), indent };
}

const FOOTNOTE = new RegExp(`^\\[\\^([^\\s\\]\\[]{1,${MAX_LABEL}})\\]:[ \\t]*`);
const PARTIAL_FOOTNOTE = new RegExp(`^\\[(?:\\^(?:[^\\s\\]\\[]{1,${MAX_LABEL}}\\]?)?)?$`);

function findFootnote(cursor: LineCursor, { mayNest }: StartContext): MaybePending<LineStart> {
  if (!mayNest) return null;
  const [sign, name = ''] = FOOTNOTE.exec(cursor.rest) ?? [];
  if (sign === undefined) {
    return !cursor.complete && PARTIAL_FOOTNOTE.test(cursor.rest) ? 'wait' : null;
  }
  cursor.skip(sign.trimEnd().length);
  cursor.skipColumns(cursor.indent);
  return { kind: 'footnote', sign, label: normalizeLabel(`^${name}`), indent: 4 };
}

/** Whether the paragraph before is more than definitions. */
function hasText({ paragraph }: StartContext): boolean {
  return paragraph !== null && !isOnlyDefinitions(paragraph.undecided);
}

function findTable({ rest, complete }: LineCursor, context: StartContext): MaybePending<LineStart> {
  const header = context.paragraph?.line ?? '';
  if (findPipe(header) < 0 || !mayBeDelimiterRow(rest)) return null;
  if (!complete) return 'wait';
  return hasText(context) ? readTable(header, rest) : null;
}
