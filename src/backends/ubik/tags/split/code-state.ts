/** Longest code span: what stands between two runs of backticks further apart is no code. */
export const MAX_SPAN = 512;

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const GREATER = 62;
const BACKSLASH = 92;
const BACKTICK = 96;
const TILDE = 126;

/**
 * Where a growing Markdown text stands as to code: in a fence, perhaps in a code span, or outside. A simpler reading than Markdown's:
 * a fence may be indented at will and stand in a block quote, but only its closing line or the end of its step ends it; a span is
 * decided within its line. (A tag may be cut out of a line, so nothing here may hang on what a line does not hold.)
 *
 *   line: start ─ run of 3 or more ─► fence? ─ line end ─► in the fence ─ closing run ─► closing ─ line end ─► outside
 */
export interface CodeState {
  /** The unit that the open fence is made of; 0 outside. */
  fence: number;
  /** Unit and length of the run that has opened the fence, or may on this line. */
  openerUnit: number;
  openerLength: number;
  /** The open fence stands in a block quote: its closing line may begin with `>`. */
  fenceQuoted: boolean;
  /** `start`: only blanks so far. `fence`: the line may open a fence. `closing`: it closes the open one, unless more comes. */
  line: 'start' | 'run' | 'fence' | 'closing' | 'text';
  quoted: boolean;
  /** The run of backticks or tildes that is being counted: its unit and length. */
  runUnit: number;
  run: number;
  /** Backticks of the run that may have opened a code span; 0 when none has. */
  span: number;
  /** Units since then. */
  since: number;
  /** Runs of other lengths since then: one of them may turn out to be the opener. */
  inner: InnerRun[];
  /** The unit before this place is a backslash that escapes. */
  escaped: boolean;
  runEscaped: boolean;
}

interface InnerRun {
  readonly length: number;
  readonly escaped: boolean;
  /** Units between the opener and the end of this run. */
  readonly at: number;
}

/** Whether a tag at this place is code. `span` and `fence-line`: only what follows on the line can tell. */
export type CodePlace = 'none' | 'fence' | 'span' | 'fence-line';

/** The beginning of a text. */
export function createCodeState(): CodeState {
  return {
    fence: 0,
    openerUnit: 0,
    openerLength: 0,
    fenceQuoted: false,
    line: 'start',
    quoted: false,
    runUnit: 0,
    run: 0,
    span: 0,
    since: 0,
    inner: [],
    escaped: false,
    runEscaped: false,
  };
}

/** Takes the next piece of the text. */
export function feedCode(code: CodeState, text: string): void {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === NEWLINE) endLine(code);
    else if (code.fence !== 0) feedFenced(code, unit);
    else feedOpen(code, unit);
  }
}

/** The line ends here, though the text has no line break: a tag is cut out of it. */
export function endLine(code: CodeState): void {
  endRun(code);
  if (code.fence !== 0) {
    if (code.line === 'closing') code.fence = 0;
  } else if (code.line === 'fence') {
    code.fence = code.openerUnit;
    code.fenceQuoted = code.quoted;
  }
  code.line = 'start';
  code.quoted = false;
  code.span = 0;
  code.inner = [];
  code.escaped = false;
}

/** Where a tag at this place would stand. Its `<` is taken to come next, so that a run is over. */
export function placeOf(code: CodeState): CodePlace {
  endRun(code);
  // A fence's closing line with a tag right behind it: the tag is cut out of the line, and what is left closes the fence.
  if (code.fence !== 0) return code.line === 'closing' ? 'none' : 'fence';
  // Backticks at the beginning of a line that no others have followed in time open a fence for sure.
  if (code.line === 'fence') return code.span > 0 ? 'fence-line' : 'fence';
  return code.span > 0 ? 'span' : 'none';
}

/** Whether only blanks stand before this place on its line. */
export function isAtLineStart(code: CodeState): boolean {
  return code.line === 'start' && !code.quoted;
}

/** Whether the text, if it ended here, would leave a fence open. */
export function leavesFenceOpen(text: string): boolean {
  const code = createCodeState();
  feedCode(code, text);
  endLine(code);
  return code.fence !== 0;
}

/** The run that seemed to open a span does not: perhaps a later one does. */
export function voidSpan(code: CodeState): void {
  const { inner, since } = code;
  code.span = 0;
  code.inner = [];
  for (let index = 0; index < inner.length; index += 1) {
    const opener = inner[index];
    const length = opener ? opener.length - (opener.escaped ? 1 : 0) : 0;
    if (!opener || length === 0) continue;
    const closer = inner.findIndex((run, later) => later > index && run.length === length);
    if (closer >= 0) index = closer;
    else if (since - opener.at <= MAX_SPAN) {
      code.span = length;
      code.since = since - opener.at;
      code.inner = inner.slice(index + 1).map((run) => ({ ...run, at: run.at - opener.at }));
      return;
    }
  }
}

function feedFenced(code: CodeState, unit: number): void {
  const counting = code.line === 'start' || code.line === 'run';
  if (counting && unit === code.fence) {
    code.line = 'run';
    code.runUnit = unit;
    code.run += 1;
    return;
  }
  endRun(code);
  const quotes = unit === GREATER && code.line === 'start' && code.fenceQuoted;
  if (quotes) code.quoted = true;
  else if (!isBlank(unit)) code.line = 'text';
}

function feedOpen(code: CodeState, unit: number): void {
  if (unit === BACKTICK || (unit === TILDE && mayCountTilde(code))) {
    countRun(code, unit);
    return;
  }
  endRun(code);
  if (code.line === 'start') {
    if (unit === GREATER) code.quoted = true;
    else if (!isBlank(unit)) code.line = 'text';
  }
  code.escaped = unit === BACKSLASH && !code.escaped;
  if (code.span > 0) {
    code.since += 1;
    if (code.since > MAX_SPAN) voidSpan(code);
  }
}

/** Tildes matter only where a fence may begin. */
function mayCountTilde(code: CodeState): boolean {
  return code.line === 'start' || (code.line === 'run' && code.runUnit === TILDE);
}

function countRun(code: CodeState, unit: number): void {
  if (code.run > 0 && code.runUnit !== unit) endRun(code);
  if (code.run === 0) {
    if (code.line === 'start') code.line = 'run';
    // A line with another backtick is no fence, if it is backticks that would open it.
    else if (code.openerUnit === BACKTICK && code.line === 'fence') code.line = 'text';
    code.runUnit = unit;
    code.runEscaped = code.escaped;
    code.escaped = false;
  }
  code.run += 1;
}

/** The run that was being counted is over. */
function endRun(code: CodeState): void {
  if (code.run === 0) return;
  const { run, runUnit } = code;
  code.run = 0;
  if (code.fence !== 0) {
    code.line = run >= code.openerLength ? 'closing' : 'text';
    return;
  }
  if (code.line === 'run') {
    code.line = run >= 3 ? 'fence' : 'text';
    code.openerUnit = runUnit;
    code.openerLength = run;
  }
  if (runUnit === BACKTICK) endTicks(code, run);
}

function endTicks(code: CodeState, length: number): void {
  if (code.span === 0) {
    code.span = length - (code.runEscaped ? 1 : 0);
    code.since = 0;
    code.inner = [];
  } else if (code.span === length) {
    code.span = 0;
  } else {
    code.since += length;
    code.inner.push({ length, escaped: code.runEscaped, at: code.since });
  }
}

function isBlank(unit: number): boolean {
  return unit === SPACE || unit === TAB || unit === RETURN;
}
