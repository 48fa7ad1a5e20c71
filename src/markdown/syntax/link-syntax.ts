import { unescape } from './entities.js';
import { MAX_LABEL, MAX_LINK_PARENTHESES } from './limits.js';
import { withoutMarks } from './marks.js';

/** A piece of syntax that was read: where it ends and what it says. */
export interface Read {
  readonly end: number;
  readonly value: string;
}

/** What a link or a reference leads to. */
export interface Target {
  readonly destination: string;
  readonly title: string;
  /** The name of the footnote that it is. */
  readonly footnote?: string;
}

/** `null`: it is not there, whatever follows. `wait`: the text ends before this can be known. */
export type Maybe<T> = T | null | 'wait';

/** Reads up to a sign that is not escaped; signs in `bad` may not come before it. */
function readUntil(text: string, from: number, sign: string, bad: string): Maybe<Read> {
  for (let index = from; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === sign) return { end: index + 1, value: text.slice(from, index) };
    if (bad.includes(character)) return null;
    if (character === '\\' && text.charAt(index + 1) !== '\n') index += 1;
  }
  return 'wait';
}

const SPACE = /[ \t]*(?:\n[ \t]*)?/y;

/** Goes over spaces and at most one line end. */
export function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at;
  SPACE.test(text);
  return SPACE.lastIndex;
}

/** Escapes what may not stand in an address; what is escaped already stays. */
export function encodeAddress(address: string): string {
  return encodeURI(address.replace(/\p{Cs}/gu, '\uFFFD')).replace(/%25([0-9a-f]{2})/gi, '%$1');
}

const ADDRESS_PIECE = /[^\\()\0- \x7f]+|\\[!-/:-@[-`{-~]|[\\()]/y;

function readAddress(text: string, at: number): Maybe<Read> {
  if (text.startsWith('<', at)) return readUntil(text, at + 1, '>', '<\n');
  let depth = 0;
  let end = at;
  for (ADDRESS_PIECE.lastIndex = at; depth <= MAX_LINK_PARENTHESES;) {
    const piece = ADDRESS_PIECE.exec(text)?.[0];
    if (piece === '(') depth += 1;
    if (piece === ')') depth -= 1;
    if (piece !== undefined && depth >= 0) end = ADDRESS_PIECE.lastIndex;
    else if (end === text.length) return 'wait';
    else
      return depth > 0 || (end === at && piece === undefined)
        ? null
        : { end, value: text.slice(at, end) };
  }
  return null;
}

const TITLE_ENDS = new Map([
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
  endOf: (text: string, at: number) => Maybe<number>,
): Maybe<Target & { readonly end: number }> {
  const address = readAddress(text, skipSpace(text, at));
  if (address === null || address === 'wait') return address;
  const destination = encodeAddress(withoutMarks(unescape(address.value)));
  const behind = skipSpace(text, address.end);
  const sign = text.charAt(behind);
  if (sign === '' && !complete) return 'wait';
  const titleEnd = behind > address.end ? TITLE_ENDS.get(sign) : undefined;
  const title = titleEnd ? readUntil(text, behind + 1, titleEnd, sign === '(' ? sign : '') : null;
  if (title === 'wait' && !complete) return title;
  if (title !== null && title !== 'wait') {
    const end = endOf(text, title.end);
    if (end === 'wait') return end;
    if (end !== null) return { destination, title: withoutMarks(unescape(title.value)), end };
  }
  const end = endOf(text, address.end);
  return typeof end === 'number' ? { destination, title: '', end } : end;
}

/** Reads a reference's name in its brackets. The value is what stands between them, as it was written. */
export function readLabel(text: string, at: number): Maybe<Read> {
  const window = text.slice(at, at + MAX_LABEL + 2);
  const label = readUntil(window, 1, ']', '[');
  if (label === 'wait') return window.length < MAX_LABEL + 2 ? label : null;
  return label && { end: at + label.end, value: label.value };
}

/** Two names are the same reference when this is the same: spaces run together, case folded. */
export function normalizeLabel(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();
}
