import type { InlineKind } from './inline.js';
import { MAX_MARKER_LINE, MAX_SPAN } from './limits.js';
import type { ReadResult } from './links.js';

/** Attributes of a tag. The outer group is not closed: the patterns that contain it continue and close it. */
const ATTRIBUTES = String.raw`(?:[\s/](?:[\w\s.:=/-]|"[^"]*"|'[^']*')*`;
const TAG_START = `</?[a-z][a-z0-9-]*${ATTRIBUTES}`;
const TAG = `${TAG_START})?>`;
/** Inline HTML (CommonMark 6.6): a comment, processing instruction, CDATA section, declaration or tag. */
const INLINE = new RegExp(
  String.raw`^(?:<!--(?:-?>|[^]*?-->)|<\?[^]*?\?>|<!\[CDATA\[[^]*?\]\]>|<![a-z][^>]*>|${TAG})`,
  'i',
);
/**
 * A whole text that may become inline HTML when more follows: the start of a comment, processing instruction, CDATA section or declaration, at
 * any length, or a tag that ends within its name, its attributes or a quoted value (the last group, which also closes that of `ATTRIBUTES`).
 */
const PARTIAL_INLINE = new RegExp(
  String.raw`^<(?:$|/$|\?|!(?:$|[[a-z-]))|^${TAG_START}(?:"[^"]*|'[^']*)?)?$`,
  'i',
);

/** Returns the length of the inline HTML at the start of a text; `incomplete` when the text ends within what may become HTML. */
export function readInlineHtml(text: string): ReadResult<number> {
  const length = INLINE.exec(text)?.[0].length;
  return length ?? (text.length < MAX_SPAN && PARTIAL_INLINE.test(text) ? 'incomplete' : null);
}

/** The inline elements that are rendered, by their tag. Their attributes are ignored. */
const INLINE_ELEMENTS: ReadonlyMap<string, InlineKind> = new Map([
  ['br', 'br'],
  ['sub', 'sub'],
  ['sup', 'sup'],
  ['kbd', 'kbd'],
  ['mark', 'highlight'],
]);

/** The tag of an inline element that is rendered. */
export interface InlineTag {
  readonly kind: InlineKind;
  readonly isClosing: boolean;
}

/** Returns the inline element of a tag; null for other HTML. There is no closing tag of a line break. */
export function inlineTagOf(html: string): InlineTag | null {
  const [, slash = '', name = ''] = /^<(\/?)([a-z][a-z0-9-]*)/i.exec(html) ?? [];
  const kind = INLINE_ELEMENTS.get(name.toLowerCase());
  const isClosing = slash !== '';
  return kind === undefined || (isClosing && kind === 'br') ? null : { kind, isClosing };
}

const DETAILS_TAG = new RegExp(`^<(/?details|summary)(${ATTRIBUTES})?)>`, 'i');
const PARTIAL_DETAILS_TAG = /^<(?:\/?details|summary)[\s/]/i;

/** A tag of a `<details>` element, or the start tag of a `<summary>`. */
export interface DetailsTag {
  /** `details`, `/details` or `summary`. */
  readonly name: string;
  readonly length: number;
  /** Whether it has the attribute `open`. Other attributes are ignored. */
  readonly isOpen: boolean;
}

/**
 * Reads a {@link DetailsTag} at the start of a line; `incomplete` when the line ends after its name. When the line ends within the name, it
 * returns null: {@link readHtmlBlockStart}, which the caller tries next, then returns `incomplete`.
 */
export function readDetailsTag(rest: string, complete: boolean): ReadResult<DetailsTag> {
  const window = rest.slice(0, MAX_MARKER_LINE);
  const [tag, name = '', attributes = ''] = DETAILS_TAG.exec(window) ?? [];
  if (tag !== undefined) {
    const isOpen = /\sopen(?![\w:.-])/i.test(attributes.replace(/"[^"]*"|'[^']*'/g, ''));
    return { name: name.toLowerCase(), length: tag.length, isOpen };
  }
  const mayBeTag = !complete && PARTIAL_DETAILS_TAG.test(window) && PARTIAL_INLINE.test(rest);
  return mayBeTag && rest.length <= MAX_MARKER_LINE ? 'incomplete' : null;
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
  /** Matches the last line of the block; null when a blank line ends the block. */
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
  // A line that begins with the tag of an inline element that is rendered is a paragraph.
  if (inlineTagOf(rest)) return null;
  if (complete) return LONE_TAG.test(rest) ? { kind: 'html', end: null } : null;
  return PARTIAL_INLINE.test(rest) || LONE_TAG.test(rest) ? 'incomplete' : null;
}
