/** Longest code span: what stands between two runs of backticks further apart is no code. */
const MAX_SPAN = 512;

/**
 * Where a growing Markdown text stands as to code: in a fence, perhaps in a code span, or outside. A simpler reading than Markdown's:
 * a fence may be indented at will and stand in a block quote, but only its closing line or the end of its step ends it; a span is
 * decided within its line. (A tag may be cut out of a line, so nothing here may hang on what a line does not hold.)
 */
export interface CodeState {
  /** The run of backticks or tildes that has opened a fence, behind `>` if it stands in a block quote. Empty outside of a fence. */
  fence: string;
  /** The run that opens a fence with this line, or closes the open one, unless something else on the line forbids it. */
  fenceCandidate: string;
  /** What the line has: only blanks so far, a block quote's `>` before them, or text. */
  line: '' | '>' | 'text';
  /** The run of backticks or tildes that the text ends with. */
  run: string;
  /** The last unit. */
  lastUnit: string;
  /** Units of this line so far. */
  column: number;
  /** Runs of backticks that may have opened a code span: so many close it, and where it begins. */
  spans: { readonly ticks: number; readonly at: number }[];
  /** The unit before this place, or before the run, is a backslash that escapes. */
  escaped: boolean;
}

/** The beginning of a text. */
export function createCodeState(): CodeState {
  return {
    fence: '',
    fenceCandidate: '',
    line: '',
    run: '',
    lastUnit: '',
    column: 0,
    spans: [],
    escaped: false,
  };
}

/** Takes the next piece of the text. */
export function feedCode(code: CodeState, text: string): void {
  for (let index = 0; index < text.length; index += 1) feedUnit(code, text.charAt(index));
}

/** The line ends here, though the text may have no line break: a tag is cut out of it. */
export function endLine(code: CodeState): void {
  endRun(code);
  const { fence, fenceCandidate: edge, spans } = code;
  if (edge) code.fence = fence ? '' : edge;
  if (spans.length > 0) code.spans = [];
  code.fenceCandidate = code.line = code.run = code.lastUnit = '';
  code.column = 0;
  code.escaped = false;
}

/** Whether a tag at this place would stand in a fence. Its `<` is taken to come next, so that a run is over. */
export function isFenced(code: CodeState): boolean {
  endRun(code);
  // A fence's closing line with a tag right behind it: the tag is cut out of the line, and what is left closes the fence.
  return !code.fence !== !code.fenceCandidate;
}

/** Whether the text, if it ended here, would leave a fence open. */
export function leavesFenceOpen(text: string): boolean {
  const code = createCodeState();
  feedCode(code, `${text}\n`);
  return code.fence !== '';
}

/** Whether a span that begins at `from` may still be closed here. */
export function isWithinSpan({ column: at, run }: CodeState, from: number): boolean {
  return at - run.length - from <= MAX_SPAN;
}

/** The run that was being counted is over. */
export function endRun(code: CodeState): void {
  const { run, line, fence, column: at, spans } = code;
  if (!run) return;
  const isTicks = run.startsWith('`');
  if (line !== 'text') {
    const mayBe = fence ? run.startsWith(fence.replace('>', '')) : run.length >= 3;
    code.fenceCandidate = mayBe ? line + run : '';
    // A line with another backtick is no fence, if it is backticks that would open it.
  } else if (fence || (isTicks && code.fenceCandidate.includes('`'))) code.fenceCandidate = '';
  if (isTicks && !fence) {
    const near = spans.filter((span) => isWithinSpan(code, span.at));
    const opened = near.findIndex(({ ticks }) => ticks === run.length);
    const ticks = run.length - Number(code.escaped);
    // A closed span takes with it what seemed to open in it. An escaped backtick opens nothing, but may close.
    code.spans =
      opened < 0 ? [...near, ...(ticks > 0 ? [{ ticks, at }] : [])] : near.slice(0, opened);
  }
  Object.assign(code, { line: 'text', run: '', escaped: false });
}

function feedUnit(code: CodeState, unit: string): void {
  if (unit === '\n') {
    endLine(code);
    return;
  }
  if (unit !== code.lastUnit) endRun(code);
  code.lastUnit = unit;
  code.column += 1;
  if (unit === '`' || unit === '~') {
    code.run += unit;
    return;
  }
  const { fence, line } = code;
  if (unit === '>' && line !== 'text' && (!fence || fence.startsWith('>'))) code.line = '>';
  else if (unit !== ' ' && unit !== '\t' && unit !== '\r') {
    code.line = 'text';
    if (fence) code.fenceCandidate = '';
  }
  code.escaped = unit === '\\' && !code.escaped;
}
