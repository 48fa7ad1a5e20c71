import { isAsciiWord } from '../syntax/characters.js';
import { MAX_MAIL_NAME, MAX_SPAN } from '../syntax/limits.js';

/** A link recognised by its look: where it begins and ends, and where it goes. */
export interface Autolink {
  readonly start: number;
  readonly end: number;
  readonly destination: string;
}

/** Full-width punctuation belongs to the sentence, which GFM does not say. */
const RUN = /^[^\s<\u0000-\u0020\u007f\ue000\ue001、。，；：！？（）《》「」『』【】“”‘’]*/;
const DOMAIN = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*/u;
const MAIL_DOMAIN = /[a-zA-Z0-9_-]+(?:\.[a-zA-Z0-9_-]+)+/y;

/** The text that is read, up to where it may be read. */
export interface AutolinkSource {
  readonly text: string;
  /** Where reading began: nothing before it may be used but the character before. */
  readonly from: number;
  /** Whether the text goes on behind its end. */
  readonly open: boolean;
}

/** A link that is not finished: where it begins, and from where on it is held back. */
export interface GrowingAutolink {
  readonly start: number;
  readonly wait: number;
}

/** A link, none, or one that is not finished. */
export type AutolinkResult = Autolink | GrowingAutolink | null;

/** An address with a scheme; `colon` is the place of its colon. */
export function webAutolink(source: AutolinkSource, colon: number): AutolinkResult {
  const { text, from, open } = source;
  const before = text.slice(Math.max(from, colon - 5), colon);
  const scheme = /(?:https?|ftp)$/i.exec(before)?.[0];
  if (scheme === undefined) return null;
  const start = colon - scheme.length;
  if (isAsciiWord(text.charAt(start - 1))) return null;
  const behind = text.slice(colon, colon + 3);
  if (open && behind.length < 3 && '://'.startsWith(behind)) return { start, wait: start };
  if (behind !== '://') return null;
  return finish(source, start, colon + 3, '');
}

/** An address that begins with `www.`; `start` is its place. */
export function wwwAutolink(source: AutolinkSource, start: number): AutolinkResult {
  const before = source.text.charAt(start - 1);
  if (before !== '' && !/[\s*_~(]/.test(before)) return null;
  return finish(source, start, start, 'http://');
}

function finish(
  source: AutolinkSource,
  start: number,
  host: number,
  scheme: string,
): AutolinkResult {
  const run = toBracket(RUN.exec(source.text.slice(host, start + MAX_SPAN + 1))?.[0] ?? '');
  if (host + run.length - start > MAX_SPAN) return null;
  if (source.open && host + run.length >= source.text.length) return { start, wait: start };
  const domain = DOMAIN.exec(run)?.[0] ?? '';
  const labels = domain.split('.');
  const isShort = scheme !== '' && labels.filter((label) => label !== '').length < 2;
  if (domain === '' || isShort || labels.slice(-2).some((label) => label.includes('_')))
    return null;
  const end = host + trimmedLength(run);
  if (end <= host) return null;
  return { start, end, destination: scheme + source.text.slice(start, end) };
}

/** A closing bracket ends an address unless it was opened in it: the address may be the text of a link. */
function toBracket(run: string): string {
  let open = 0;
  for (let index = 0; index < run.length; index += 1) {
    const code = run.charCodeAt(index);
    if (code === 91) open += 1;
    else if (code === 93 && (open -= 1) < 0) return run.slice(0, index);
  }
  return run;
}

/** The length of an address without the punctuation of the sentence around it. */
function trimmedLength(run: string): number {
  let open = 0;
  for (const character of run) {
    if (character === '(') open += 1;
    else if (character === ')') open -= 1;
  }
  let length = run.length;
  for (; length > 0; length -= 1) {
    const last = run.charAt(length - 1);
    if (last === ')' && open < 0) open += 1;
    else if (last === ';') {
      const entity = /&[a-zA-Z0-9]+;$/.exec(run.slice(Math.max(0, length - 40), length));
      if (entity !== null) length -= entity[0].length - 1;
    } else if (!/[?!.,:*_~'"]/.test(last)) break;
  }
  return length;
}

/** A mail address; `at` is the place of its `@`. */
export function mailAutolink(source: AutolinkSource, at: number): AutolinkResult {
  const { text, from, open } = source;
  let start = at;
  const floor = Math.max(from, at - MAX_MAIL_NAME);
  while (start > floor && /[a-zA-Z0-9.+_-]/.test(text.charAt(start - 1))) start -= 1;
  if (start === at) return null;
  MAIL_DOMAIN.lastIndex = at + 1;
  const domain = MAIL_DOMAIN.exec(text)?.[0] ?? '';
  const rest = /^[a-zA-Z0-9_.-]*$/.test(text.slice(at + 1, at + 300));
  if (open && rest && text.length - at < 300) return { start, wait: at };
  if (
    domain === '' ||
    domain.length > 255 ||
    /[_-]$/.test(domain) ||
    /_/.test(domain.split('.').slice(-2).join())
  ) {
    return null;
  }
  const end = at + 1 + domain.length;
  return { start, end, destination: `mailto:${text.slice(start, end)}` };
}
