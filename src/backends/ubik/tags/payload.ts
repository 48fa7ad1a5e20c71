import type { Construct } from './content-sink.js';

/** What a step's header line says. */
export interface StepHeader {
  readonly number: number;
  readonly title: string;
  /** The line ends with a check mark. */
  readonly completed: boolean;
}

/** Units of a line in which `Step N:` must stand, so that a long line need not be kept. */
export const HEADER_REACH = 64;

const CHECK_MARK = '✓';
const HEADER = /^(?:Step|(?:É|E\u0301?)tape)[ \t\u00a0\u202f]+(\d{1,9})[ \t\u00a0\u202f]*:/;
const TYPES_LABEL = 'Expected input types:';
const NAME_LABEL = 'checkpoint_name:';

/** Whether a text holds nothing but blanks and line breaks. Other white space (no-break spaces, form feeds) is text. */
export function isBlankText(text: string): boolean {
  return !/[^ \t\r\n]/.test(text);
}

/**
 * A text without the blanks and line breaks around it. Not `trim()`: that takes more kinds of white space, and what it took would
 * change where a line begins for the rules of code.
 */
export function trimBlanks(text: string): string {
  return /^[ \t\r\n]*([^]*[^ \t\r\n])?/.exec(text)?.[1] ?? '';
}

/** Reads `Step N: title`, with or without a check mark, without blanks around it; null when the line is no header. */
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

/** What stands between the tags of this name, if they make a construct. */
export function parseBlock(name: string, block: string): Exclude<Construct, { kind: 'step' }> {
  const text = trimBlanks(block);
  switch (name) {
    case 'CHECKPOINT': {
      // Its name is what the first labelled line says; all other lines are its text.
      const [line, title] = /(?:^|\n)[ \t\r]*Checkpoint:([^\n]*)/.exec(text) ?? ['', ''];
      return {
        kind: 'checkpoint',
        name: trimBlanks(title ?? ''),
        text: trimBlanks(text.replace(line, '')),
      };
    }
    case 'INPUT_REQUIRED':
      return parseRequest(text);
    case 'ERROR':
      return { kind: 'error', message: parseMessage(text), details: null };
    default:
      return { kind: 'error', message: messageOfDetails(text), details: text };
  }
}

/** The lines of an input block. */
export function printRequest({
  prompt,
  inputTypes,
  checkpointName,
}: Omit<Extract<Construct, { kind: 'request' }>, 'kind'>): (string | null)[] {
  return [
    prompt || null,
    inputTypes.length > 0 ? `${TYPES_LABEL} ${inputTypes.join(', ')}` : null,
    checkpointName === null ? null : `${NAME_LABEL} ${checkpointName}`,
  ];
}

function parseMessage(text: string): string {
  return afterLabel(trimBlanks(text), 'Error:') ?? trimBlanks(text);
}

/** The labelled lines at the very end of an input block, and the prompt before them. */
function parseRequest(block: string): Extract<Construct, { kind: 'request' }> {
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
    kind: 'request',
    prompt: trimBlanks(lines.join('\n')),
    inputTypes: inputTypes ?? [],
    checkpointName: checkpointName || null,
  };
}

/** What the details of an error call it; empty when they do not. */
export function messageOfDetails(details: string): string {
  try {
    const { error } = Object(JSON.parse(details)) as { readonly error?: unknown };
    return typeof error === 'string' ? parseMessage(error) : '';
  } catch {
    // Details are JSON as a rule only; anything else is shown as it came.
    return '';
  }
}

function afterLabel(text: string, label: string): string | null {
  return text.startsWith(label) ? trimBlanks(text.slice(label.length)) : null;
}
