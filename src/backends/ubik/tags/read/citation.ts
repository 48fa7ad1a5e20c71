import type { Mark } from '../../../../model/part.js';
import { MARK_END, MARK_START } from '../../../../model/part.js';

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);
/** Longest reference that is looked at (`&#x10FFFF;`). */
const MAX_ENTITY = 10;
const FORGED = /[\uE000\uE001]/g;

/** A text from the network in which no inline mark can be forged. */
export function withoutForgedMarks(text: string): string {
  return text.replace(FORGED, '\uFFFD');
}

/** The inline mark of that name, as it stands in a text. */
export function printMark(name: string): string {
  return `${MARK_START}${name}${MARK_END}`;
}

/** Data of a complete citation element, as the candidate for it was matched. */
export function parseCitation(source: string): Mark {
  const number = source.startsWith('<source_') ? source.slice('<source_'.length, -1) : null;
  if (number !== null) return { kind: 'citation', label: `[${number}]`, source };
  const { attributes, end } = readAttributes(source);
  const id = attributes.get('id');
  const title = attributes.get('name') ?? attributes.get('title');
  const url = webAddress(attributes.get('url'));
  const label = decode(source.slice(end, Math.max(end, source.lastIndexOf('</'))));
  return {
    kind: 'citation',
    label,
    ...(id ? { id } : {}),
    ...(title ? { title } : {}),
    ...(url === null ? {} : { url }),
    source,
  };
}

/** The attributes of an element that is known to be well-formed, and where its first tag ends. The first one of a name counts. */
function readAttributes(source: string): {
  readonly attributes: ReadonlyMap<string, string>;
  readonly end: number;
} {
  const attributes = new Map<string, string>();
  let at = source.startsWith('<web_') ? '<web_citation'.length : '<citation'.length;
  while (at < source.length && source[at] !== '>') {
    const nameFrom = at;
    while (!' \t/>='.includes(source[at] ?? ' ')) at += 1;
    const name = source.slice(nameFrom, at);
    if (source[at] !== '=') {
      at += source[at] === '>' ? 0 : 1;
      continue;
    }
    const value = readValue(source, at + 1);
    if (!attributes.has(name)) attributes.set(name, decode(value.text));
    at = value.end;
  }
  return { attributes, end: Math.min(at + 1, source.length) };
}

function readValue(source: string, from: number): { readonly text: string; readonly end: number } {
  const quote = source[from];
  if (quote === '"' || quote === "'") {
    const close = source.indexOf(quote, from + 1);
    return { text: source.slice(from + 1, close), end: close + 1 };
  }
  let end = from;
  while (!' \t/>'.includes(source[end] ?? ' ')) end += 1;
  return { text: source.slice(from, end), end };
}

/** The text with its character references replaced, each once. */
function decode(text: string): string {
  const [head = '', ...rest] = text.split('&');
  return withoutForgedMarks(rest.reduce((joined, piece) => joined + decodeOne(piece), head));
}

function decodeOne(piece: string): string {
  const end = piece.slice(0, MAX_ENTITY).indexOf(';');
  const name = end < 0 ? '' : piece.slice(0, end);
  const found = ENTITIES.get(name) ?? decodeNumber(name);
  return found === null ? `&${piece}` : found + piece.slice(end + 1);
}

function decodeNumber(name: string): string | null {
  const found = /^#(?:(\d+)|[xX]([\dA-Fa-f]+))$/.exec(name);
  if (!found) return null;
  const code = found[1] === undefined ? Number.parseInt(found[2] ?? '', 16) : Number(found[1]);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
}

/** The address, if it leads to the web: http or https, without a user's name or password. Null for everything else. */
function webAddress(text: string | undefined): string | null {
  if (!text || !URL.canParse(text)) return null;
  const url = new URL(text);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb && url.username === '' && url.password === '' ? url.href : null;
}
