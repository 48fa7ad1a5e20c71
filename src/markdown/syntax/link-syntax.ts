import { unescape } from './entities.js';
import { MAX_LABEL, MAX_LINK_PARENTHESES } from './limits.js';

/** A piece of syntax that was read: where it ends and what it says. */
export interface Read {
  readonly end: number;
  readonly value: string;
}

/** An address with its title. */
export interface LinkTarget {
  readonly end: number;
  readonly destination: string;
  readonly title: string;
}

/** `null`: it is not there, whatever follows. `wait`: the text ends before this can be known. */
export type Maybe<T> = T | null | 'wait';

const SPACE = /[ \t]*(?:\n[ \t]*)?/y;
const ANGLED = /<(?:[^<>\n\\]|\\.)*>/y;
const GROWING_ANGLED = /^<(?:[^<>\n\\]|\\.)*\\?$/;
const TITLES: ReadonlyMap<string, readonly [whole: RegExp, growing: RegExp]> = new Map([
  ['"', [/"((?:[^"\\]|\\[\s\S])*)"/y, /^"(?:[^"\\]|\\[\s\S])*\\?$/]],
  ["'", [/'((?:[^'\\]|\\[\s\S])*)'/y, /^'(?:[^'\\]|\\[\s\S])*\\?$/]],
  ['(', [/\(((?:[^()\\]|\\[\s\S])*)\)/y, /^\((?:[^()\\]|\\[\s\S])*\\?$/]],
]);

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Goes over spaces and at most one line end. */
export function skipSpace(text: string, at: number): number {
  return at + (match(SPACE, text, at)?.[0].length ?? 0);
}

/** Escapes what may not stand in an address; what is escaped already stays. */
export function encodeAddress(address: string): string {
  const whole = address.replace(
    /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    '\uFFFD',
  );
  return encodeURI(whole).replace(/%25([0-9a-f]{2})/gi, '%$1');
}

/** Reads the address of a link. */
export function readDestination(text: string, at: number): Maybe<Read> {
  if (text.charAt(at) === '<') {
    const found = match(ANGLED, text, at);
    if (found !== null) {
      const value = encodeAddress(unescape(found[0].slice(1, -1)));
      return { end: at + found[0].length, value };
    }
    return GROWING_ANGLED.test(text.slice(at)) ? 'wait' : null;
  }
  const end = bareDestinationEnd(text, at);
  if (end === null || end === text.length) return end === null ? null : 'wait';
  return { end, value: encodeAddress(unescape(text.slice(at, end))) };
}

const ADDRESS_RUN = /[^\\()\u0000-\u0020\u007f]+/y;

function bareDestinationEnd(text: string, at: number): number | null {
  let depth = 0;
  let index = at;
  while (index < text.length) {
    const character = text.charAt(index);
    if (character === '\\') {
      index += /[!-/:-@[-`{-~]/.test(text.charAt(index + 1)) ? 2 : 1;
    } else if (character === '(') {
      depth += 1;
      if (depth > MAX_LINK_PARENTHESES) return null;
      index += 1;
    } else if (character === ')') {
      if (depth === 0) break;
      depth -= 1;
      index += 1;
    } else {
      const run = match(ADDRESS_RUN, text, index);
      if (run === null) break;
      index += run[0].length;
    }
  }
  if (index >= text.length) return text.length;
  if (index === at && text.charAt(at) !== ')') return null;
  return depth === 0 ? index : null;
}

/** Reads a title in its quotes. */
export function readTitle(text: string, at: number): Maybe<Read> {
  const patterns = TITLES.get(text.charAt(at));
  if (patterns === undefined) return null;
  const found = match(patterns[0], text, at);
  if (found?.[1] !== undefined) {
    return { end: at + found[0].length, value: unescape(found[1]) };
  }
  return patterns[1].test(text.slice(at)) ? 'wait' : null;
}

/** Reads what follows the text of an inline link, from behind its `(` to behind its `)`. */
export function readLinkTarget(text: string, at: number): Maybe<LinkTarget> {
  const start = skipSpace(text, at);
  if (start >= text.length) return 'wait';
  const destination = readDestination(text, start);
  if (destination === null || destination === 'wait') return destination;
  const behind = skipSpace(text, destination.end);
  if (behind >= text.length) return 'wait';
  let end = behind;
  let title = '';
  if (behind > destination.end && text.charAt(behind) !== ')') {
    const read = readTitle(text, behind);
    if (read === null || read === 'wait') return read;
    title = read.value;
    end = skipSpace(text, read.end);
  }
  if (end >= text.length) return 'wait';
  if (text.charAt(end) !== ')') return null;
  return { end: end + 1, destination: destination.value, title };
}

const LABEL = /\[((?:[^\\[\]]|\\[\s\S])*)\]/y;
const GROWING_LABEL = /^\[(?:[^\\[\]]|\\[\s\S])*\\?$/;

/** Reads a reference's name in its brackets. The value is what stands between them, as it was written. */
export function readLabel(text: string, at: number): Maybe<Read> {
  const window = text.slice(at, at + MAX_LABEL + 2);
  const found = match(LABEL, window, 0);
  if (found?.[1] !== undefined) return { end: at + found[0].length, value: found[1] };
  return window.length < MAX_LABEL + 2 && GROWING_LABEL.test(window) ? 'wait' : null;
}

/** Two names are the same reference when this is the same: spaces run together, case folded. */
export function normalizeLabel(label: string): string {
  return label
    .trim()
    .replace(/[ \t\r\n]+/g, ' ')
    .toLowerCase()
    .toUpperCase();
}
