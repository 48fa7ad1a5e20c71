import { MAX_LABEL, MAX_MARKER_LINE } from './limits.js';
import type { AlertKind, Block, BlockOf, BlockStart } from './block.js';
import type { LineCursor } from './line-cursor.js';
import { unescape } from './entities.js';
import { readDetailsTag, readHtmlBlockStart } from './html.js';
import { stripMarks } from './characters.js';
import { isOnlyDefinitions, type ReadResult, normalizeLabel } from './links.js';
import { findPipe, mayBeDelimiterRow, readTableStart } from './table-syntax.js';

/** Whether a block continues. `closes`: the line is the closing fence. `incomplete`: more of the line is needed. */
export type Continuation = boolean | 'closes' | 'incomplete';

/** Whether an open block continues in a line. Moves the cursor past the markers of the block. */
export function continueBlock(block: Block, cursor: LineCursor, isTip: boolean): Continuation {
  switch (block.kind) {
    case 'document':
    case 'list':
    case 'details':
      return true;
    case 'quote':
      return skipQuote(cursor);
    case 'item':
    case 'footnote':
      // An item that begins with a blank line ends at the next blank line (CommonMark 5.2).
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

/** Skips the marker of a block quote and one space. Returns false when there is none. */
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
    if (!complete) return 'incomplete';
    if (length >= fence.length) return 'closes';
  }
  cursor.skipColumns(indent);
  return true;
}

/** Returns the number of backticks or tildes at the start of a line. Three or more may be a code fence. */
export function fenceLength(line: string): number {
  return /^(?:`+|~+)/.exec(line)?.[0].length ?? 0;
}

/**
 * What a line does to the blocks: it begins a block, turns the preceding paragraph into a heading (`setext-underline`), or ends the code block
 * (`closing-fence`) or the innermost `<details>` (`closing-details`).
 */
export type LineStart =
  | BlockStart
  | { readonly kind: 'setext-underline'; readonly level: number }
  | { readonly kind: 'closing-fence' }
  | { readonly kind: 'closing-details' };

/** The state of the parser where a block may begin. */
export interface StartContext {
  /** The paragraph that continues if no block begins. */
  readonly paragraph: BlockOf<'paragraph'> | null;
  /** Whether a paragraph is open, possibly in a nested block. Then an indented line is not code. */
  readonly paragraphOpen: boolean;
  /** Whether the nesting depth allows another container. */
  readonly mayNest: boolean;
  /** The open blocks that contain the line; empty once a block has begun in it. */
  readonly open: readonly Block[];
  /** Whether the line is the first content of a `<details>`. */
  readonly isDetailsStart: boolean;
}

/**
 * Finds the block that begins at the cursor, and moves the cursor past its marker if content may follow the marker in the line. Returns
 * `incomplete` when more of the line is needed.
 */
export function findStart(cursor: LineCursor, context: StartContext): ReadResult<LineStart> {
  if (cursor.indent > 3) {
    if (context.paragraphOpen || cursor.blank) return null;
    cursor.skipColumns(4);
    return { kind: 'code', blankLines: '' };
  }
  // No other character begins a block, so most lines need none of the finders.
  if (!/^[#`~*+_=<>0-9|:[-]/.test(cursor.rest)) return null;
  for (const find of START_FINDERS) {
    const found = find(cursor, context);
    if (found !== null) return found;
  }
  return null;
}

type StartFinder = (cursor: LineCursor, context: StartContext) => ReadResult<LineStart>;

const START_FINDERS: readonly StartFinder[] = [
  findQuote,
  findHeading,
  findFence,
  findHtml,
  findSetextUnderline,
  findThematicBreak,
  findItem,
  findFootnote,
  findTable,
];

/** The marker of an alert, alone in the first line of a quote. */
const ALERT = /^\[!(note|tip|important|warning|caution)\][ \t]*$/i;
const PARTIAL_ALERT = /^\[(?:![a-z]{0,9}(?:\][ \t]*)?)?$/i;

function findQuote(cursor: LineCursor, { mayNest }: StartContext): ReadResult<LineStart> {
  if (!mayNest || !skipQuote(cursor)) return null;
  const { rest, complete } = cursor;
  if (!complete && rest.length <= MAX_MARKER_LINE && PARTIAL_ALERT.test(rest)) return 'incomplete';
  const name = rest.length <= MAX_MARKER_LINE ? ALERT.exec(rest)?.[1] : undefined;
  if (name === undefined) return { kind: 'quote', alert: null };
  cursor.skip(rest.length);
  // The pattern matches no other names.
  return { kind: 'quote', alert: name.toLowerCase() as AlertKind };
}

function findHtml(cursor: LineCursor, context: StartContext): ReadResult<LineStart> {
  const { rest, complete } = cursor;
  return (
    findDetailsTag(cursor, context) ?? readHtmlBlockStart(rest, complete, context.paragraphOpen)
  );
}

/**
 * Finds a tag of `<details>`, or the `<summary>` at its start. A `<details>` may contain any Markdown, even without blank lines between the
 * Markdown and the tags.
 */
function findDetailsTag(cursor: LineCursor, context: StartContext): ReadResult<LineStart> {
  const tag = readDetailsTag(cursor.rest, cursor.complete);
  if (tag === null || tag === 'incomplete') return tag;
  const { name, length, isOpen } = tag;
  if (name === 'summary') {
    // The line may also contain the end of the summary, and what follows it.
    if (!context.isDetailsStart || cursor.rest.length > MAX_MARKER_LINE) return null;
    if (!cursor.complete) return 'incomplete';
  } else if (name === 'details' ? !context.mayNest : findDetails(context.open) === -1) return null;
  cursor.skip(length);
  if (name === 'summary') return { kind: name };
  return name === 'details' ? { kind: name, isOpen } : { kind: 'closing-details' };
}

/** Returns the index of the innermost `<details>`, or -1. */
export function findDetails(blocks: readonly Block[]): number {
  return blocks.map(({ kind }) => kind).lastIndexOf('details');
}

function findHeading(cursor: LineCursor): ReadResult<LineStart> {
  const [marker, { length: level } = ''] = /^(#{1,6})(?:[ \t]+|$)/.exec(cursor.rest) ?? [];
  if (marker === undefined) return null;
  if (!cursor.complete && marker === cursor.rest) return 'incomplete';
  cursor.skip(marker.length);
  return { kind: 'heading', level };
}

function findFence({ rest, complete, indent }: LineCursor): ReadResult<LineStart> {
  const length = fenceLength(rest);
  if (rest.length > MAX_MARKER_LINE) return null;
  const isLong = length > 2 && !(rest.startsWith('`') && rest.includes('`', length));
  if (!complete && (isLong || length === rest.length)) return 'incomplete';
  if (!isLong) return null;
  const info = stripMarks(unescape(rest.slice(length).trim()));
  return { kind: 'fence', fence: rest.slice(0, length), indent, info };
}

function findSetextUnderline(
  { rest, complete }: LineCursor,
  context: StartContext,
): ReadResult<LineStart> {
  if (context.paragraph === null || rest.length > MAX_MARKER_LINE) return null;
  if (!/^(?:=+|-+)[ \t]*$/.test(rest)) return null;
  if (!complete) return 'incomplete';
  if (!hasText(context)) return null;
  return { kind: 'setext-underline', level: rest.startsWith('=') ? 1 : 2 };
}

function findThematicBreak({ rest, complete }: LineCursor): ReadResult<LineStart> {
  if (rest.length > MAX_MARKER_LINE || !/^(?:[*\t ]+|[-\t ]+|[_\t ]+)$/.test(rest)) return null;
  if (!complete) return 'incomplete';
  return rest.replace(/[ \t]/g, '').length > 2 ? { kind: 'thematic-break' } : null;
}

function findItem(cursor: LineCursor, { mayNest, paragraph }: StartContext): ReadResult<LineStart> {
  if (!mayNest) return null;
  const { rest, complete, indent: outer } = cursor;
  if (!complete && /^(?:[*+-]|\d{1,9}[.)]?)[ \t]*$/.test(rest)) return 'incomplete';
  const [marker, number, delimiter] = /^(?:[*+-]|(\d{1,9})([.)]))(?=[ \t]|$)/.exec(rest) ?? [];
  if (marker === undefined) return null;
  const isEmpty = !/[^ \t]/.test(rest.slice(marker.length));
  // An empty item, or one with a number other than 1, does not interrupt a paragraph (CommonMark 5.2).
  if (paragraph !== null && (isEmpty || Number(number ?? 1) !== 1)) return null;
  cursor.skip(marker.length);
  // With five or more spaces after the marker, the content is indented code one space after it (CommonMark 5.2).
  const padding = isEmpty || cursor.indent > 4 ? 1 : cursor.indent;
  cursor.skipColumns(padding);
  const indent = outer + marker.length + padding;
  return { kind: 'item', character: delimiter ?? marker, number: Number(number ?? 0), indent };
}

const FOOTNOTE = new RegExp(`^\\[\\^([^\\s\\]\\[]{1,${MAX_LABEL}})\\]:[ \\t]*`);
/** A line that may still become the start of a footnote. */
const PARTIAL_FOOTNOTE = new RegExp(`^\\[(?:\\^(?:[^\\s\\]\\[]{1,${MAX_LABEL}}\\]?)?)?$`);

function findFootnote(cursor: LineCursor, { mayNest }: StartContext): ReadResult<LineStart> {
  if (!mayNest) return null;
  const [source, name = ''] = FOOTNOTE.exec(cursor.rest) ?? [];
  if (source === undefined) {
    return !cursor.complete && PARTIAL_FOOTNOTE.test(cursor.rest) ? 'incomplete' : null;
  }
  cursor.skip(source.trimEnd().length);
  cursor.skipColumns(cursor.indent);
  return { kind: 'footnote', source, label: normalizeLabel(`^${name}`), indent: 4 };
}

/** Whether the preceding paragraph has text other than definitions. */
function hasText({ paragraph }: StartContext): boolean {
  return paragraph !== null && !isOnlyDefinitions(paragraph.undecided);
}

function findTable({ rest, complete }: LineCursor, context: StartContext): ReadResult<LineStart> {
  const header = context.paragraph?.line ?? '';
  if (findPipe(header) < 0 || !mayBeDelimiterRow(rest)) return null;
  if (!complete) return 'incomplete';
  return hasText(context) ? readTableStart(header, rest) : null;
}
