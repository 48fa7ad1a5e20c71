import { MAX_SPAN, type CodePlace, type CodeState } from './code-state.js';

const NEWLINE = 10;
const BACKTICK = 96;

/**
 * A tag behind backticks on its line, and what has followed: code if the same number of backticks closes it in time, a tag if not.
 * Behind three or more at the beginning of a line it is the info of a fence, unless another backtick comes.
 */
export interface SpanHold {
  readonly kind: 'span';
  /** The tag and what has followed it. */
  text: string;
  /** Backticks that close. */
  readonly ticks: number;
  /** Units since the opening ones. */
  since: number;
  run: number;
  fenceLine: boolean;
}

/** Holds what comes at a place that may be code. The tag itself is the first that comes. */
export function createSpanHold(code: CodeState, place: CodePlace): SpanHold {
  return {
    kind: 'span',
    text: '',
    ticks: code.span,
    since: code.since,
    run: 0,
    fenceLine: place === 'fence-line',
  };
}

/** What it is when nothing more comes. */
export function endSpan(hold: SpanHold): 'code' | 'void' {
  return hold.fenceLine || (hold.run > 0 && hold.run === hold.ticks) ? 'code' : 'void';
}

/** Takes one more unit, unless it decides. */
export function spanUnit(hold: SpanHold, unit: number): 'more' | 'code' | 'void' {
  if (unit !== BACKTICK && hold.run > 0) {
    if (hold.run === hold.ticks) return 'code';
    hold.since += hold.run;
    hold.run = 0;
  }
  if (unit === NEWLINE) return hold.fenceLine ? 'code' : 'void';
  if (unit === BACKTICK) {
    hold.run += 1;
    hold.fenceLine = false;
  } else {
    hold.since += 1;
    if (hold.since > MAX_SPAN) return hold.fenceLine ? 'code' : 'void';
  }
  hold.text += String.fromCharCode(unit);
  return 'more';
}
