import type { ErrorFields } from '../../../model/part.js';
import { parseJson } from '../../../transport/response.js';
import type { Construct } from './content-parser-types.js';
import { findTag, isStructural, type Tag } from './tag.js';

/** The header line of a step. */
export interface StepHeader {
  readonly number: number;
  readonly title: string;
  /** Whether the line ends with a check mark. */
  readonly completed: boolean;
}

/** `Step N:` must occur within this many UTF-16 units, so that a long line need not be withheld. */
export const MAX_HEADER_PREFIX = 64;

const CHECK_MARK = '✓';
/** The start of a header in English or French: `É` may be decomposed or have lost its accent, and French puts a no-break space before the colon. */
const HEADER = /^(?:Step|(?:É|E\u0301?)tape)[ \t\u00a0\u202f]+(\d{1,9})[ \t\u00a0\u202f]*:/;
const TYPES_LABEL = 'Expected input types:';
const NAME_LABEL = 'checkpoint_name:';

/** Whether a text consists of blanks and line breaks only. Other white space (no-break spaces, form feeds) counts as text. */
export function isBlankText(text: string): boolean {
  return !/[^ \t\r\n]/.test(text);
}

/**
 * Removes the blanks and line breaks around a text. Unlike `trim()`, keeps other white space: without it, a line would start elsewhere, and
 * the rules for tags in code depend on the start of the line (UBIK 7.3).
 */
export function trimBlanks(text: string): string {
  return /^[ \t\r\n]*([^]*[^ \t\r\n])?/.exec(text)?.[1] ?? '';
}

/** Reads a line `Step N: title`, with or without a check mark and without surrounding blanks; null when it is not a header. */
export function parseStepHeader(line: string): StepHeader | null {
  const found = HEADER.exec(line.slice(0, MAX_HEADER_PREFIX));
  if (!found) return null;
  const rest = trimBlanks(line.slice(found[0].length));
  const completed = rest.endsWith(CHECK_MARK);
  const title = completed ? trimBlanks(rest.slice(0, -1)) : rest;
  return { number: Number(found[1]), title, completed };
}

/** Writes the header line of a step. */
export function serializeStepHeader({ number, title, completed }: StepHeader): string {
  return `Step ${number}: ${title}${completed ? ` ${CHECK_MARK}` : ''}`;
}

/** Parses the text between the start tag and the end tag of this name. */
export function parseBlock(name: string, block: string): Exclude<Construct, { kind: 'step' }> {
  const text = trimBlanks(block);
  switch (name) {
    case 'CHECKPOINT': {
      // The first labelled line contains the name; the other lines are the text.
      const [line, label] = /(?:^|\n)[ \t\r]*Checkpoint:([^\n]*)/.exec(text) ?? ['', ''];
      return {
        kind: 'checkpoint',
        name: trimBlanks(label ?? ''),
        text: trimBlanks(text.replace(line, '')),
      };
    }
    case 'INPUT_REQUIRED':
      return parseRequest(text);
    case 'ERROR':
      return { kind: 'error', message: parseMessage(text), details: null };
    default:
      return { kind: 'error', ...parseErrorDetails(text), details: text };
  }
}

/** Writes the lines of an input block. */
export function serializeRequest({
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
  return stripLabel(trimBlanks(text), 'Error:') ?? trimBlanks(text);
}

/** Parses the labelled lines at the end of an input block, and the prompt before them (UBIK 7.2). */
function parseRequest(block: string): Extract<Construct, { kind: 'request' }> {
  const lines = block.split('\n');
  let inputTypes: readonly string[] | null = null;
  let checkpointName: string | null = null;
  for (; lines.length > 0; lines.pop()) {
    const line = trimBlanks(lines.at(-1) ?? '');
    const types = stripLabel(line, TYPES_LABEL);
    const name = stripLabel(line, NAME_LABEL);
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

/** Parses the message and the code in the details of an error. The message is empty when there is none. */
export function parseErrorDetails(details: string): Pick<ErrorFields, 'message' | 'code'> {
  // Details need not be JSON; others are shown as text.
  const { error, code } = Object(parseJson(details)) as Readonly<Record<string, unknown>>;
  const message = typeof error === 'string' ? parseMessage(error) : '';
  return typeof code === 'string' && code !== '' ? { message, code } : { message };
}

function stripLabel(text: string, label: string): string | null {
  return text.startsWith(label) ? trimBlanks(text.slice(label.length)) : null;
}

/** Longest text between the first tag of a construct and its end that is withheld, in UTF-16 units. */
const MAX_WITHHELD_LENGTH = 4096;

/** The construct that starts with a tag, and where it ends in the text after the tag. A temporary tag has no construct. */
interface FoundConstruct {
  readonly end: number;
  readonly construct?: Construct;
}

/**
 * Finds the text that must be read together with a start tag: the rest of a temporary tag (`TOOL_EVENT`), the header line of a step, or,
 * with `needsEvent`, a whole construct, which takes effect only if an event represents it. Null when there is none; undefined when that depends
 * on text that was not received yet.
 */
export function findConstruct(
  { name, starts }: Tag,
  text: string,
  needsEvent: boolean,
  isFinal: boolean,
): FoundConstruct | null | undefined {
  if (!starts) return null;
  if (name === 'STEP') return findHeader(text, needsEvent, isFinal);
  const isTemporary = name === 'TOOL_EVENT';
  if (!isTemporary && (!needsEvent || name === 'USER_INPUT_PROVIDED')) return null;
  const found = findNextTag(text, isFinal, (tag) => !isTemporary || tag.name === name);
  if (!found) return found;
  const { tag, at } = found;
  if (tag.name !== name || tag.starts) return null;
  const end = at + tag.raw.length;
  return isTemporary ? { end } : { end, construct: parseBlock(name, text.slice(0, at)) };
}

/**
 * Finds a header: the first non-blank line after the tag and an optional flag, up to a tag on the same line. A structural tag ends the
 * header anywhere; another tag, which an answer may contain as text, ends it only outside of a code span.
 */
function findHeader(
  text: string,
  needsEvent: boolean,
  isFinal: boolean,
): FoundConstruct | null | undefined {
  const [flag = ''] = /^[ \t\r\n]*<<SINGLE_STEP_FLAG>>/.exec(text) ?? [];
  const rest = text.slice(flag.length);
  const first = rest.search(/[^ \t\r\n]/);
  const lineEnd = first < 0 ? -1 : rest.indexOf('\n', first);
  const isDecided = lineEnd >= 0 || rest.length - first >= MAX_HEADER_PREFIX;
  if (first >= 0 && isDecided && !parseStepHeader(rest.slice(first, first + MAX_HEADER_PREFIX)))
    return null;
  const line = lineEnd < 0 ? undefined : rest.slice(0, lineEnd);
  const found = findNextTag(
    line ?? rest,
    isFinal || line !== undefined,
    // An even number of backticks before the tag means that it is not in a code span.
    (tag, at) => isStructural(tag) || rest.slice(0, at).split('`').length % 2 > 0,
  );
  const length =
    found?.at ?? line?.length ?? (isFinal && !needsEvent ? rest.length : MAX_WITHHELD_LENGTH);
  const start = trimBlanks(rest.slice(0, length));
  const header = parseStepHeader(start);
  // The rest of a long line is awaited only if the line begins like a header.
  if (found === undefined) return header || start.length < MAX_HEADER_PREFIX ? undefined : null;
  if (!header || length >= MAX_WITHHELD_LENGTH) return null;
  const construct = { kind: 'step', ...header, single: flag !== '' } as const;
  return { end: flag.length + length, construct };
}

/** Finds the first matching tag in a text. */
function findNextTag(
  text: string,
  isFinal: boolean,
  matches: (tag: Tag, at: number) => boolean,
): { readonly tag: Tag; readonly at: number } | null | undefined {
  for (let at = text.indexOf('<'); at >= 0 && at <= MAX_WITHHELD_LENGTH;) {
    const tag = findTag(text.slice(at), false);
    if (tag === undefined && !isFinal) return undefined;
    if (tag && matches(tag, at)) return { tag, at };
    at = text.indexOf('<', at + (tag?.raw.length ?? 1));
  }
  return isFinal || text.length > MAX_WITHHELD_LENGTH ? null : undefined;
}
