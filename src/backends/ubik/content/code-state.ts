/** Longest code span, in UTF-16 units: two runs of backticks further apart do not form one (UBIK 7.3). */
const MAX_SPAN = 512;

/**
 * Whether a growing Markdown text is in a code fence, possibly in a code span, or outside code. Simpler than Markdown: a fence may have any
 * indentation and may be in a block quote, but only its closing line or the end of its step ends it; a span is decided within its line
 * (UBIK 7.3). A tag that takes effect is not in the shown text, so backticks before it on its line can still close a fence.
 */
export interface CodeState {
  /** The run of backticks or tildes that has opened the fence, after `>` if it is in a block quote. Empty outside of a fence. */
  fence: string;
  /**
   * The run of backticks or tildes that opens a fence with this line, or closes the open fence, unless the rest of the line prevents it.
   */
  fenceCandidate: string;
  /** The content of the line so far: only blanks (`''`), the `>` of a block quote, or text. */
  lineContent: '' | '>' | 'text';
  /** The run of backticks or tildes at the end of the text. */
  marker: string;
  /** The last UTF-16 unit. */
  lastUnit: string;
  /** UTF-16 units of this line so far. */
  column: number;
  /**
   * Runs of backticks that may have opened a code span: the number of backticks that closes the span, and the column after the opening run,
   * where the content of the span starts.
   */
  spans: { readonly ticks: number; readonly at: number }[];
  /** Whether the unit before this position, or before the run, is an escaping backslash. */
  escaped: boolean;
}

/** Creates the state at the start of a text. */
export function createCodeState(): CodeState {
  return {
    fence: '',
    fenceCandidate: '',
    lineContent: '',
    marker: '',
    lastUnit: '',
    column: 0,
    spans: [],
    escaped: false,
  };
}

/** Units that are read together at the start of a line, when no run is open. */
const BLANKS = /[ \t\r]+/y;
/** Units that are read together once the line contains text, when no run is open: all that neither start a run nor escape a character. */
const PLAIN_TEXT = /[^\n`~\\]+/y;

/** Reads the next piece of the text. Stored texts are long, so plain text is skipped at once. */
export function feedCode(code: CodeState, text: string): void {
  for (let index = 0; index < text.length;) {
    const skipped = code.lineContent === 'text' ? PLAIN_TEXT : BLANKS;
    skipped.lastIndex = index;
    const [plain = ''] = (code.marker === '' && skipped.exec(text)) || [];
    if (plain) feedPlainText(code, plain);
    else feedUnit(code, text.charAt(index));
    index += plain.length || 1;
  }
}

function feedPlainText(code: CodeState, plain: string): void {
  code.lastUnit = plain.slice(-1);
  code.column += plain.length;
  code.escaped = false;
  if (code.fence && code.fenceCandidate && /[^ \t\r]/.test(plain)) code.fenceCandidate = '';
}

/** Ends the line, at a line break or where a tag is removed from the text. */
export function endLine(code: CodeState): void {
  endMarker(code);
  const { fence, fenceCandidate } = code;
  if (fenceCandidate) code.fence = fence ? '' : fenceCandidate;
  code.spans = [];
  code.fenceCandidate = code.lineContent = code.marker = code.lastUnit = '';
  code.column = 0;
  code.escaped = false;
}

/** Whether a tag at this position is in a fence. Ends a run, because the `<` of the tag follows. */
export function isFenced(code: CodeState): boolean {
  endMarker(code);
  // A line that opens a fence counts as inside: the tag is in its info string. A line that closes one counts as outside: the tag is removed,
  // and the rest closes the fence.
  return !code.fence !== !code.fenceCandidate;
}

/** Whether a text ends in an open fence. */
export function leavesFenceOpen(text: string): boolean {
  const code = createCodeState();
  feedCode(code, `${text}\n`);
  return code.fence !== '';
}

/** Whether a span whose content starts at `from` can still be closed here. */
export function isWithinSpan({ column: at, marker }: CodeState, from: number): boolean {
  return at - marker.length - from <= MAX_SPAN;
}

/** Ends the run of backticks or tildes. */
export function endMarker(code: CodeState): void {
  const { marker, lineContent, fence, column: at, spans } = code;
  if (!marker) return;
  const isTicks = marker.startsWith('`');
  if (lineContent !== 'text') {
    // A fence is closed by a run of the same character that is at least as long.
    const mayDelimit = fence ? marker.startsWith(fence.replace('>', '')) : marker.length >= 3;
    code.fenceCandidate = mayDelimit ? lineContent + marker : '';
    // The line that opens a fence of backticks contains no other backtick (CommonMark 4.5).
  } else if (fence || (isTicks && code.fenceCandidate.includes('`'))) code.fenceCandidate = '';
  if (isTicks && !fence) {
    const near = spans.filter((span) => isWithinSpan(code, span.at));
    const opened = near.findIndex(({ ticks }) => ticks === marker.length);
    const ticks = marker.length - Number(code.escaped);
    // A closed span removes the spans that started inside it. An escaped backtick opens no span, but may close one.
    code.spans =
      opened < 0 ? [...near, ...(ticks > 0 ? [{ ticks, at }] : [])] : near.slice(0, opened);
  }
  Object.assign(code, {
    lineContent: 'text',
    marker: '',
    escaped: false,
  } satisfies Partial<CodeState>);
}

function feedUnit(code: CodeState, unit: string): void {
  if (unit === '\n') {
    endLine(code);
    return;
  }
  if (unit !== code.lastUnit) endMarker(code);
  code.lastUnit = unit;
  code.column += 1;
  if (unit === '`' || unit === '~') {
    code.marker += unit;
    return;
  }
  const { fence, lineContent } = code;
  if (unit === '>' && lineContent !== 'text' && (!fence || fence.startsWith('>')))
    code.lineContent = '>';
  else if (unit !== ' ' && unit !== '\t' && unit !== '\r') {
    code.lineContent = 'text';
    if (fence) code.fenceCandidate = '';
  }
  code.escaped = unit === '\\' && !code.escaped;
}
