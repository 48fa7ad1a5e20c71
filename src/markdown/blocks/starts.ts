import { unescape } from '../syntax/entities.js';
import { htmlBlockStart } from '../syntax/html-syntax.js';
import { MAX_LABEL, MAX_MARKER_LINE } from '../syntax/limits.js';
import { withoutMarks } from '../syntax/marks.js';
import { normalizeLabel, type Maybe } from '../syntax/link-syntax.js';
import type { BlockOf, Start } from './block.js';
import { isOnlyDefinitions } from './definitions.js';
import { fenceLength, skipQuote } from './continuation.js';
import type { LineCursor } from './line-cursor.js';
import { mayBeDelimiterRow, pipeAt, readTable } from './table-syntax.js';

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
export function findStart(cursor: LineCursor, context: StartContext): Maybe<LineStart> {
  if (cursor.indent > 3) {
    if (context.paragraphOpen || cursor.blank) return null;
    cursor.skipColumns(4);
    return { kind: 'code', blankLines: '' };
  }
  if (!/^[#`~*+_=<>0-9|:[-]/.test(cursor.rest)) return null;
  for (const find of FINDERS) {
    const found = find(cursor, context);
    if (found !== null) return found;
  }
  return null;
}

type Finder = (cursor: LineCursor, context: StartContext) => Maybe<LineStart>;

const FINDERS: readonly Finder[] = [
  (cursor, { mayNest }) => (mayNest && skipQuote(cursor) ? { kind: 'quote' } : null),
  findHeading,
  findFence,
  ({ rest, complete }, { paragraphOpen }) =>
    rest.startsWith('<') ? htmlBlockStart(rest, complete, paragraphOpen) : null,
  findUnderline,
  findRule,
  findItem,
  findFootnote,
  findTable,
];

function findHeading(cursor: LineCursor): Maybe<LineStart> {
  const [sign, { length: level } = ''] = /^(#{1,6})(?:[ \t]+|$)/.exec(cursor.rest) ?? [];
  if (sign === undefined) return null;
  if (!cursor.complete && sign === cursor.rest) return 'wait';
  cursor.skip(sign.length);
  return { kind: 'heading', level };
}

function findFence({ rest, complete, indent }: LineCursor): Maybe<LineStart> {
  const length = fenceLength(rest);
  if (length === 0 || rest.length > MAX_MARKER_LINE) return null;
  const isLong = length > 2 && !(rest.startsWith('`') && rest.includes('`', length));
  if (!complete && (isLong || length === rest.length)) return 'wait';
  if (!isLong) return null;
  const info = withoutMarks(unescape(rest.slice(length).trim()));
  return { kind: 'fence', fence: rest.slice(0, length), indent, info };
}

function findUnderline({ rest, complete }: LineCursor, context: StartContext): Maybe<LineStart> {
  if (context.paragraph === null || rest.length > MAX_MARKER_LINE) return null;
  if (!/^(?:=+|-+)[ \t]*$/.test(rest)) return null;
  if (!complete) return 'wait';
  return hasText(context) ? { kind: 'underline', level: rest.startsWith('=') ? 1 : 2 } : null;
}

function findRule({ rest, complete }: LineCursor): Maybe<LineStart> {
  if (rest.length > MAX_MARKER_LINE || !/^(?:[*\t ]+|[-\t ]+|[_\t ]+)$/.test(rest)) return null;
  if (!complete) return 'wait';
  return rest.replace(/[ \t]/g, '').length > 2 ? { kind: 'rule' } : null;
}

function findItem(cursor: LineCursor, { mayNest, paragraph }: StartContext): Maybe<LineStart> {
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
const GROWING_FOOTNOTE = new RegExp(`^\\[(?:\\^(?:[^\\s\\]\\[]{1,${MAX_LABEL}}\\]?)?)?$`);

function findFootnote(cursor: LineCursor, { mayNest }: StartContext): Maybe<LineStart> {
  if (!mayNest) return null;
  const [sign, name = ''] = FOOTNOTE.exec(cursor.rest) ?? [];
  if (sign === undefined) {
    return !cursor.complete && GROWING_FOOTNOTE.test(cursor.rest) ? 'wait' : null;
  }
  cursor.skip(sign.trimEnd().length);
  cursor.skipColumns(cursor.indent);
  return { kind: 'footnote', sign, label: normalizeLabel(`^${name}`), indent: 4 };
}

/** Whether the paragraph before is more than definitions. */
function hasText({ paragraph }: StartContext): boolean {
  return paragraph !== null && !isOnlyDefinitions(paragraph.undecided);
}

function findTable({ rest, complete }: LineCursor, context: StartContext): Maybe<LineStart> {
  const header = context.paragraph?.line ?? '';
  if (pipeAt(header) < 0 || !mayBeDelimiterRow(rest)) return null;
  if (!complete) return 'wait';
  return hasText(context) ? readTable(header, rest) : null;
}
