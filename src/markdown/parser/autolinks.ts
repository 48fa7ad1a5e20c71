import { MAX_MAIL_NAME, MAX_SPAN } from './limits.js';
import type { MaybePending } from './links.js';
import { type Atom, createAutolink } from './atoms.js';

/** What an address without brackets may begin with: a scheme, `www.`, or the name of a mail address. */
const START = new RegExp(
  String.raw`(?<![a-z0-9])(?:https?:|ftp:)|(?<![^\s*_~(])www\.|(?<![a-z0-9.+_-])[a-z0-9.+_-]+@`,
  'gi',
);
/** The same at the end of a text that goes on. */
const PARTIAL_START = /(?<![a-z0-9])(?:h|ht|htt|https?|w|ww|www)$/i;
/** Full-width punctuation belongs to the sentence, which GFM does not say. */
const ADDRESS_RUN = /^[^\s<\0- \x7f\ue000\ue001、。，；：！？（）《》「」『』【】“”‘’]*/;
const DOMAIN = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*/u;
const MAIL_DOMAIN = /[a-z0-9_-]+(?:\.[a-z0-9_-]+)+/iy;

/** Finds the next place at or behind `from` where an address may begin. */
export function findAutolink(text: string, from: number): RegExpExecArray | null {
  START.lastIndex = from;
  return START.exec(text);
}

/** The length of what may become the beginning of an address at the end of a text. */
export function partialStartLength(text: string): number {
  return PARTIAL_START.exec(text.slice(-9))?.[0].length ?? 0;
}

/** Reads the address that begins at a place found before. `wait` when a text that is `open` may still go on with it. */
export function readAutolink(
  text: string,
  found: RegExpExecArray,
  open: boolean,
): MaybePending<Atom> {
  const [sign] = found;
  const behind = found.index + sign.length;
  if (sign.endsWith('@')) return readMailAddress(text, found.index, behind, open);
  if (sign.endsWith('.')) return readWebAddress(text, found.index, found.index, open);
  if (text.startsWith('//', behind)) return readWebAddress(text, found.index, behind + 2, open);
  return open && /^\/?$/.test(text.slice(behind)) ? 'wait' : null;
}

/** An address whose host stands at `host`; without a scheme before it, it is one of the web. */
function readWebAddress(
  text: string,
  start: number,
  host: number,
  open: boolean,
): MaybePending<Atom> {
  const run = cutAtClosingBracket(
    ADDRESS_RUN.exec(text.slice(host, start + MAX_SPAN + 1))?.[0] ?? '',
  );
  const runEnd = host + run.length;
  if (runEnd - start > MAX_SPAN) return null;
  if (open && runEnd >= text.length) return 'wait';
  const labels = (DOMAIN.exec(run)?.[0] ?? '').split('.');
  const isShort = labels.filter((label) => label !== '').length < (start === host ? 2 : 1);
  if (isShort || labels.slice(-2).join('').includes('_')) return null;
  const end = host + trimmedLength(run);
  const address = text.slice(start, end);
  return { end, inline: createAutolink(start === host ? `http://${address}` : address, address) };
}

/** A closing bracket ends an address unless it was opened in it: the address may be the text of a link. */
function cutAtClosingBracket(run: string): string {
  let open = 0;
  for (const { 0: bracket, index } of run.matchAll(/[[\]]/g)) {
    open += bracket === '[' ? 1 : -1;
    if (open < 0) return run.slice(0, index);
  }
  return run;
}

/** The length of an address without the punctuation of the sentence around it. */
function trimmedLength(run: string): number {
  let open = run.split('(').length - run.split(')').length;
  for (let rest = run; ;) {
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
): MaybePending<Atom> {
  if (host - start > MAX_MAIL_NAME + 1) return null;
  if (open && text.length - host < 300 && /^[a-z0-9_.-]*$/i.test(text.slice(host))) return 'wait';
  MAIL_DOMAIN.lastIndex = host;
  const domain = MAIL_DOMAIN.exec(text)?.[0] ?? '';
  if (domain === '' || domain.length > 255 || /[_-]$|_[^.]*(?:\.[^.]*)?$/.test(domain)) return null;
  const end = host + domain.length;
  const address = text.slice(start, end);
  return { end, inline: createAutolink(`mailto:${address}`, address) };
}
