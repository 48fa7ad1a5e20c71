import { MAX_MARKER_LINE, MAX_SPAN } from './limits.js';

const ATTRIBUTE = String.raw`(?:\s+[a-zA-Z_:][a-zA-Z0-9_.:-]*(?:\s*=\s*(?:[^"'=<>\`\s]+|'[^']*'|"[^"]*"))?)`;
const OPEN_TAG = String.raw`<[A-Za-z][A-Za-z0-9-]*${ATTRIBUTE}*\s*/?>`;
const CLOSE_TAG = String.raw`</[A-Za-z][A-Za-z0-9-]*\s*>`;
const GROWING_ATTRIBUTE = String.raw`(?:\s+(?:[a-zA-Z_:][a-zA-Z0-9_.:-]*(?:\s*=\s*(?:[^"'=<>\`\s]+|'[^']*|"[^"]*)?)?)?)?`;
const GROWING_TAG = String.raw`[A-Za-z][A-Za-z0-9-]*${ATTRIBUTE}*${GROWING_ATTRIBUTE}\s*/?`;
const GROWING = new RegExp(
  String.raw`^<(?:!-?|!\[[A-Z]*|/(?:[A-Za-z][A-Za-z0-9-]*\s*)?|${GROWING_TAG})?$`,
);
const TAG = new RegExp(`(?:${OPEN_TAG}|${CLOSE_TAG})`, 'y');
const LONE_TAG = new RegExp(`^(?:${OPEN_TAG}|${CLOSE_TAG})\\s*$`);
const TAG_WITH_MORE = new RegExp(`^(?:${OPEN_TAG}|${CLOSE_TAG})\\s*\\S`);

const BLOCK_NAMES =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|' +
  'fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|' +
  'menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul';

const STARTS: readonly (readonly [type: number, pattern: RegExp])[] = [
  [1, /^<(?:script|pre|textarea|style)(?:\s|>|$)/i],
  [2, /^<!--/],
  [3, /^<\?/],
  [4, /^<![A-Za-z]/],
  [5, /^<!\[CDATA\[/],
  [6, new RegExp(`^</?(?:${BLOCK_NAMES})(?:\\s|/?>|$)`, 'i')],
];

const ENDS: readonly RegExp[] = [/<\/(?:script|pre|textarea|style)>/i, /-->/, /\?>/, />/, /\]\]>/];

/** What the first characters of a line say about an HTML block: its type, 0 for none, or that more must be known. */
export function htmlBlockStart(
  rest: string,
  complete: boolean,
  inParagraph: boolean,
): number | 'wait' {
  if (!complete && /^<(?:[!?/]?[A-Za-z0-9-]*\/?|!\[[A-Z]*)$/.test(rest.slice(0, MAX_MARKER_LINE))) {
    return rest.length > MAX_MARKER_LINE ? 0 : 'wait';
  }
  for (const [type, pattern] of STARTS) if (pattern.test(rest)) return type;
  if (inParagraph || !/^<\/?[A-Za-z][A-Za-z0-9-]*[\s/>]/.test(rest)) return 0;
  if (rest.length > MAX_MARKER_LINE) return 0;
  if (LONE_TAG.test(rest) && complete) return 7;
  return complete || TAG_WITH_MORE.test(rest) ? 0 : 'wait';
}

/** Whether a line closes an HTML block of types 1 to 5. */
export function endsHtmlBlock(type: number, line: string): boolean {
  return ENDS[type - 1]?.test(line) ?? false;
}

const CLOSERS: readonly (readonly [opener: string, closer: string, from: number])[] = [
  ['<!--', '-->', 2],
  ['<?', '?>', 2],
  ['<![CDATA[', ']]>', 9],
  ['<!', '>', 2],
];

/**
 * Finds inline HTML at `start`. Returns its end, -1 when there is none, or `wait` when the text ends inside of something that
 * may become HTML.
 */
export function inlineHtmlEnd(text: string, start: number, to: number): number | 'wait' {
  const limit = Math.min(to, start + MAX_SPAN);
  const window = text.slice(start, limit);
  for (const [opener, closer, from] of CLOSERS) {
    if (!window.startsWith(opener)) continue;
    if (opener === '<!' && !/^<![A-Za-z]/.test(window)) break;
    if (opener === '<!--' && /^<!--(?:>|->)/.test(window)) return start + window.indexOf('>') + 1;
    const at = window.indexOf(closer, opener === '<!--' ? 4 : from);
    if (at >= 0) return start + at + closer.length;
    return limit === to ? 'wait' : -1;
  }
  TAG.lastIndex = 0;
  if (TAG.test(window)) return start + TAG.lastIndex;
  return limit === to && GROWING.test(window) ? 'wait' : -1;
}
