import { trimBlanks } from '../split/blanks.js';

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
/** Ends the header line of a completed step. */
export const CHECK_MARK = '✓';

const HEADER = /^[ \t\r]*(?:Step|(?:É|E\u0301?)tape)[ \t\u00a0\u202f]+(\d{1,9})[ \t\u00a0\u202f]*:/;
const CHECKPOINT_LABEL = 'Checkpoint:';
const TYPES_LABEL = 'Expected input types:';
const NAME_LABEL = 'checkpoint_name:';
const ERROR_LABEL = 'Error:';

/** Whether a line begins as a step's header does. Looks at its beginning only. */
export function isStepHeader(line: string): boolean {
  return HEADER.test(line.slice(0, HEADER_REACH));
}

/** Reads `Step N: title`, with or without a check mark; null when the line is no header. */
export function parseStepHeader(line: string): StepHeader | null {
  const found = HEADER.exec(line.slice(0, HEADER_REACH));
  if (!found) return null;
  const rest = trimBlanks(line.slice(found[0].length));
  const completed = rest.endsWith(CHECK_MARK);
  const title = completed ? trimBlanks(rest.slice(0, -CHECK_MARK.length)) : rest;
  return { number: Number(found[1]), title, completed };
}

/** The header line of a step. */
export function printStepHeader(header: StepHeader): string {
  const line = `Step ${header.number}: ${header.title}`;
  return header.completed ? `${line} ${CHECK_MARK}` : line;
}

/** The name of a checkpoint is what the first labelled line says; all other lines are its text. */
export function parseCheckpoint(block: string): { readonly name: string; readonly text: string } {
  const lines = block.split('\n');
  const at = lines.findIndex((line) => afterLabel(line, CHECKPOINT_LABEL) !== null);
  const name = at < 0 ? '' : (afterLabel(lines[at] ?? '', CHECKPOINT_LABEL) ?? '');
  return { name, text: trimBlanks(lines.filter((_line, index) => index !== at).join('\n')) };
}

/** The line that names a checkpoint. */
export function printCheckpointName(name: string): string {
  return `${CHECKPOINT_LABEL} ${name}`;
}

/** The labelled lines at the very end of an input block, and the prompt before them. */
export function parseRequest(block: string): RequestLines {
  const lines = block.split('\n');
  let inputTypes: readonly string[] | undefined;
  let checkpointName: string | undefined;
  let end = lines.length;
  for (; end > 0; end -= 1) {
    const line = trimBlanks(lines[end - 1] ?? '');
    const types = afterLabel(line, TYPES_LABEL);
    const name = afterLabel(line, NAME_LABEL);
    if (types !== null) inputTypes ??= splitTypes(types);
    else if (name !== null) checkpointName ??= name;
    else if (line !== '') break;
  }
  return {
    prompt: trimBlanks(lines.slice(0, end).join('\n')),
    inputTypes: inputTypes ?? [],
    checkpointName: checkpointName ? checkpointName : null,
  };
}

/** The lines of an input block. */
export function printRequest(request: RequestLines): string[] {
  const lines = request.prompt === '' ? [] : [request.prompt];
  if (request.inputTypes.length > 0) {
    // A quoted tag in a list of types counts as code only near its backticks: then no blank is added.
    const separator = request.inputTypes.some((type) => type.includes('<<')) ? ',' : ', ';
    lines.push(`${TYPES_LABEL} ${request.inputTypes.join(separator)}`);
  }
  if (request.checkpointName !== null) lines.push(`${NAME_LABEL} ${request.checkpointName}`);
  return lines;
}

/** The message in an error block. */
export function parseErrorMessage(block: string): string {
  return afterLabel(trimBlanks(block), ERROR_LABEL) ?? trimBlanks(block);
}

/** The line or lines in an error block. */
export function printErrorMessage(message: string): string {
  return `${ERROR_LABEL} ${message}`;
}

/** What the details of an error call it; empty when they do not. */
export function messageOfDetails(details: string): string {
  try {
    const value: unknown = JSON.parse(details);
    if (typeof value !== 'object' || value === null || !('error' in value)) return '';
    return typeof value.error === 'string' ? parseErrorMessage(value.error) : '';
  } catch {
    // Details are JSON as a rule only; anything else is shown as it came.
    return '';
  }
}

function splitTypes(list: string): string[] {
  return list
    .split(',')
    .map(trimBlanks)
    .filter((type) => type !== '');
}

function afterLabel(line: string, label: string): string | null {
  const text = trimBlanks(line);
  return text.startsWith(label) ? trimBlanks(text.slice(label.length)) : null;
}
