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

/** A piece of syntax that was read: where it ends and what it says. */
export interface SyntaxMatch {
  readonly end: number;
  readonly value: string;
}

/** What a link or a reference leads to. */
export interface LinkTarget {
  readonly destination: string;
  readonly title: string;
  /** The name of the footnote that it is. */
  readonly footnote?: string;
}

/** `null`: it is not there, whatever follows. `wait`: the text ends before this can be known. */
export type MaybePending<T> = T | null | 'wait';

/** Reads up to a sign that is not escaped; signs in `bad` may not come before it. */
function readUntil(
  text: string,
  from: number,
  sign: string,
  bad: string,
): MaybePending<SyntaxMatch> {
  for (let index = from; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === sign) return { end: index + 1, value: text.slice(from, index) };
    if (bad.includes(character)) return null;
    if (character === '\\' && text.charAt(index + 1) !== '\n') index += 1;
  }
  return 'wait';
}

const LINK_WHITESPACE = /[ \t]*(?:\n[ \t]*)?/y;

/** Goes over spaces and at most one line end. */
export function skipWhitespace(text: string, at: number): number {
  LINK_WHITESPACE.lastIndex = at;
  LINK_WHITESPACE.test(text);
  return LINK_WHITESPACE.lastIndex;
}

/** Escapes what may not stand in an address; what is escaped already stays. */
export function encodeDestination(address: string): string {
  return encodeURI(address.replace(/\p{Cs}/gu, '\uFFFD')).replace(/%25([0-9a-f]{2})/gi, '%$1');
}

const DESTINATION_PIECE = /[^\\()\0- \x7f]+|\\[!-/:-@[-`{-~]|[\\()]/y;

function readDestination(text: string, at: number): MaybePending<SyntaxMatch> {
  if (text.startsWith('<', at)) return readUntil(text, at + 1, '>', '<\n');
  let depth = 0;
  let end = at;
  for (DESTINATION_PIECE.lastIndex = at; depth <= MAX_LINK_PARENTHESES;) {
    const piece = DESTINATION_PIECE.exec(text)?.[0];
    if (piece === '(') depth += 1;
    if (piece === ')') depth -= 1;
    if (piece !== undefined && depth >= 0) end = DESTINATION_PIECE.lastIndex;
    else if (end === text.length) return 'wait';
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
 * Reads an address and a title. `endOf` looks whether what is behind them ends them; what stands behind the address counts only if
 * it is a title that ends well. `complete` says that the text does not go on.
 */
export function readTarget(
  text: string,
  at: number,
  complete: boolean,
  endOf: (text: string, at: number) => MaybePending<number>,
): MaybePending<LinkTarget & { readonly end: number }> {
  const address = readDestination(text, skipWhitespace(text, at));
  if (address === null || address === 'wait') return address;
  const destination = encodeDestination(stripMarks(unescape(address.value)));
  const behind = skipWhitespace(text, address.end);
  const sign = text.charAt(behind);
  if (sign === '' && !complete) return 'wait';
  const titleEnd = behind > address.end ? TITLE_DELIMITERS.get(sign) : undefined;
  const title = titleEnd ? readUntil(text, behind + 1, titleEnd, sign === '(' ? sign : '') : null;
  if (title === 'wait' && !complete) return title;
  if (title !== null && title !== 'wait') {
    const end = endOf(text, title.end);
    if (end === 'wait') return end;
    if (end !== null) return { destination, title: stripMarks(unescape(title.value)), end };
  }
  const end = endOf(text, address.end);
  return typeof end === 'number' ? { destination, title: '', end } : end;
}

/** Reads a reference's name in its brackets. The value is what stands between them, as it was written. */
export function readLabel(text: string, at: number): MaybePending<SyntaxMatch> {
  const window = text.slice(at, at + MAX_LABEL + 2);
  const label = readUntil(window, 1, ']', '[');
  if (label === 'wait') return window.length < MAX_LABEL + 2 ? label : null;
  return label && { end: at + label.end, value: label.value };
}

/** Two names are the same reference when this is the same: spaces run together, case folded. */
export function normalizeLabel(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();
}

/** Finds what a normalised name stands for. */
export type ReferenceLookup = (label: string) => LinkTarget | undefined;

/** An opening bracket that may become a link or an image. */
export interface OpeningBracket {
  readonly token: Token;
  readonly isImage: boolean;
  /** How many runs of signs stand before it. */
  readonly runs: number;
  /** Whether another bracket was opened behind it. */
  hasInner: boolean;
}

/** What stands around a closing bracket. */
export interface ClosingBracket {
  readonly text: string;
  /** The place of the closing bracket. */
  readonly position: number;
  /** Whether the text goes on behind its end. */
  readonly open: boolean;
  readonly lookup: ReferenceLookup;
}

/** Finds out what a closing bracket makes of an opening one: where the link leads to and where it ends, or that it is none. */
export function readLink(
  { token: { start }, isImage, hasInner }: OpeningBracket,
  { text, position, open, lookup }: ClosingBracket,
): MaybePending<LinkTarget & { readonly end: number }> {
  const behind = position + 1;
  if (open && behind >= text.length) return 'wait';
  const target = text.startsWith('(', behind) ? readTarget(text, behind + 1, !open, linkEnd) : null;
  if (target === 'wait' && open) return target;
  if (target !== null && target !== 'wait') {
    const mayBeLong = isImage && target.destination.startsWith('data:image/');
    return target.end - start <= (mayBeLong ? MAX_DATA_SPAN : MAX_SPAN) ? target : null;
  }
  const label = text.startsWith('[', behind) ? readLabel(text, behind) : null;
  if (label === 'wait' && open) return label;
  const { end, value } = label === null || label === 'wait' ? { end: behind, value: '' } : label;
  const inner = text.slice(start + (isImage ? 2 : 1), position);
  if (value === '' && (hasInner || inner.length > MAX_LABEL)) return null;
  const name = normalizeLabel(value === '' ? inner : value);
  const found = name === '' ? undefined : lookup(name);
  // A footnote has its name between its own brackets.
  if (found?.footnote !== undefined) return value === '' ? { ...found, end: behind } : null;
  return found === undefined ? null : { ...found, end };
}

function linkEnd(text: string, at: number): MaybePending<number> {
  const end = skipWhitespace(text, at);
  if (end >= text.length) return 'wait';
  return text.startsWith(')', end) ? end + 1 : null;
}

/** How long a text may be held back for a link. What was shown already, because the bracket stayed open for long, is not taken back. */
export function maxPendingLength(
  { token: { start }, isImage }: OpeningBracket,
  { text, position }: ClosingBracket,
): number {
  if (position - start > MAX_PENDING_BRACKET) return 0;
  return isImage && text.startsWith('(data:image/', position + 1)
    ? MAX_DATA_SPAN
    : MAX_PENDING_LINK;
}

/** One definition as it was read: what a name stands for. */
export interface Definition extends LinkTarget {
  readonly label: string;
}

/** The definitions at the start of a paragraph. */
export interface LeadingDefinitions {
  readonly found: readonly Definition[];
  /** Where the text behind them begins. */
  readonly end: number;
  /** Whether what follows may still become a definition, or the last one may still get a title. */
  readonly open: boolean;
}

/**
 * Reads the definitions with which a paragraph begins. `complete` says that the whole paragraph is known; otherwise a
 * definition that may still change counts as open and is not among those found.
 */
export function readLeadingDefinitions(text: string, complete: boolean): LeadingDefinitions {
  const found: Definition[] = [];
  // A line end behind the text makes the readers see the end of the paragraph as what it is: nothing more comes.
  const source = complete ? `${text}\n` : text;
  let end = 0;
  while (source.startsWith('[', end)) {
    const isWhole = end + MAX_SPAN >= source.length;
    const read = readDefinition(source.slice(end, end + MAX_SPAN), complete && isWhole);
    if (read === 'wait' && isWhole && !complete) return { found, end, open: true };
    if (read === null || read === 'wait') break;
    found.push(read);
    end = Math.min(end + read.end, text.length);
  }
  return { found, end, open: false };
}

/** Whether nothing but definitions stands in a text that ends here. */
export function isOnlyDefinitions(text: string | null): boolean {
  return text !== null && readLeadingDefinitions(text, true).end >= text.length;
}

function readDefinition(
  text: string,
  complete: boolean,
): MaybePending<Definition & { readonly end: number }> {
  const label = readLabel(text, 0);
  if (label === null || label === 'wait') return label;
  if (label.end >= text.length) return 'wait';
  if (!text.startsWith(':', label.end) || label.value.trim() === '') return null;
  const target = readTarget(text, label.end + 1, complete, lineEnd);
  if (target === null || target === 'wait') return target;
  return { ...target, label: normalizeLabel(label.value) };
}

const DEFINITION_BLANKS = /[ \t]*/y;

/** Behind the line end when nothing but spaces stands before it. */
function lineEnd(text: string, at: number): MaybePending<number> {
  DEFINITION_BLANKS.lastIndex = at;
  DEFINITION_BLANKS.test(text);
  const end = DEFINITION_BLANKS.lastIndex;
  if (end >= text.length) return 'wait';
  return text.startsWith('\n', end) ? end + 1 : null;
}
