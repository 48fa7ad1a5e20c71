import { unescape } from './entities.js';
import {
  MAX_DATA_SPAN,
  MAX_LABEL,
  MAX_LINK_PARENTHESES,
  MAX_PENDING_BRACKET,
  MAX_PENDING_LINK,
  MAX_SPAN,
} from './limits.js';
import { stripMarks } from './characters.js';
import type { Token } from './tokens.js';

/** A match: its end position and its value. */
export interface SyntaxMatch {
  readonly end: number;
  readonly value: string;
}

/** The target of a link or reference. */
export interface LinkTarget {
  readonly destination: string;
  readonly title: string;
  /** The label of the footnote, if it is a reference to one. */
  readonly footnote?: string;
}

/** The result of a reader. `null`: no match, whatever follows. `incomplete`: the text ends before the result is certain. */
export type ReadResult<T> = T | null | 'incomplete';

/** Reads up to an unescaped delimiter. Fails at a character of `forbidden`. */
function readUntil(
  text: string,
  from: number,
  delimiter: string,
  forbidden: string,
): ReadResult<SyntaxMatch> {
  for (let index = from; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === delimiter) return { end: index + 1, value: text.slice(from, index) };
    if (forbidden.includes(character)) return null;
    // A backslash does not escape a line end.
    if (character === '\\' && text.charAt(index + 1) !== '\n') index += 1;
  }
  return 'incomplete';
}

const LINK_WHITESPACE = /[ \t]*(?:\n[ \t]*)?/y;

/** Skips spaces, tabs and at most one line end. Returns the new position. */
export function skipWhitespace(text: string, at: number): number {
  LINK_WHITESPACE.lastIndex = at;
  LINK_WHITESPACE.test(text);
  return LINK_WHITESPACE.lastIndex;
}

/** Percent-encodes a link destination. Does not encode existing escapes again. */
export function encodeDestination(address: string): string {
  // `encodeURI` throws for a lone surrogate.
  return encodeURI(address.replace(/\p{Cs}/gu, '\uFFFD')).replace(/%25([0-9a-f]{2})/gi, '%$1');
}

/** A piece of a link destination without angle brackets: ordinary characters, an escape, or a single backslash or parenthesis. */
const DESTINATION_PIECE = /[^\\()\0- \x7f]+|\\[!-/:-@[-`{-~]|[\\()]/y;

function readDestination(text: string, at: number): ReadResult<SyntaxMatch> {
  if (text.startsWith('<', at)) return readUntil(text, at + 1, '>', '<\n');
  let depth = 0;
  let end = at;
  for (DESTINATION_PIECE.lastIndex = at; depth <= MAX_LINK_PARENTHESES;) {
    const piece = DESTINATION_PIECE.exec(text)?.[0];
    if (piece === '(') depth += 1;
    if (piece === ')') depth -= 1;
    if (piece !== undefined && depth >= 0) end = DESTINATION_PIECE.lastIndex;
    else if (end === text.length) return 'incomplete';
    else
      return depth > 0 || (end === at && piece === undefined)
        ? null
        : { end, value: text.slice(at, end) };
  }
  return null;
}

const TITLE_DELIMITERS = new Map([
  ['"', '"'],
  ["'", "'"],
  ['(', ')'],
]);

/**
 * Reads a link destination and an optional title. `endOf` matches the text after the title; if that fails, the text after the
 * destination. `complete` means that the text does not continue.
 */
export function readTarget(
  text: string,
  at: number,
  complete: boolean,
  endOf: (text: string, at: number) => ReadResult<number>,
): ReadResult<LinkTarget & { readonly end: number }> {
  const address = readDestination(text, skipWhitespace(text, at));
  if (address === null || address === 'incomplete') return address;
  const destination = encodeDestination(stripMarks(unescape(address.value)));
  const after = skipWhitespace(text, address.end);
  const character = text.charAt(after);
  if (character === '' && !complete) return 'incomplete';
  const titleEnd = after > address.end ? TITLE_DELIMITERS.get(character) : undefined;
  // A title in parentheses contains no opening parenthesis.
  const title = titleEnd ? readUntil(text, after + 1, titleEnd, character) : null;
  if (title === 'incomplete' && !complete) return title;
  if (title !== null && title !== 'incomplete') {
    const end = endOf(text, title.end);
    if (end === 'incomplete') return end;
    if (end !== null) return { destination, title: stripMarks(unescape(title.value)), end };
  }
  const end = endOf(text, address.end);
  return typeof end === 'number' ? { destination, title: '', end } : end;
}

/** Reads a link label. The value is the source between the brackets. */
export function readLabel(text: string, at: number): ReadResult<SyntaxMatch> {
  const window = text.slice(at, at + MAX_LABEL + 2);
  const label = readUntil(window, 1, ']', '[');
  if (label === 'incomplete') return window.length < MAX_LABEL + 2 ? label : null;
  return label && { end: at + label.end, value: label.value };
}

/** Normalizes a link label (CommonMark 6.3): collapses white space and folds case. */
export function normalizeLabel(label: string): string {
  // Both conversions, because JavaScript has no case folding: only together do they equate, for example, `ẞ` and `SS`.
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();
}

/** Returns the target of a normalized label. */
export type ReferenceLookup = (label: string) => LinkTarget | undefined;

/** An opening bracket that may become a link or an image. */
export interface OpeningBracket {
  readonly token: Token;
  readonly isImage: boolean;
  /** Number of delimiter runs before the bracket. */
  readonly runs: number;
  /** Whether another bracket was opened after this bracket. */
  hasInner: boolean;
}

/** A closing bracket and its context. */
export interface ClosingBracket {
  readonly text: string;
  /** Position of the closing bracket. */
  readonly position: number;
  /** Whether the text may continue after its end. */
  readonly open: boolean;
  readonly lookup: ReferenceLookup;
}

/** Reads the link that a closing bracket completes: its target and end. Returns null when the brackets are not a link. */
export function readLink(
  { token: { start }, isImage, hasInner }: OpeningBracket,
  { text, position, open, lookup }: ClosingBracket,
): ReadResult<LinkTarget & { readonly end: number }> {
  const after = position + 1;
  if (open && after >= text.length) return 'incomplete';
  const target = text.startsWith('(', after) ? readTarget(text, after + 1, !open, linkEnd) : null;
  if (target === 'incomplete' && open) return target;
  if (target !== null && target !== 'incomplete') {
    const mayBeLong = isImage && target.destination.startsWith('data:image/');
    return target.end - start <= (mayBeLong ? MAX_DATA_SPAN : MAX_SPAN) ? target : null;
  }
  const label = text.startsWith('[', after) ? readLabel(text, after) : null;
  if (label === 'incomplete' && open) return label;
  const { end, value } =
    label === null || label === 'incomplete' ? { end: after, value: '' } : label;
  const inner = text.slice(start + (isImage ? 2 : 1), position);
  // A link label contains no brackets (CommonMark 6.3).
  if (value === '' && (hasInner || inner.length > MAX_LABEL)) return null;
  // No definition has an empty label.
  const found = lookup(normalizeLabel(value === '' ? inner : value));
  // A footnote reference has no second pair of brackets.
  if (found?.footnote !== undefined) return value === '' ? { ...found, end: after } : null;
  return found === undefined ? null : { ...found, end };
}

function linkEnd(text: string, at: number): ReadResult<number> {
  const end = skipWhitespace(text, at);
  if (end >= text.length) return 'incomplete';
  return text.startsWith(')', end) ? end + 1 : null;
}

/** Returns the maximum length of the text that is withheld for a link; 0 if its bracket was open for so long that its text is already rendered. */
export function maxPendingLength(
  { token: { start }, isImage }: OpeningBracket,
  { text, position }: ClosingBracket,
): number {
  if (position - start > MAX_PENDING_BRACKET) return 0;
  return isImage && text.startsWith('(data:image/', position + 1)
    ? MAX_DATA_SPAN
    : MAX_PENDING_LINK;
}

/** A link reference definition. */
export interface Definition extends LinkTarget {
  readonly label: string;
}

/** The link reference definitions at the start of a paragraph. */
export interface LeadingDefinitions {
  readonly found: readonly Definition[];
  /** Position of the text after them. */
  readonly end: number;
  /** Whether the rest may still become a definition, or the last definition may still get a title. */
  readonly open: boolean;
}

/**
 * Reads the link reference definitions at the start of a paragraph. `complete` means that the text is the whole paragraph. Otherwise a
 * definition that may still change is not returned; if there is one, `open` is true.
 */
export function readLeadingDefinitions(text: string, complete: boolean): LeadingDefinitions {
  const found: Definition[] = [];
  // A line end is appended so that the readers do not wait for more text.
  const source = complete ? `${text}\n` : text;
  let end = 0;
  while (source.startsWith('[', end)) {
    // Whether the slice contains the rest of the text.
    const isWhole = end + MAX_SPAN >= source.length;
    const read = readDefinition(source.slice(end, end + MAX_SPAN), complete && isWhole);
    if (read === 'incomplete' && isWhole && !complete) return { found, end, open: true };
    if (read === null || read === 'incomplete') break;
    found.push(read);
    end = Math.min(end + read.end, text.length);
  }
  return { found, end, open: false };
}

/** Whether a complete paragraph consists of definitions only. */
export function isOnlyDefinitions(text: string | null): boolean {
  return text !== null && readLeadingDefinitions(text, true).end >= text.length;
}

function readDefinition(
  text: string,
  complete: boolean,
): ReadResult<Definition & { readonly end: number }> {
  const label = readLabel(text, 0);
  if (label === null || label === 'incomplete') return label;
  if (label.end >= text.length) return 'incomplete';
  if (!text.startsWith(':', label.end) || label.value.trim() === '') return null;
  const target = readTarget(text, label.end + 1, complete, lineEnd);
  if (target === null || target === 'incomplete') return target;
  return { ...target, label: normalizeLabel(label.value) };
}

const DEFINITION_BLANKS = /[ \t]*/y;

/** Returns the position after the line end, if only spaces and tabs precede it. */
function lineEnd(text: string, at: number): ReadResult<number> {
  DEFINITION_BLANKS.lastIndex = at;
  DEFINITION_BLANKS.test(text);
  const end = DEFINITION_BLANKS.lastIndex;
  if (end >= text.length) return 'incomplete';
  return text.startsWith('\n', end) ? end + 1 : null;
}
