import { isBlankText, isBlankUnit } from '../split/blanks.js';

/**
 * White space at the ends of a text between two tags (rule 16 of `ubik.md` 7.2): one line break on each side belongs to the tag, and
 * a run of nothing but blanks is no text. So the beginning is held until something else than blanks comes, and so is a line break at
 * the end, with the blanks behind it.
 */
export interface TextRun {
  /** Something else than blanks has come. */
  started: boolean;
  /** A tag stands before the run: its line break goes. */
  afterTag: boolean;
  /** Blanks at the beginning. */
  lead: string;
  /** A line break at the end, and the blanks behind it. */
  tail: string;
}

/** The run at the beginning of a text: nothing stands before it. */
export function createTextRun(): TextRun {
  return { started: false, afterTag: false, lead: '', tail: '' };
}

/** The run behind a tag. */
export function breakRun(run: TextRun, afterTag = true): void {
  run.started = false;
  run.afterTag = afterTag;
  run.lead = '';
  run.tail = '';
}

/** Takes a piece; gives what is text for sure. */
export function runText(run: TextRun, text: string): string {
  if (!run.started && isBlankText(text)) {
    run.lead += text;
    return '';
  }
  const piece = run.started ? text : startRun(run) + text;
  const body = run.started ? piece : dropBreak(run, piece);
  run.started = true;
  return holdTail(run, body);
}

/** What is held before something that is no blank, such as a mark. */
export function runMark(run: TextRun): string {
  if (run.started) {
    const { tail } = run;
    run.tail = '';
    return tail;
  }
  const lead = dropBreak(run, startRun(run));
  run.started = true;
  return lead;
}

/** What is held at the end of all text: no tag follows, so it is text. */
export function endRun(run: TextRun): string {
  const { tail } = run;
  run.tail = '';
  return tail;
}

function startRun(run: TextRun): string {
  const { lead } = run;
  run.lead = '';
  return lead;
}

function dropBreak(run: TextRun, text: string): string {
  if (!run.afterTag) return text;
  let at = 0;
  while (isBlankUnit(text.charCodeAt(at))) at += 1;
  return text.charCodeAt(at) === 10 ? text.slice(at + 1) : text;
}

function holdTail(run: TextRun, text: string): string {
  let at = text.length;
  while (at > 0 && isBlankUnit(text.charCodeAt(at - 1))) at -= 1;
  if (at === 0 && run.tail !== '') {
    run.tail += text;
    return '';
  }
  const told = run.tail;
  const cut = at > 0 && text.charCodeAt(at - 1) === 10 ? at - 1 : text.length;
  run.tail = text.slice(cut);
  return told + text.slice(0, cut);
}
