/** What a step's header line says. */
export interface StepHeader {
  readonly number: number;
  readonly title: string;
  /** The line ends with a check mark. */
  readonly completed: boolean;
}

/** What an input block asks. */
export interface RequestLines {
  readonly prompt: string;
  readonly inputTypes: readonly string[];
  readonly checkpointName: string | null;
}

/** Units of a line in which `Step N:` must stand, so that a long line need not be kept. */
export const HEADER_REACH = 64;

const CHECK_MARK = '✓';
const HEADER = /^[ \t\r]*(?:Step|(?:É|E\u0301?)tape)[ \t\u00a0\u202f]+(\d{1,9})[ \t\u00a0\u202f]*:/;
const TYPES_LABEL = 'Expected input types:';
const NAME_LABEL = 'checkpoint_name:';
const ERROR_LABEL = 'Error:';

/** Whether a text holds nothing but blanks and line breaks. Other white space (no-break spaces, form feeds) is text. */
export function isBlankText(text: string): boolean {
  return !/[^ \t\r\n]/.test(text);
}

/**
 * A text without the blanks and line breaks around it. Not `trim()`: that takes more kinds of white space, and what it took would
 * change where a line begins for the rules of code.
 */
export function trimBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && isBlankText(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end).replace(/^[ \t\r\n]+/, '');
}

/** Reads `Step N: title`, with or without a check mark; null when the line is no header. */
export function parseStepHeader(line: string): StepHeader | null {
  const found = HEADER.exec(line.slice(0, HEADER_REACH));
  if (!found) return null;
  const rest = trimBlanks(line.slice(found[0].length));
  const completed = rest.endsWith(CHECK_MARK);
  const title = completed ? trimBlanks(rest.slice(0, -1)) : rest;
  return { number: Number(found[1]), title, completed };
}

/** The header line of a step. */
export function printStepHeader({ number, title, completed }: StepHeader): string {
  return `Step ${number}: ${title}${completed ? ` ${CHECK_MARK}` : ''}`;
}

/** The name of a checkpoint is what the first labelled line says; all other lines are its text. */
export function parseCheckpoint(block: string): { readonly name: string; readonly text: string } {
  const [line, name] = /(?:^|\n)[ \t\r]*Checkpoint:([^\n]*)/.exec(block) ?? ['', ''];
  return { name: trimBlanks(name ?? ''), text: trimBlanks(block.replace(line, '')) };
}

/** The labelled lines at the very end of an input block, and the prompt before them. */
export function parseRequest(block: string): RequestLines {
  const lines = block.split('\n');
  let inputTypes: readonly string[] | null = null;
  let checkpointName: string | null = null;
  for (; lines.length > 0; lines.pop()) {
    const line = trimBlanks(lines.at(-1) ?? '');
    const types = afterLabel(line, TYPES_LABEL);
    const name = afterLabel(line, NAME_LABEL);
    if (types !== null) inputTypes ??= types.split(',').map(trimBlanks).filter(Boolean);
    else if (name !== null) checkpointName ??= name;
    else if (line) break;
  }
  return {
    prompt: trimBlanks(lines.join('\n')),
    inputTypes: inputTypes ?? [],
    checkpointName: checkpointName || null,
  };
}

/** The lines of an input block. */
export function printRequest({ prompt, inputTypes, checkpointName }: RequestLines): string[] {
  // A quoted tag in a list of types counts as code only near its backticks: then no blank is added.
  const separator = inputTypes.some((type) => type.includes('<<')) ? ',' : ', ';
  return [
    ...(prompt ? [prompt] : []),
    ...(inputTypes.length > 0 ? [`${TYPES_LABEL} ${inputTypes.join(separator)}`] : []),
    ...(checkpointName === null ? [] : [`${NAME_LABEL} ${checkpointName}`]),
  ];
}

/** The message in an error block. */
export function parseErrorMessage(block: string): string {
  const text = trimBlanks(block);
  return afterLabel(text, ERROR_LABEL) ?? text;
}

/** What the details of an error call it; empty when they do not. */
export function messageOfDetails(details: string): string {
  try {
    const { error } = Object(JSON.parse(details)) as { readonly error?: unknown };
    return typeof error === 'string' ? parseErrorMessage(error) : '';
  } catch {
    // Details are JSON as a rule only; anything else is shown as it came.
    return '';
  }
}

function afterLabel(text: string, label: string): string | null {
  return text.startsWith(label) ? trimBlanks(text.slice(label.length)) : null;
}
