/** Longest code span: what stands between two runs of backticks further apart is no code. */
const MAX_SPAN = 512;

/**
 * Where a growing Markdown text stands as to code: in a fence, perhaps in a code span, or outside. A simpler reading than Markdown's:
 * a fence may be indented at will and stand in a block quote, but only its closing line or the end of its step ends it; a span is
 * decided within its line. (A tag may be cut out of a line, so nothing here may hang on what a line does not hold.)
 */
export interface CodeState {
  /** The unit that the open fence is made of; empty outside. */
  fence: string;
  /** Unit and length of the run that has opened the fence, or may on this line. */
  opener: string;
  size: number;
  /** The open fence stands in a block quote: its closing line may begin with `>`. */
  inQuote: boolean;
  /** `start`: only blanks so far. `run`: the first run is being counted. `fence`: it may open a fence. `end`: it closes the open one, unless more comes. */
  line: 'start' | 'run' | 'fence' | 'end' | 'text';
  quoted: boolean;
  /** Length of the run of backticks or tildes that is being counted, and its unit. */
  run: number;
  unit: string;
  /** Units of this line so far. */
  at: number;
  /** Runs of backticks that may have opened a code span: so many close it, and where it begins. */
  spans: { readonly ticks: number; readonly at: number }[];
  /** The unit before this place, or before the run, is a backslash that escapes. */
  escaped: boolean;
}

/** The beginning of a text. */
export function createCodeState(): CodeState {
  return {
    fence: '',
    opener: '',
    size: 0,
    inQuote: false,
    line: 'start',
    quoted: false,
    run: 0,
    unit: '',
    at: 0,
    spans: [],
    escaped: false,
  };
}

/** Takes the next piece of the text. */
export function feedCode(code: CodeState, text: string): void {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charAt(index);
    if (unit === '\n') {
      endLine(code);
      continue;
    }
    if (code.run === 0 || unit !== code.unit) {
      endRun(code);
      feedUnit(code, unit);
    } else code.run += 1;
    code.at += 1;
  }
}

/** The line ends here, though the text may have no line break: a tag is cut out of it. */
export function endLine(code: CodeState): void {
  endRun(code);
  if (code.line === 'end') code.fence = '';
  else if (code.line === 'fence') {
    code.fence = code.opener;
    code.inQuote = code.quoted;
  }
  Object.assign(code, { line: 'start', quoted: false, at: 0, spans: [], escaped: false });
}

/** Where a tag at this place would stand. Its `<` is taken to come next, so that a run is over. `span`: only what follows on the line can tell. */
export function placeOf(code: CodeState): 'none' | 'fence' | 'span' {
  endRun(code);
  // A fence's closing line with a tag right behind it: the tag is cut out of the line, and what is left closes the fence.
  if (code.line === 'fence' || (code.fence && code.line !== 'end')) return 'fence';
  return code.spans.length > 0 ? 'span' : 'none';
}

/** Whether the text, if it ended here, would leave a fence open. */
export function leavesFenceOpen(text: string): boolean {
  const code = createCodeState();
  feedCode(code, text);
  endLine(code);
  return code.fence !== '';
}

/** Whether a span that begins at `from` may still be closed here. */
export function isInReach(code: CodeState, from: number): boolean {
  return code.at - code.run - from <= MAX_SPAN;
}

/** The run that was being counted is over. */
export function endRun(code: CodeState): void {
  const { run, line, fence, unit, at } = code;
  if (run === 0) return;
  if (fence) code.line = run >= code.size ? 'end' : 'text';
  else if (line === 'run') {
    code.line = run >= 3 ? 'fence' : 'text';
    code.opener = unit;
    code.size = run;
  }
  if (!fence && unit === '`') {
    code.spans = code.spans.filter((span) => isInReach(code, span.at));
    const opened = code.spans.findIndex((span) => span.ticks === run);
    // A closed span takes with it what seemed to open in it. An escaped backtick opens nothing, but may close.
    if (opened >= 0) code.spans.length = opened;
    else if (run > Number(code.escaped)) code.spans.push({ ticks: run - Number(code.escaped), at });
  }
  code.run = 0;
  code.escaped = false;
}

/** A unit that does not go on with a run. */
function feedUnit(code: CodeState, unit: string): void {
  const { line, fence } = code;
  const isStart = line === 'start';
  if (fence ? isStart && unit === fence : unit === '`' || (isStart && unit === '~')) {
    if (isStart) code.line = 'run';
    // A line with another backtick is no fence, if it is backticks that would open it.
    else if (line === 'fence' && code.opener === unit) code.line = 'text';
    code.unit = unit;
    code.run = 1;
    return;
  }
  if (isStart && unit === '>' && (!fence || code.inQuote)) code.quoted = true;
  else if ((isStart || line === 'end') && !/[ \t\r]/.test(unit)) code.line = 'text';
  code.escaped = unit === '\\' && !code.escaped;
}
