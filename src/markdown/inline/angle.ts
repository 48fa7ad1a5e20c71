import { inlineHtmlEnd } from '../syntax/html-syntax.js';
import { MAX_SPAN } from '../syntax/limits.js';
import { encodeAddress } from '../syntax/link-syntax.js';
import type { Inline } from './inline.js';

/** What begins with `<`. Without an `inline` it is HTML, shown as it was written. */
export interface AngleRead {
  readonly end: number;
  readonly inline: Inline | null;
}

const ADDRESS = /^<([A-Za-z][A-Za-z0-9.+-]{1,31}:[^<>\u0000-\u0020\u007f]*)>/;
const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const NAME = "[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]";
const MAIL = new RegExp(`^<(${NAME}+@${LABEL}(?:\\.${LABEL})*)>`);
const GROWING = new RegExp(
  `^<(?:[A-Za-z][A-Za-z0-9.+-]{0,31}(?::[^<>\\u0000-\\u0020\\u007f]*)?|${NAME}+(?:@[a-zA-Z0-9.-]*)?)$`,
);

/** Reads an address in angle brackets or inline HTML. `wait` when the text ends before it is known to be either. */
export function angleInline(text: string, start: number): AngleRead | null | 'wait' {
  const window = text.slice(start, start + MAX_SPAN);
  const address = ADDRESS.exec(window)?.[1];
  const mail = address === undefined ? MAIL.exec(window)?.[1] : undefined;
  const found = address ?? mail;
  if (found !== undefined) {
    const destination = encodeAddress(mail === undefined ? found : `mailto:${found}`);
    const children = [{ kind: 'text', text: found }] as const;
    return {
      end: start + found.length + 2,
      inline: { kind: 'link', destination, title: '', children },
    };
  }
  const end = inlineHtmlEnd(text, start, text.length);
  if (end !== -1 && end !== 'wait') return { end, inline: null };
  const mayGrow = window.length < MAX_SPAN && GROWING.test(window);
  return end === 'wait' || mayGrow ? 'wait' : null;
}
