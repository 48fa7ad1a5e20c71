import { decodeEntity, ENTITY, GROWING_ENTITY } from '../syntax/entities.js';
import { inlineHtmlEnd } from '../syntax/html-syntax.js';
import { MAX_SPAN } from '../syntax/limits.js';
import { encodeAddress, type Maybe } from '../syntax/link-syntax.js';
import { inline, type Inline } from './inline.js';

/** Something that is complete in itself: where it ends, and the text or the inline content that it is. */
export interface Atom {
  readonly end: number;
  readonly text?: string;
  readonly said?: Inline;
}

/** Reads what begins at a place. `wait` when a text that may go on ends before this is known. */
export type AtomReader = (text: string, start: number) => Maybe<Atom>;

/** What is read as a whole, by the sign with which it begins. */
export const ATOMS: ReadonlyMap<string, AtomReader> = new Map<string, AtomReader>([
  ['\\', readEscape],
  ['&', readEntity],
  ['<', readAngle],
  ['\ue000', readMark],
  ['\ue001', (_text, start) => ({ end: start + 1, text: '' })],
  ['!', (text, start) => (start + 1 === text.length ? 'wait' : null)],
]);

/** A link whose text is its address. */
export function addressLink(destination: string, text: string): Inline {
  const link = inline('link', '', encodeAddress(destination));
  link.children.push(inline('text', text));
  return link;
}

function readEscape(text: string, start: number): Maybe<Atom> {
  const end = start + 2;
  const next = text.charAt(start + 1);
  if (next === '') return 'wait';
  if (next === '\n') return { end, said: inline('br') };
  return /[!-/:-@[-`{-~]/.test(next) ? { end, text: next } : null;
}

function readEntity(text: string, start: number): Maybe<Atom> {
  const window = text.slice(start, start + 40);
  const [reference] = ENTITY.exec(window) ?? [];
  if (reference === undefined) return GROWING_ENTITY.test(window) ? 'wait' : null;
  return { end: start + reference.length, text: decodeEntity(reference) };
}

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const NAME = "[a-z0-9.!#$%&'*+/=?^_`{|}~-]+";
const SCHEME = '[a-z][a-z0-9.+-]{1,31}:[^<>\\0- \\x7f]*';
const ADDRESS = new RegExp(`^<(?:(${SCHEME})|(${NAME}@${LABEL}(?:\\.${LABEL})*))>`, 'i');
const GROWING = new RegExp(`^<(?:${SCHEME}|${NAME}(?:@[a-z0-9.-]*)?)$`, 'i');

/** An address in angle brackets, or HTML, which is shown as it was written. */
function readAngle(text: string, start: number): Maybe<Atom> {
  const window = text.slice(start, start + MAX_SPAN);
  const [whole, address, mail = ''] = ADDRESS.exec(window) ?? [];
  if (whole !== undefined) {
    const said = addressLink(address ?? `mailto:${mail}`, address ?? mail);
    return { end: start + whole.length, said };
  }
  const end = inlineHtmlEnd(window);
  if (typeof end === 'number') return { end: start + end, text: window.slice(0, end) };
  return end ?? (window.length < MAX_SPAN && GROWING.test(window) ? 'wait' : null);
}

const MARK = /^\ue000([^\ue000\ue001]*)\ue001/;

/** A mark of the host. */
function readMark(text: string, start: number): Maybe<Atom> {
  const window = text.slice(start, start + MAX_SPAN);
  const [whole, key] = MARK.exec(window) ?? [];
  if (whole !== undefined) return { end: start + whole.length, said: inline('mark', key) };
  const grows = window.length < MAX_SPAN && !/[\ue000\ue001]/.test(window.slice(1));
  // The sign itself is never shown.
  return grows ? 'wait' : { end: start + 1, text: '' };
}
