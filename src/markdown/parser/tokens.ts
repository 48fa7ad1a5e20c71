import { MAX_INLINE_DEPTH } from './limits.js';
import { BLANKS, trimEnd } from './characters.js';
import { appendInline, appendText, type Inline, plainText } from './inline.js';

/** Most tokens have nothing in their lists: they share an empty one. */
const EMPTY: readonly never[] = [];

/** A stretch of source while a line is read: what ends at it, what it says, and what begins behind it. */
export class Token {
  /** Where it begins in the source. */
  readonly start: number;
  text: string;
  /** Whether the text is the source itself, so that reading may begin anew anywhere in it. */
  readonly isPlain: boolean;
  /** What it says, unless it is text. */
  readonly inline: Inline | null;
  /** The constructs that end here, by the signs with which they end. */
  closes: readonly string[] = EMPTY;
  /** The constructs that begin here, outermost first. */
  opens: readonly Inline[] = EMPTY;

  constructor(start: number, text: string, isPlain = false, said: Inline | null = null) {
    this.start = start;
    this.text = text;
    this.isPlain = isPlain;
    this.inline = said;
  }
}

/** What a stretch of text says. */
export interface InlineResult {
  /** What can no longer change, whatever follows. */
  readonly stable: readonly Inline[];
  /** What is behind it, as it looks now. */
  readonly tail: readonly Inline[];
  /** Where in the source the tail begins. */
  readonly resumeAt: number;
}

/** Makes of tokens what they say, divided at the last place up to `limit` at which nothing is open. */
export function buildInlines(tokens: readonly Token[], from: number, limit: number): InlineResult {
  const settled: Inline[] = [];
  const tail: Inline[] = [];
  const outer: Inline[][] = [];
  let list = tail;
  let safe = from;
  for (const { start, text, isPlain, inline: said, closes, opens } of tokens) {
    let rest = text;
    for (const sign of closes) list = closeSpan(list, outer, sign);
    if (list === tail && closes.length === 0 && start <= limit) {
      for (const entry of tail) appendInline(settled, entry);
      tail.length = 0;
      safe = start;
      if (isPlain) {
        safe = Math.min(limit, start + text.length);
        appendText(settled, text.slice(0, safe - start));
        rest = text.slice(safe - start);
      }
    }
    if (said === null) appendText(list, rest);
    else list.push(said);
    for (const span of opens) list = openSpan(list, outer, span);
  }
  while (outer.length > 0) list = closeSpan(list, outer, '');
  return { stable: settled, tail, resumeAt: safe };
}

/** Begins a construct. Those too deep inside one another stay as they were written. */
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

function closeSpan(list: Inline[], outer: Inline[][], sign: string): Inline[] {
  if (outer.length > MAX_INLINE_DEPTH) appendText(list, sign);
  const parent = outer.pop() ?? list;
  const span = parent.at(-1);
  if (span?.children !== list) return parent;
  if (span.kind === 'image') span.text = plainText(list.splice(0));
  else if (span.kind === 'link') list.splice(0, list.length, ...withoutLinks(list));
  // What is only guessed to begin at the end of the text has nothing in it yet.
  else if (list.length === 0) parent.pop();
  return parent;
}

/** A link inside of a link gives way to its text. */
function withoutLinks(list: readonly Inline[]): Inline[] {
  return list.flatMap((entry) => {
    const children = withoutLinks(entry.children);
    return entry.kind === 'link' ? children : [{ ...entry, children }];
  });
}

/** A word that goes on for longer than this is settled but for its end. */
const MAX_UNSTABLE_WORD = 512;

/** How much of a text that goes on cannot change any more, if what begins at `alive` can: neither its last word nor the spaces before it. */
export function findStableEnd(text: string, alive: number): number {
  const shown = trimEnd(text, BLANKS);
  const floor = shown.length - MAX_UNSTABLE_WORD;
  let word = shown.length;
  while (word > 0 && word > floor && !BLANKS.includes(shown.charAt(word - 1))) word -= 1;
  return trimEnd(shown.slice(0, Math.min(word, alive)), BLANKS).length;
}
