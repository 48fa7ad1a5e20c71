import { MAX_INLINE_DEPTH } from './limits.js';
import { BLANKS, trimEnd } from './characters.js';
import { appendInline, appendText, type Inline, plainText } from './inline.js';

/** A shared empty list, since most tokens have empty lists. */
const EMPTY: readonly never[] = [];

/** A range of the source during parsing: the spans that end before it, its content, and the spans that begin after it. */
export class Token {
  /** Position in the source. */
  readonly start: number;
  text: string;
  /** Whether the text equals the source, so that parsing may resume anywhere in it. */
  readonly isPlain: boolean;
  /** The inline node, unless it is text. */
  readonly inline: Inline | null;
  /** The closing delimiters of the spans that end here. */
  closes: readonly string[] = EMPTY;
  /** The spans that begin here, outermost first. */
  opens: readonly Inline[] = EMPTY;

  constructor(start: number, text: string, isPlain = false, inline: Inline | null = null) {
    this.start = start;
    this.text = text;
    this.isPlain = isPlain;
    this.inline = inline;
  }
}

/** The inline nodes of a text that may continue. */
export interface InlineResult {
  /** Nodes that cannot change, whatever follows. */
  readonly stable: readonly Inline[];
  /** The following nodes, which may change. */
  readonly tail: readonly Inline[];
  /** Position in the source where the tail begins, and where parsing has to resume. */
  readonly resumeAt: number;
}

/** Builds inline nodes from tokens, split at the last position up to `limit` where no span is open. */
export function buildInlines(tokens: readonly Token[], from: number, limit: number): InlineResult {
  const stable: Inline[] = [];
  const tail: Inline[] = [];
  const outer: Inline[][] = [];
  let list = tail;
  let resumeAt = from;
  for (const { start, text, isPlain, inline, closes, opens } of tokens) {
    let remaining = text;
    for (const delimiter of closes) list = closeSpan(list, outer, delimiter);
    if (list === tail && closes.length === 0 && start <= limit) {
      for (const entry of tail) appendInline(stable, entry);
      tail.length = 0;
      resumeAt = start;
      if (isPlain) {
        resumeAt = Math.min(limit, start + text.length);
        appendText(stable, text.slice(0, resumeAt - start));
        remaining = text.slice(resumeAt - start);
      }
    }
    if (inline === null) appendText(list, remaining);
    else list.push(inline);
    for (const span of opens) list = openSpan(list, outer, span);
  }
  // Closes the spans that are previewed at the end of the text.
  while (outer.length > 0) list = closeSpan(list, outer, '');
  return { stable, tail, resumeAt };
}

/** Opens a span. The delimiters of a span that is nested too deeply are rendered as text. */
function openSpan(list: Inline[], outer: Inline[][], span: Inline): Inline[] {
  outer.push(list);
  if (outer.length > MAX_INLINE_DEPTH) {
    appendText(list, span.text);
    return list;
  }
  list.push(span);
  span.text = '';
  return span.children;
}

/**
 * Closes the innermost span and returns the list that continues after it. Reduces the content of an image to its plain text, and replaces
 * links inside a link with their content. Removes any other span that is empty.
 */
function closeSpan(list: Inline[], outer: Inline[][], delimiter: string): Inline[] {
  if (outer.length > MAX_INLINE_DEPTH) appendText(list, delimiter);
  const parent = outer.pop() ?? list;
  const span = parent.at(-1);
  if (span?.children !== list) return parent;
  if (span.kind === 'image') span.text = plainText(list.splice(0));
  else if (span.kind === 'link') {
    if (hasLink(list)) list.splice(0, list.length, ...withoutLinks(list));
  }
  // An empty span, such as one that is previewed at the end of the text.
  else if (list.length === 0) parent.pop();
  return parent;
}

function hasLink(list: readonly Inline[]): boolean {
  return list.some(({ kind, children }) => kind === 'link' || hasLink(children));
}

/** Replaces links with their content. */
function withoutLinks(list: readonly Inline[]): Inline[] {
  return list.flatMap((entry) => {
    const children = withoutLinks(entry.children);
    return entry.kind === 'link' ? children : [{ ...entry, children }];
  });
}

/** Maximum number of characters at the end of a word that count as unstable. */
const MAX_UNSTABLE_WORD = 512;

/**
 * Returns the length of the stable text: the text before `unstableStart` and before the last word of the text, without white space at its
 * end.
 */
export function findStableEnd(text: string, unstableStart: number): number {
  const shown = trimEnd(text, BLANKS);
  const floor = shown.length - MAX_UNSTABLE_WORD;
  let word = shown.length;
  while (word > 0 && word > floor && !BLANKS.includes(shown.charAt(word - 1))) word -= 1;
  return trimEnd(shown.slice(0, Math.min(word, unstableStart)), BLANKS).length;
}
