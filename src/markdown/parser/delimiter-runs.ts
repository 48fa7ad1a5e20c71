import { MAX_PREVIEW, MAX_SPAN } from './limits.js';
import { characterAt, characterBefore, isPunctuation, isSpace } from './characters.js';
import { createInline, type InlineKind } from './inline.js';
import { Token } from './tokens.js';

/** Where the letters of East Asia begin; signs beyond the first plane are compared by their first half. */
const CJK_START = '\u2e80';

/** What stands at the beginning of a sentence or a bracket, and at its end. */
const OPENING_PUNCTUATION = /[\p{Ps}\p{Pi}*_~]/u;
const CLOSING_PUNCTUATION = /[\p{Pe}\p{Pf},.:;?]/u;

/** A run of `*`, `_` or `~`; its text is the signs that have not found their other half. */
export class DelimiterRun extends Token {
  readonly sign: string;
  readonly length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  /** Whether it is likely enough to open emphasis to be shown so before its end is there. */
  readonly mayPreview: boolean;

  /** Looks at the signs between two places and what stands around them. */
  constructor(text: string, start: number, end: number) {
    super(start, text.slice(start, end));
    const before = characterBefore(text, start);
    const after = characterAt(text, end);
    const punctuationBefore = isPunctuation(before);
    const punctuationAfter = isPunctuation(after);
    const left = !isSpace(after) && (!punctuationAfter || punctuationBefore || isSpace(before));
    const right = !isSpace(before) && (!punctuationBefore || punctuationAfter || isSpace(after));
    this.sign = text.charAt(start);
    this.length = end - start;
    const isWord = this.sign === '_';
    this.canOpen = left && (!isWord || !right || punctuationBefore);
    this.canClose = right && (!isWord || !left || punctuationAfter);
    // Where words are not divided by spaces, emphasis begins between two letters; and it begins beside an opening bracket.
    const isOuter =
      OPENING_PUNCTUATION.test(after) ||
      (OPENING_PUNCTUATION.test(before) && !CLOSING_PUNCTUATION.test(after));
    const isBetween = punctuationBefore && punctuationAfter;
    this.mayPreview = !right || before >= CJK_START || after >= CJK_START || (isBetween && isOuter);
  }
}

/**
 * Pairs runs by CommonMark's method and returns the openers that are left. Two halves may not be further apart than MAX_SPAN, so
 * that an opener without an end costs nothing for ever.
 */
export function matchRuns(runs: readonly DelimiterRun[]): DelimiterRun[] {
  const openers: DelimiterRun[] = [];
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

/** The place of the last opener that fits, or -1. */
function findOpener(openers: readonly DelimiterRun[], closer: DelimiterRun): number {
  for (let index = openers.length - 1; index >= 0; index -= 1) {
    const opener = openers[index];
    if (opener === undefined || closer.start - opener.start > MAX_SPAN) break;
    if (canPair(opener, closer)) return index;
  }
  return -1;
}

/** CommonMark's rule of three, and for strikethrough that both halves are of one length. */
function canPair(opener: DelimiterRun, closer: DelimiterRun): boolean {
  if (opener.sign !== closer.sign) return false;
  if (closer.sign === '~') return opener.length === closer.length;
  const mayBeBoth = closer.canOpen || opener.canClose;
  return !mayBeBoth || closer.length % 3 === 0 || (opener.length + closer.length) % 3 !== 0;
}

function wrapSpan(opener: DelimiterRun, closer: DelimiterRun): void {
  const isDouble = opener.text.length > 1 && closer.text.length > 1;
  const signs = closer.text.slice(0, isDouble ? 2 : 1);
  opener.opens = [createInline(kindOf(signs), signs), ...opener.opens];
  closer.closes = [...closer.closes, signs];
  opener.text = opener.text.slice(signs.length);
  closer.text = closer.text.slice(signs.length);
}

function kindOf(signs: string): InlineKind {
  if (signs.startsWith('~')) return 'del';
  return signs.length > 1 ? 'strong' : 'em';
}

/** Shows openers without an end as what they will most likely be, up to the end of the text. */
export function previewRuns(openers: readonly DelimiterRun[], end: number): void {
  const likely = openers.filter(
    ({ start, mayPreview: mayGuess }) => mayGuess && end - start <= MAX_PREVIEW,
  );
  if (likely.length > 4) return;
  for (const run of likely) {
    const { sign, text } = run;
    if (run.length > 3 || (sign === '~' && run.length !== 2)) continue;
    run.text = '';
    const double = createInline(kindOf(sign + sign), sign + sign);
    if (text.length > 1) run.opens = [double, ...run.opens];
    if (text.length !== 2) run.opens = [createInline('em', sign), ...run.opens];
  }
}
