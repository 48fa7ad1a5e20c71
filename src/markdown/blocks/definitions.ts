import {
  normalizeLabel,
  readDestination,
  readLabel,
  readTitle,
  skipSpace,
  type Read,
} from '../syntax/link-syntax.js';
import { MAX_SPAN } from '../syntax/limits.js';

/** What a reference stands for. */
export interface Definition {
  readonly destination: string;
  readonly title: string;
}

/** One definition as it was read. */
export interface ReadDefinition extends Definition {
  readonly label: string;
}

/** The definitions at the start of a paragraph. */
export interface LeadingDefinitions {
  readonly found: readonly ReadDefinition[];
  /** Where the text behind them begins. */
  readonly end: number;
  /** Whether what follows may still become a definition, or the last one may still get a title. */
  readonly open: boolean;
}

/**
 * Reads the definitions with which a paragraph begins. `complete` says that the whole paragraph is known; otherwise a
 * definition that may still change counts as open and is not among those found.
 */
export function readDefinitions(text: string, complete: boolean): LeadingDefinitions {
  const found: ReadDefinition[] = [];
  // A line end behind the text makes the readers see the end of the paragraph as what it is: nothing more comes.
  const source = complete ? `${text}\n` : text;
  let end = 0;
  while (source.charAt(end) === '[') {
    const window = source.slice(end, end + MAX_SPAN);
    const isWhole = end + MAX_SPAN >= source.length;
    const read = readDefinition(window, 0, complete && isWhole);
    if (read === 'wait' && isWhole && !complete) return { found, end, open: true };
    if (read === null || read === 'wait') break;
    found.push(read);
    end = Math.min(end + read.end, text.length);
  }
  return { found, end, open: false };
}

type Outcome = (ReadDefinition & { readonly end: number }) | null | 'wait';

function readDefinition(text: string, at: number, complete: boolean): Outcome {
  const label = readLabel(text, at);
  if (label === null || label === 'wait') return label;
  if (label.end >= text.length) return 'wait';
  if (text.charAt(label.end) !== ':' || label.value.trim() === '') return null;
  const start = skipSpace(text, label.end + 1);
  if (start >= text.length) return 'wait';
  const address = readDestination(text, start);
  if (address === null || address === 'wait') return address;
  const definition = { label: normalizeLabel(label.value), destination: address.value };
  const titled = readTitleLine(text, address.end, complete);
  if (titled === 'wait') return 'wait';
  if (titled !== null) return { ...definition, title: titled.value, end: titled.end };
  const end = endOfLine(text, address.end);
  return typeof end === 'number' ? { ...definition, title: '', end } : end;
}

/** A title with nothing behind it on its line. Without one the definition may still be good. */
function readTitleLine(text: string, at: number, complete: boolean): Read | null | 'wait' {
  const start = skipSpace(text, at);
  if (start >= text.length) return complete ? null : 'wait';
  if (start === at) return null;
  const title = readTitle(text, start);
  if (title === null) return null;
  if (title === 'wait') return complete ? null : 'wait';
  const end = endOfLine(text, title.end);
  return typeof end === 'number' ? { end, value: title.value } : end;
}

/** Behind the line end when nothing but spaces stands before it. */
function endOfLine(text: string, at: number): number | null | 'wait' {
  let index = at;
  while (text.charAt(index) === ' ' || text.charAt(index) === '\t') index += 1;
  if (index >= text.length) return 'wait';
  return text.charAt(index) === '\n' ? index + 1 : null;
}
