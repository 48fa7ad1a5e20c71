import { MAX_GUESS, MAX_SPAN } from '../syntax/limits.js';
import { characterAt, characterBefore, isPunctuation, isSpace } from '../syntax/characters.js';
import { inline, type InlineKind } from './inline.js';
import { Token } from './tokens.js';

/** Where the letters of East Asia begin; signs beyond the first plane are compared by their first half. */
const EAST = '\u2e80';

/** What stands at the beginning of a sentence or a bracket, and at its end. */
const OPENING = /[\p{Ps}\p{Pi}*_~]/u;
const CLOSING = /[\p{Pe}\p{Pf},.:;?]/u;

/** A run of `*`, `_` or `~`; its text is the signs that have not found their other half. */
export class Run extends Token {
  readonly sign: string;
  readonly length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  /** Whether it is likely enough to open emphasis to be shown so before its end is there. */
  readonly mayGuess: boolean;

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
    const isOuter = OPENING.test(after) || (OPENING.test(before) && !CLOSING.test(after));
    const isBetween = punctuationBefore && punctuationAfter;
    this.mayGuess = !right || before >= EAST || after >= EAST || (isBetween && isOuter);
  }
}

/**
 * Pairs runs by CommonMark's method and returns the openers that are left. Two halves may not be further apart than MAX_SPAN, so
 * that an opener without an end costs nothing for ever.
 */
export function pairRuns(runs: readonly Run[]): Run[] {
  const openers: Run[] = [];
  for (const run of runs) {
    while (run.canClose && run.text !== '') {
      const index = findOpener(openers, run);
      const opener = openers[index];
      if (opener === undefined) break;
      join(opener, run);
      openers.length = opener.text === '' ? index : index + 1;
    }
    if (run.canOpen && run.text !== '') openers.push(run);
  }
  return openers;
}

/** The place of the last opener that fits, or -1. */
function findOpener(openers: readonly Run[], closer: Run): number {
  for (let index = openers.length - 1; index >= 0; index -= 1) {
    const opener = openers[index];
    if (opener === undefined || closer.start - opener.start > MAX_SPAN) break;
    if (fits(opener, closer)) return index;
  }
  return -1;
}

/** CommonMark's rule of three, and for strikethrough that both halves are of one length. */
function fits(opener: Run, closer: Run): boolean {
  if (opener.sign !== closer.sign) return false;
  if (closer.sign === '~') return opener.length === closer.length;
  const mayBeBoth = closer.canOpen || opener.canClose;
  return !mayBeBoth || closer.length % 3 === 0 || (opener.length + closer.length) % 3 !== 0;
}

function join(opener: Run, closer: Run): void {
  const isDouble = opener.text.length > 1 && closer.text.length > 1;
  const signs = closer.text.slice(0, isDouble ? 2 : 1);
  opener.opens = [inline(kindOf(signs), signs), ...opener.opens];
  closer.closes = [...closer.closes, signs];
  opener.text = opener.text.slice(signs.length);
  closer.text = closer.text.slice(signs.length);
}

function kindOf(signs: string): InlineKind {
  if (signs.startsWith('~')) return 'del';
  return signs.length > 1 ? 'strong' : 'em';
}

/** Shows openers without an end as what they will most likely be, up to the end of the text. */
export function guessRuns(openers: readonly Run[], end: number): void {
  const likely = openers.filter(({ start, mayGuess }) => mayGuess && end - start <= MAX_GUESS);
  if (likely.length > 4) return;
  for (const run of likely) {
    const { sign, text } = run;
    if (run.length > 3 || (sign === '~' && run.length !== 2)) continue;
    run.text = '';
    const double = inline(kindOf(sign + sign), sign + sign);
    if (text.length > 1) run.opens = [double, ...run.opens];
    if (text.length !== 2) run.opens = [inline('em', sign), ...run.opens];
  }
}
