import { MAX_SPAN } from '../syntax/limits.js';
import { growingMark, withoutMarks } from '../syntax/marks.js';

const BACKTICKS = /`+/g;

/** The place at or behind `inside` where as many backticks close code that is not too long; -1 without one. */
export function findCodeEnd(text: string, inside: number, length: number, open: boolean): number {
  const end = inside + MAX_SPAN - length;
  BACKTICKS.lastIndex = inside;
  for (
    let run = BACKTICKS.exec(text);
    run !== null && run.index + length <= end;
    run = BACKTICKS.exec(text)
  ) {
    // A run at the end of a text that goes on may still grow.
    const mayGrow = open && BACKTICKS.lastIndex === text.length;
    if (run[0].length === length && !mayGrow) return run.index;
  }
  return -1;
}

/** Code without the spaces around it and without marks. */
export function codeText(source: string): string {
  // A guess may end in half a mark.
  const text = withoutMarks(source.slice(0, growingMark(source)).replace(/\n/g, ' '));
  const isPadded = text.startsWith(' ') && text.endsWith(' ') && /[^ ]/.test(text);
  return isPadded ? text.slice(1, -1) : text;
}
