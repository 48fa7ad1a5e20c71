import { MAX_MAIL_NAME, MAX_SPAN } from './limits.js';
import type { ReadResult } from './links.js';
import { type Atom, createAutolink } from './atoms.js';

/** How an extended autolink (GFM 6.9) may begin: a scheme, `www.`, or the local part of an email address. */
const START = new RegExp(
  String.raw`(?<![a-z0-9])(?:https?:|ftp:)|(?<![^\s*_~(])www\.|(?<![a-z0-9.+_-])[a-z0-9.+_-]+@`,
  'gi',
);
/** An incomplete `http:`, `https:` or `www.` at the end of a text. The rarer `ftp:` is not withheld. */
const PARTIAL_START = /(?<![a-z0-9])(?:h|ht|htt|https?|w|ww|www)$/i;
/** The characters of an address. Unlike in GFM, an address ends before full-width punctuation, which belongs to the sentence. */
const ADDRESS_RUN = /^[^\s<\0- \x7f\ue000\ue001、。，；：！？（）《》「」『』【】“”‘’]*/;
const DOMAIN = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*/u;
const MAIL_DOMAIN = /[a-z0-9_-]+(?:\.[a-z0-9_-]+)+/iy;

/** Finds the next position at or after `from` where an autolink may begin. */
export function findAutolink(text: string, from: number): RegExpExecArray | null {
  START.lastIndex = from;
  return START.exec(text);
}

/** Returns the length of an incomplete beginning of a web address at the end of a text. */
export function partialStartLength(text: string): number {
  // Nine characters contain the longest beginning (`https:`) and the character before it.
  return PARTIAL_START.exec(text.slice(-9))?.[0].length ?? 0;
}

/** Reads the autolink that `findAutolink` has found; returns `incomplete` when it may continue because the text is `open`. */
export function readAutolink(
  text: string,
  found: RegExpExecArray,
  open: boolean,
): ReadResult<Atom> {
  const [prefix] = found;
  const after = found.index + prefix.length;
  if (prefix.endsWith('@')) return readMailAddress(text, found.index, after, open);
  if (prefix.endsWith('.')) return readWebAddress(text, found.index, found.index, open);
  if (text.startsWith('//', after)) return readWebAddress(text, found.index, after + 2, open);
  return open && /^\/?$/.test(text.slice(after)) ? 'incomplete' : null;
}

/** Reads a web address whose host begins at `host`. Without a scheme it is `http:`. */
function readWebAddress(
  text: string,
  start: number,
  host: number,
  open: boolean,
): ReadResult<Atom> {
  const run = cutAtClosingBracket(
    ADDRESS_RUN.exec(text.slice(host, start + MAX_SPAN + 1))?.[0] ?? '',
  );
  const runEnd = host + run.length;
  if (runEnd - start > MAX_SPAN) return null;
  if (open && runEnd >= text.length) return 'incomplete';
  const labels = (DOMAIN.exec(run)?.[0] ?? '').split('.');
  const isShort = labels.filter((label) => label !== '').length < (start === host ? 2 : 1);
  if (isShort || labels.slice(-2).join('').includes('_')) return null;
  const end = host + trimmedLength(run);
  const address = text.slice(start, end);
  return { end, inline: createAutolink(start === host ? `http://${address}` : address, address) };
}

/** Truncates an address at an unbalanced closing bracket, since the address may be the text of a link. */
function cutAtClosingBracket(address: string): string {
  let open = 0;
  for (const { 0: bracket, index } of address.matchAll(/[[\]]/g)) {
    open += bracket === '[' ? 1 : -1;
    if (open < 0) return address.slice(0, index);
  }
  return address;
}

/** Returns the length of an address without trailing punctuation (GFM 6.9). */
function trimmedLength(address: string): number {
  let open = address.split('(').length - address.split(')').length;
  for (let rest = address; ;) {
    // The longest suffix that is removed at once, a character reference, has 40 characters.
    const last = /[?!.,:*_~'"]$|\)$|&[a-z0-9]{1,38};$|;$/i.exec(rest.slice(-40))?.[0];
    if (last === undefined || (last === ')' && open >= 0)) return rest.length;
    if (last === ')') open += 1;
    rest = rest.slice(0, -last.length);
  }
}

function readMailAddress(
  text: string,
  start: number,
  host: number,
  open: boolean,
): ReadResult<Atom> {
  if (host - start > MAX_MAIL_NAME + 1) return null;
  // A domain has at most 255 characters, so the end of a longer text need not be awaited.
  if (open && text.length - host < 300 && /^[a-z0-9_.-]*$/i.test(text.slice(host)))
    return 'incomplete';
  MAIL_DOMAIN.lastIndex = host;
  const domain = MAIL_DOMAIN.exec(text)?.[0] ?? '';
  // The last two labels have no underscore, and the domain ends with neither hyphen nor underscore (GFM 6.9).
  if (domain === '' || domain.length > 255 || /[_-]$|_[^.]*(?:\.[^.]*)?$/.test(domain)) return null;
  const end = host + domain.length;
  const address = text.slice(start, end);
  return { end, inline: createAutolink(`mailto:${address}`, address) };
}
