import { MAX_MARKER_LINE, MAX_SPAN } from './limits.js';
import type { ReadResult } from './links.js';

/** The beginning of a tag. Its last group is left open, because its users continue and close it. */
const TAG_START = String.raw`</?[a-z][a-z0-9-]*(?:[\s/](?:[\w\s.:=/-]|"[^"]*"|'[^']*')*`;
const TAG = `${TAG_START})?>`;
/** Inline HTML (CommonMark 6.6): a comment, processing instruction, CDATA section, declaration or tag. */
const INLINE = new RegExp(
  String.raw`^(?:<!--(?:-?>|[^]*?-->)|<\?[^]*?\?>|<!\[CDATA\[[^]*?\]\]>|<![a-z][^>]*>|${TAG})`,
  'i',
);
const PARTIAL_INLINE = new RegExp(
  String.raw`^<(?:$|/$|\?|!(?:$|[[a-z-]))|^${TAG_START}(?:"[^"]*|'[^']*)?)?$`,
  'i',
);

/** Returns the length of the inline HTML at the start of a text; `incomplete` when the text ends within what may become HTML. */
export function readInlineHtml(text: string): ReadResult<number> {
  const length = INLINE.exec(text)?.[0].length;
  return length ?? (text.length < MAX_SPAN && PARTIAL_INLINE.test(text) ? 'incomplete' : null);
}

const BLOCK_NAMES =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|' +
  'fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|' +
  'menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul';

/** Start and end conditions of HTML blocks (CommonMark 4.6). A block without end condition ends at a blank line. */
const BLOCKS: readonly (readonly [start: RegExp, end: RegExp | null])[] = [
  [/^<(?:script|pre|textarea|style)(?:[\s>]|$)/i, /<\/(?:script|pre|textarea|style)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![a-z]/i, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [new RegExp(`^</?(?:${BLOCK_NAMES})(?:\\s|/?>|$)`, 'i'), null],
];
const LONE_TAG = new RegExp(`^${TAG}\\s*$`, 'i');

/** The start of an HTML block. */
export interface HtmlStart {
  readonly kind: 'html';
  /** Matches its last line; null when a blank line ends it. */
  readonly end: RegExp | null;
}

/** Reads the start of an HTML block at the start of a line; `incomplete` when more of the line is needed. */
export function readHtmlBlockStart(
  rest: string,
  complete: boolean,
  inParagraph: boolean,
): ReadResult<HtmlStart> {
  const isShort = rest.length <= MAX_MARKER_LINE;
  // The line ends within a tag name, or within the characters that distinguish the kinds of `<!`.
  if (!complete && isShort && /^<(?:[!?/]?[a-z0-9-]*\/?|!\[[a-z]*)$/i.test(rest))
    return 'incomplete';
  for (const [start, end] of BLOCKS) if (start.test(rest)) return { kind: 'html', end };
  if (inParagraph || !isShort) return null;
  if (complete) return LONE_TAG.test(rest) ? { kind: 'html', end: null } : null;
  return PARTIAL_INLINE.test(rest) || LONE_TAG.test(rest) ? 'incomplete' : null;
}
