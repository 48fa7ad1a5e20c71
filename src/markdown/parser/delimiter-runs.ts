import { MAX_PREVIEW, MAX_SPAN } from './limits.js';
import { characterAt, characterBefore, isPunctuation, isSpace } from './characters.js';
import type { InlineTag } from './html.js';
import { createInline, type InlineKind } from './inline.js';
import { Token } from './tokens.js';

/**
 * The first character of the CJK blocks. Characters beyond the BMP, such as emoji, are compared by their high surrogate, and count as CJK
 * like the other blocks from here on.
 */
const CJK_START = '\u2e80';

/** Maximum number of previewed runs. More unclosed runs are probably not emphasis. */
const MAX_PREVIEWS = 4;

/** Length of the longest previewed run: strong and emphasis. */
const MAX_PREVIEW_LENGTH = 3;

/** Punctuation that opens a quotation or bracket. */
const OPENING_PUNCTUATION = /[\p{Ps}\p{Pi}*_~]/u;
/** Punctuation that closes a quotation, bracket or sentence. */
const CLOSING_PUNCTUATION = /[\p{Pe}\p{Pf},.:;?]/u;

/** A token that may open or close a span. Its text consists of the delimiters, or the tag, that are not matched yet. */
export type SpanDelimiter = DelimiterRun | TagDelimiter;

/** The tag of an inline element. Like a delimiter run, it stays text unless it is matched. */
export class TagDelimiter extends Token {
  /** The kind of the element, which pairs only with itself. */
  readonly delimiter: InlineKind;
  readonly length = 0;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  readonly mayPreview = true;

  constructor(start: number, text: string, { kind, isClosing }: InlineTag) {
    super(start, text);
    this.delimiter = kind;
    this.canOpen = !isClosing;
    this.canClose = isClosing;
  }
}

/** A delimiter run of `*`, `_` or `~`. */
export class DelimiterRun extends Token {
  readonly delimiter: string;
  readonly length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  /** Whether emphasis is rendered before it is closed, because the run probably opens it. */
  readonly mayPreview: boolean;

  /** Classifies the run between two positions by the characters around it (CommonMark 6.2). */
  constructor(text: string, start: number, end: number) {
    super(start, text.slice(start, end));
    const before = characterBefore(text, start);
    const after = characterAt(text, end);
    const punctuationBefore = isPunctuation(before);
    const punctuationAfter = isPunctuation(after);
    const isLeftFlanking =
      !isSpace(after) && (!punctuationAfter || punctuationBefore || isSpace(before));
    const isRightFlanking =
      !isSpace(before) && (!punctuationBefore || punctuationAfter || isSpace(after));
    this.delimiter = text.charAt(start);
    this.length = end - start;
    const isUnderscore = this.delimiter === '_';
    this.canOpen = isLeftFlanking && (!isUnderscore || !isRightFlanking || punctuationBefore);
    this.canClose = isRightFlanking && (!isUnderscore || !isLeftFlanking || punctuationAfter);
    // Emphasis is previewed where a run cannot close emphasis; next to CJK characters, which have no spaces between words; and between two
    // punctuation characters if the second one is opening, as in `)*[`, or if the first one is opening and the second one is not closing,
    // as in `(*!`.
    const isAtOpening =
      OPENING_PUNCTUATION.test(after) ||
      (OPENING_PUNCTUATION.test(before) && !CLOSING_PUNCTUATION.test(after));
    this.mayPreview = !isRightFlanking || before >= CJK_START || after >= CJK_START || isAtOpening;
  }
}

/**
 * Matches delimiter runs by the algorithm of CommonMark and returns the unmatched openers. Openers and closers further apart than
 * MAX_SPAN are not matched, so that an unclosed opener does not add to the cost of the rest of the text.
 */
export function matchRuns(runs: readonly SpanDelimiter[]): SpanDelimiter[] {
  const openers: SpanDelimiter[] = [];
  for (const run of runs) {
    while (run.canClose && run.text !== '') {
      const index = findOpener(openers, run);
      const opener = openers[index];
      if (opener === undefined) break;
      wrapSpan(opener, run);
      openers.length = opener.text === '' ? index : index + 1;
    }
    if (run.canOpen && run.text !== '') openers.push(run);
  }
  return openers;
}

/** Returns the index of the last opener that matches, or -1. */
function findOpener(openers: readonly SpanDelimiter[], closer: SpanDelimiter): number {
  for (let index = openers.length - 1; index >= 0; index -= 1) {
    const opener = openers[index];
    if (opener === undefined || closer.start - opener.start > MAX_SPAN) break;
    if (canPair(opener, closer)) return index;
  }
  return -1;
}

/**
 * Whether two delimiters of one kind pair: by the rule of multiples of 3 (CommonMark 6.2, rules 9 and 10); for strikethrough, if both runs
 * have the same length.
 */
function canPair(opener: SpanDelimiter, closer: SpanDelimiter): boolean {
  if (opener.delimiter !== closer.delimiter) return false;
  if (closer.delimiter === '~') return opener.length === closer.length;
  const mayBeBoth = closer.canOpen || opener.canClose;
  return !mayBeBoth || closer.length % 3 === 0 || (opener.length + closer.length) % 3 !== 0;
}

function wrapSpan(opener: SpanDelimiter, closer: SpanDelimiter): void {
  if (opener instanceof TagDelimiter) {
    openTag(opener);
    closer.closes = [closer.text];
    closer.text = '';
    return;
  }
  const delimiters = closer.text.slice(0, opener.text.length > 1 ? 2 : 1);
  opener.opens = [createInline(kindOf(delimiters), delimiters), ...opener.opens];
  closer.closes = [...closer.closes, delimiters];
  opener.text = opener.text.slice(delimiters.length);
  closer.text = closer.text.slice(delimiters.length);
}

function openTag(tag: TagDelimiter): void {
  tag.opens = [createInline(tag.delimiter, tag.text)];
  tag.text = '';
}

function kindOf(delimiters: string): InlineKind {
  if (delimiters.startsWith('~')) return 'del';
  return delimiters.length > 1 ? 'strong' : 'em';
}

/**
 * Opens the spans of probable openers, so that emphasis is rendered before its closing delimiter arrives. `buildInlines` closes these spans at
 * the end of the text.
 */
export function previewRuns(openers: readonly SpanDelimiter[], end: number): void {
  const likely = openers.filter(
    ({ start, mayPreview }) => mayPreview && end - start <= MAX_PREVIEW,
  );
  if (likely.length > MAX_PREVIEWS) return;
  for (const run of likely) {
    if (run instanceof TagDelimiter) {
      openTag(run);
      continue;
    }
    const { delimiter, text } = run;
    if (run.length > MAX_PREVIEW_LENGTH || (delimiter === '~' && run.length !== 2)) continue;
    run.text = '';
    const double = delimiter + delimiter;
    if (text.length > 1) run.opens = [createInline(kindOf(double), double), ...run.opens];
    if (text.length !== 2) run.opens = [createInline('em', delimiter), ...run.opens];
  }
}
