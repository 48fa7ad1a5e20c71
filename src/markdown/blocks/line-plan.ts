import type { Alignment, ListMarker } from './block.js';
import { unescape } from '../syntax/entities.js';
import { htmlBlockStart } from '../syntax/html-syntax.js';
import { MAX_MARKER_LINE } from '../syntax/limits.js';
import type { LineCursor } from './line-cursor.js';
import { mayBeDelimiterRow, parseDelimiterRow, pipeAt, splitRow } from './table-syntax.js';

/** A block that a line opens, or what it makes of the paragraph before it. */
export type Start =
  | { readonly start: 'quote' }
  | { readonly start: 'item'; readonly marker: ListMarker; readonly indent: number }
  | { readonly start: 'heading'; readonly level: number }
  | { readonly start: 'underline'; readonly level: number }
  | { readonly start: 'rule' }
  | {
      readonly start: 'fence';
      readonly fence: string;
      readonly length: number;
      readonly indent: number;
      readonly info: string;
    }
  | { readonly start: 'indented' }
  | { readonly start: 'html'; readonly type: number }
  | {
      readonly start: 'table';
      readonly header: readonly string[];
      readonly alignments: readonly Alignment[];
    };

/** The block in which a start is looked for. */
export interface StartContext {
  /** The last line of the paragraph that would go on, or null when no paragraph does. */
  readonly paragraphLine: string | null;
  /** Whether that paragraph is more than definitions. */
  readonly hasText: () => boolean;
  /** Whether a paragraph is open at all, be it in a deeper block: indentation then does not begin code. */
  readonly paragraphOpen: boolean;
  /** Whether a container may be opened here. */
  readonly mayNest: boolean;
}

/** A start, nothing, or `wait` when the line is not long enough yet to know. */
export type StartResult = Start | null | 'wait';

const SPECIAL = /^[#`~*+_=<>0-9|:-]/;

/** Finds the block that begins at the cursor and moves the cursor behind its sign. */
export function findStart(cursor: LineCursor, context: StartContext): StartResult {
  if (cursor.indented) {
    if (context.paragraphOpen || cursor.blank) return null;
    cursor.skipColumns(4);
    return { start: 'indented' };
  }
  if (!SPECIAL.test(cursor.peek)) return null;
  for (const find of FINDERS) {
    const found = find(cursor, context);
    if (found !== null) return found;
  }
  return null;
}

type Finder = (cursor: LineCursor, context: StartContext) => StartResult;

const FINDERS: readonly Finder[] = [
  findQuote,
  findHeading,
  findFence,
  findHtml,
  findUnderline,
  findRule,
  findItem,
  findTable,
];

function findQuote(cursor: LineCursor, context: StartContext): StartResult {
  if (cursor.peek !== '>' || !context.mayNest) return null;
  cursor.skipIndent();
  cursor.skip(1);
  skipOneSpace(cursor);
  return { start: 'quote' };
}

/** Goes over the one space that belongs to the sign before it. */
export function skipOneSpace(cursor: LineCursor): void {
  if (/[ \t]/.test(cursor.line.charAt(cursor.offset))) cursor.skipColumns(1);
}

function findHeading(cursor: LineCursor): StartResult {
  const match = /^(#{1,6})(?:[ \t]+|$)/.exec(cursor.rest);
  if (match?.[1] === undefined) return null;
  if (!cursor.complete && match[0].length === cursor.rest.length) return 'wait';
  cursor.skipIndent();
  cursor.skip(match[0].length);
  return { start: 'heading', level: match[1].length };
}

function findFence(cursor: LineCursor): StartResult {
  if (cursor.peek !== '`' && cursor.peek !== '~') return null;
  const { rest, complete } = cursor;
  const run = /^(?:`+|~+)/.exec(rest)?.[0] ?? '';
  if (rest.length > MAX_MARKER_LINE) return null;
  if (!complete && run.length === rest.length) return 'wait';
  if (run.length < 3 || (run.startsWith('`') && rest.includes('`', run.length))) return null;
  if (!complete) return 'wait';
  const info = unescape(rest.slice(run.length).trim());
  const start = { fence: run.charAt(0), length: run.length, indent: cursor.indent, info };
  cursor.skipIndent();
  cursor.skip(rest.length);
  return { start: 'fence', ...start };
}

function findHtml(cursor: LineCursor, context: StartContext): StartResult {
  if (cursor.peek !== '<') return null;
  const type = htmlBlockStart(cursor.rest, cursor.complete, context.paragraphOpen);
  if (type === 'wait') return 'wait';
  return type === 0 ? null : { start: 'html', type };
}

function findUnderline(cursor: LineCursor, context: StartContext): StartResult {
  const { rest } = cursor;
  if (context.paragraphLine === null || rest.length > MAX_MARKER_LINE) return null;
  if (!/^(?:=+|-+)[ \t]*$/.test(rest)) return null;
  if (!cursor.complete) return 'wait';
  if (!context.hasText()) return null;
  cursor.skipIndent();
  cursor.skip(rest.length);
  const level = rest.startsWith('=') ? 1 : 2;
  return { start: 'underline', level };
}

function findRule(cursor: LineCursor): StartResult {
  const { rest } = cursor;
  if (rest.length > MAX_MARKER_LINE || !/^(?:[*\t ]+|[-\t ]+|[_\t ]+)$/.test(rest)) return null;
  if (!cursor.complete) return 'wait';
  if (!/^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(rest)) return null;
  cursor.skipIndent();
  cursor.skip(rest.length);
  return { start: 'rule' };
}

function findItem(cursor: LineCursor, context: StartContext): StartResult {
  if (!context.mayNest) return null;
  const { rest } = cursor;
  const match = /^(?:[*+-]|(\d{1,9})([.)]))/.exec(rest);
  if (!cursor.complete && /^(?:[*+-]|\d{1,9}[.)]?)[ \t]*$/.test(rest)) return 'wait';
  if (match === null) return null;
  const [sign, number, delimiter] = match;
  const behind = rest.slice(sign.length);
  if (!/^(?:[ \t]|$)/.test(behind)) return null;
  const interrupts = context.paragraphLine !== null;
  const isEmpty = behind.trim() === '';
  if (interrupts && (isEmpty || (number !== undefined && Number(number) !== 1))) return null;
  const outer = cursor.indent;
  cursor.skipIndent();
  cursor.skip(sign.length);
  const indent = outer + sign.length + skipPadding(cursor);
  const ordered = number !== undefined;
  const marker = { ordered, start: Number(number ?? 0), sign: delimiter ?? sign };
  return { start: 'item', marker, indent };
}

/** Goes over the spaces between a list marker and its content; five or more mean one, and code. */
function skipPadding(cursor: LineCursor): number {
  if (cursor.blank || cursor.indent >= 5) {
    skipOneSpace(cursor);
    return 1;
  }
  const { indent } = cursor;
  cursor.skipColumns(indent);
  return indent;
}

function findTable(cursor: LineCursor, context: StartContext): StartResult {
  const header = context.paragraphLine;
  if (header === null || pipeAt(header) < 0) return null;
  const { rest } = cursor;
  if (!cursor.complete) return mayBeDelimiterRow(rest) ? 'wait' : null;
  const alignments = parseDelimiterRow(rest);
  if (alignments === null || header.length > MAX_MARKER_LINE) return null;
  const cells = splitRow(header);
  if (cells.length !== alignments.length || !context.hasText()) return null;
  cursor.skipIndent();
  cursor.skip(rest.length);
  return { start: 'table', header: cells, alignments };
}
