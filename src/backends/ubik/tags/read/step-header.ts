import { isBlankText, trimBlanks } from '../split/blanks.js';
import { createCodeState, type CodeState } from '../split/code-state.js';
import type { Container } from './content-writer.js';
import { HEADER_REACH, isStepHeader, parseStepHeader, type StepHeader } from './payload.js';
import type { Reading } from './reading.js';

/** A step whose end has not come. */
export interface OpenStep {
  readonly code: CodeState;
  header: StepHeader | null;
  single: boolean;
  /** What is in it; null before its first part, while its header may still come. */
  inside: Container | null;
  search: HeaderSearch | null;
}

/** The first line of a step that is not blank, as far as it has come. */
export interface HeaderSearch {
  /** Blanks before it. */
  lead: string;
  line: string;
  /** The line in pieces: text, and citations, which become marks if the line is no header. */
  readonly pieces: { readonly text: string; readonly isCitation: boolean }[];
  /** Enough of the line has come to know that it is a header. */
  sure: boolean;
}

/** A step that has just begun. */
export function createOpenStep(): OpenStep {
  const search = { lead: '', line: '', pieces: [], sure: false };
  return { code: createCodeState(), header: null, single: false, inside: null, search };
}

/** Takes text while the header may still come. */
export function searchText(reading: Reading, step: OpenStep, text: string): void {
  const { search } = step;
  if (!search) return;
  const from = search.line === '' ? lengthOfBlanks(text) : 0;
  search.lead += text.slice(0, from);
  if (from === text.length) return;
  const end = text.indexOf('\n', from);
  const piece = text.slice(from, end < 0 ? text.length : end);
  search.line += piece;
  search.pieces.push({ text: piece, isCitation: false });
  if (end >= 0) {
    const isHeader = settleLine(reading, step, search);
    // The line break behind the header belongs to it; the one behind a line of text to the text.
    reading.text(text.slice(isHeader ? end + 1 : end));
  } else if (!search.sure && search.line.length >= HEADER_REACH) {
    search.sure = isStepHeader(search.line);
    if (!search.sure) settleLine(reading, step, search);
  }
}

/** Takes a citation while the header may still come; false when the line is none, so that the citation is told as one. */
export function searchCitation(reading: Reading, step: OpenStep, source: string): boolean {
  const { search } = step;
  if (!search) return false;
  if (search.line === '') {
    settleLine(reading, step, search);
    return false;
  }
  search.line += source;
  search.pieces.push({ text: source, isCitation: true });
  return true;
}

/** A tag ends the line that may be the header. Before any line, the search goes on behind the tag. */
export function settleHeaderLine(reading: Reading, step: OpenStep): void {
  const { search } = step;
  if (!search) return;
  if (search.line === '') search.lead = '';
  else settleLine(reading, step, search);
}

/** The line is complete: the header, or else text. Tells which. */
function settleLine(reading: Reading, step: OpenStep, search: HeaderSearch): boolean {
  step.header = parseStepHeader(search.line);
  const inside = reading.insideOf(step);
  if (step.header) {
    reading.writer.break(false);
    return true;
  }
  reading.writer.text(inside, search.lead);
  for (const piece of search.pieces) {
    if (piece.isCitation) reading.writer.citation(inside, piece.text);
    else reading.writer.text(inside, piece.text);
  }
  return false;
}

function lengthOfBlanks(text: string): number {
  if (isBlankText(text)) return text.length;
  return text.indexOf(trimBlanks(text).charAt(0));
}
