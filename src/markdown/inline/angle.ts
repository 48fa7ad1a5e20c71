import { inlineHtmlEnd } from '../syntax/html-syntax.js';
import { MAX_SPAN } from '../syntax/limits.js';
import { encodeAddress, type Maybe } from '../syntax/link-syntax.js';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const NAME = "[a-z0-9.!#$%&'*+/=?^_`{|}~-]+";
const SCHEME = '[a-z][a-z0-9.+-]{1,31}:[^<>\\0- \\x7f]*';
const ADDRESS = new RegExp(`^<(?:(${SCHEME})|(${NAME}@${LABEL}(?:\\.${LABEL})*))>`, 'i');
const GROWING = new RegExp(`^<(?:${SCHEME}|${NAME}(?:@[a-z0-9.-]*)?)$`, 'i');

/** What begins with `<`. Without a destination it is HTML, shown as it was written. */
export interface AngleRead {
  readonly end: number;
  readonly destination: string;
}

/** Reads an address in angle brackets or inline HTML. `wait` when the text ends before it is known to be either. */
export function readAngle(text: string, start: number): Maybe<AngleRead> {
  const window = text.slice(start, start + MAX_SPAN);
  const [whole = '', address, mail] = ADDRESS.exec(window) ?? [];
  if (whole !== '') {
    const destination = address === undefined ? `mailto:${mail}` : encodeAddress(address);
    return { end: start + whole.length, destination };
  }
  const end = inlineHtmlEnd(text, start);
  if (typeof end === 'number') return { end, destination: '' };
  return end ?? (window.length < MAX_SPAN && GROWING.test(window) ? 'wait' : null);
}
