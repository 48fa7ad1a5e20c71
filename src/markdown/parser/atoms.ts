import { decodeEntity, ENTITY, PARTIAL_ENTITY } from './entities.js';
import { readInlineHtml } from './html.js';
import { MAX_SPAN } from './limits.js';
import { encodeDestination, type MaybePending } from './links.js';
import { createInline, type Inline } from './inline.js';
import { partialMarkStart, stripMarks } from './characters.js';

/** Something that is complete in itself: where it ends, and the text or the inline content that it is. */
export interface Atom {
  readonly end: number;
  readonly text?: string;
  readonly inline?: Inline;
}

/** Reads what begins at a place. `wait` when a text that may go on ends before this is known. */
export type AtomReader = (text: string, start: number) => MaybePending<Atom>;

/** What is read as a whole, by the sign with which it begins. */
export const ATOM_READERS: ReadonlyMap<string, AtomReader> = new Map<string, AtomReader>([
  ['\\', readEscape],
  ['&', readEntity],
  ['<', readAngle],
  ['\ue000', readMark],
  ['\ue001', (_text, start) => ({ end: start + 1, text: '' })],
  ['!', (text, start) => (start + 1 === text.length ? 'wait' : null)],
]);

/** A link whose text is its address. */
export function createAutolink(destination: string, text: string): Inline {
  const link = createInline('link', '', encodeDestination(destination));
  link.children.push(createInline('text', text));
  return link;
}

function readEscape(text: string, start: number): MaybePending<Atom> {
  const end = start + 2;
  const next = text.charAt(start + 1);
  if (next === '') return 'wait';
  if (next === '\n') return { end, inline: createInline('br') };
  return /[!-/:-@[-`{-~]/.test(next) ? { end, text: next } : null;
}

function readEntity(text: string, start: number): MaybePending<Atom> {
  const window = text.slice(start, start + 40);
  const [reference] = ENTITY.exec(window) ?? [];
  if (reference === undefined) return PARTIAL_ENTITY.test(window) ? 'wait' : null;
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

/** An address in angle brackets, or HTML, which is shown as it was written. */
function readAngle(text: string, start: number): MaybePending<Atom> {
  const window = text.slice(start, start + MAX_SPAN);
  const [whole, address, mail = ''] = ANGLE_AUTOLINK.exec(window) ?? [];
  if (whole !== undefined) {
    const said = createAutolink(address ?? `mailto:${mail}`, address ?? mail);
    return { end: start + whole.length, inline: said };
  }
  const end = readInlineHtml(window);
  if (typeof end === 'number') return { end: start + end, text: window.slice(0, end) };
  return end ?? (window.length < MAX_SPAN && PARTIAL_AUTOLINK.test(window) ? 'wait' : null);
}

const MARK = /^\ue000([^\ue000\ue001]*)\ue001/;

/** A mark of the host. */
function readMark(text: string, start: number): MaybePending<Atom> {
  const window = text.slice(start, start + MAX_SPAN);
  const [whole, key] = MARK.exec(window) ?? [];
  if (whole !== undefined) return { end: start + whole.length, inline: createInline('mark', key) };
  const grows = window.length < MAX_SPAN && !/[\ue000\ue001]/.test(window.slice(1));
  // The sign itself is never shown.
  return grows ? 'wait' : { end: start + 1, text: '' };
}

const BACKTICKS = /`+/g;

/** The place at or behind `inside` where as many backticks close code that is not too long; -1 without one. */
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
    // A run at the end of a text that goes on may still grow.
    const mayGrow = open && BACKTICKS.lastIndex === text.length;
    if (run[0].length === length && !mayGrow) return run.index;
  }
  return -1;
}

/** Code without the spaces around it and without marks. */
export function codeSpanText(source: string): string {
  // A guess may end in half a mark.
  const text = stripMarks(source.slice(0, partialMarkStart(source)).replace(/\n/g, ' '));
  const isPadded = text.startsWith(' ') && text.endsWith(' ') && /[^ ]/.test(text);
  return isPadded ? text.slice(1, -1) : text;
}
