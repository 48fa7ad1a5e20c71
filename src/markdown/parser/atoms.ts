import { decodeEntity, ENTITY, PARTIAL_ENTITY } from './entities.js';
import { type InlineTag, inlineTagOf, readInlineHtml } from './html.js';
import { MAX_SPAN } from './limits.js';
import { encodeDestination, type ReadResult } from './links.js';
import { createInline, type Inline } from './inline.js';
import { partialMarkStart, stripMarks } from './characters.js';

/** An inline construct without inner structure: its end position, and its text or node; or one tag of a pair. */
export interface Atom {
  readonly end: number;
  readonly text?: string;
  readonly inline?: Inline;
  readonly tag?: InlineTag | null;
}

/** Reads the atom at a position; returns `incomplete` when the text ends before the result is certain. */
export type AtomReader = (text: string, start: number) => ReadResult<Atom>;

/** Readers of atoms by their first character. */
export const ATOM_READERS: ReadonlyMap<string, AtomReader> = new Map<string, AtomReader>([
  ['\\', readEscape],
  ['&', readEntity],
  ['<', readAngle],
  ['\ue000', readMark],
  // The end of a mark that has no beginning is removed.
  ['\ue001', (_text, start) => ({ end: start + 1, text: '' })],
  // An exclamation mark at the end may begin an image.
  ['!', (text, start) => (start + 1 === text.length ? 'incomplete' : null)],
]);

/** Creates a link with an address as its text. */
export function createAutolink(destination: string, text: string): Inline {
  const link = createInline('link', '', encodeDestination(destination));
  link.children.push(createInline('text', text));
  return link;
}

function readEscape(text: string, start: number): ReadResult<Atom> {
  const end = start + 2;
  const next = text.charAt(start + 1);
  if (next === '') return 'incomplete';
  if (next === '\n') return { end, inline: createInline('br') };
  return /[!-/:-@[-`{-~]/.test(next) ? { end, text: next } : null;
}

function readEntity(text: string, start: number): ReadResult<Atom> {
  // Longer than any character reference.
  const window = text.slice(start, start + 40);
  const [reference] = ENTITY.exec(window) ?? [];
  if (reference === undefined) return PARTIAL_ENTITY.test(window) ? 'incomplete' : null;
  return { end: start + reference.length, text: decodeEntity(reference) };
}

const MAIL_LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const MAIL_NAME = "[a-z0-9.!#$%&'*+/=?^_`{|}~-]+";
const SCHEME = '[a-z][a-z0-9.+-]{1,31}:[^<>\\0- \\x7f]*';
const ANGLE_AUTOLINK = new RegExp(
  `^<(?:(${SCHEME})|(${MAIL_NAME}@${MAIL_LABEL}(?:\\.${MAIL_LABEL})*))>`,
  'i',
);
const PARTIAL_AUTOLINK = new RegExp(`^<(?:${SCHEME}|${MAIL_NAME}(?:@[a-z0-9.-]*)?)$`, 'i');

/** Reads an autolink in angle brackets, or raw HTML, which is rendered as text except for the tags of some elements. */
function readAngle(text: string, start: number): ReadResult<Atom> {
  const window = text.slice(start, start + MAX_SPAN);
  const [whole, address, mail = ''] = ANGLE_AUTOLINK.exec(window) ?? [];
  if (whole !== undefined) {
    const inline = createAutolink(address ?? `mailto:${mail}`, address ?? mail);
    return { end: start + whole.length, inline };
  }
  const length = readInlineHtml(window);
  if (typeof length === 'number') {
    const end = start + length;
    const html = window.slice(0, length);
    const tag = inlineTagOf(html);
    if (tag?.kind === 'br') return { end, inline: createInline('br') };
    return { end, text: html, tag };
  }
  return (
    length ?? (window.length < MAX_SPAN && PARTIAL_AUTOLINK.test(window) ? 'incomplete' : null)
  );
}

const MARK = /^\ue000([^\ue000\ue001]*)\ue001/;

/** Reads an inline mark. */
function readMark(text: string, start: number): ReadResult<Atom> {
  const window = text.slice(start, start + MAX_SPAN);
  const [whole, key] = MARK.exec(window) ?? [];
  if (whole !== undefined) return { end: start + whole.length, inline: createInline('mark', key) };
  const isPartial = window.length < MAX_SPAN && !/[\ue000\ue001]/.test(window.slice(1));
  // The delimiter of a mark is never displayed.
  return isPartial ? 'incomplete' : { end: start + 1, text: '' };
}

const BACKTICKS = /`+/g;

/** Returns the position of the closing backticks of a code span, or -1. `inside` is the position after the `length` opening ones. */
export function findCodeSpanEnd(
  text: string,
  inside: number,
  length: number,
  open: boolean,
): number {
  const end = inside + MAX_SPAN - length;
  BACKTICKS.lastIndex = inside;
  for (
    let run = BACKTICKS.exec(text);
    run !== null && run.index + length <= end;
    run = BACKTICKS.exec(text)
  ) {
    // Backticks at the end of the text may still be followed by more.
    const mayGrow = open && BACKTICKS.lastIndex === text.length;
    if (run[0].length === length && !mayGrow) return run.index;
  }
  return -1;
}

/** Returns the content of a code span without inline marks, and without one space of padding on each side. */
export function codeSpanText(source: string): string {
  // A preview may end within a mark.
  const text = stripMarks(source.slice(0, partialMarkStart(source)).replace(/\n/g, ' '));
  const isPadded = text.startsWith(' ') && text.endsWith(' ') && /[^ ]/.test(text);
  return isPadded ? text.slice(1, -1) : text;
}
