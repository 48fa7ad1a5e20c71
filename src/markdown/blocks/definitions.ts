import {
  normalizeLabel,
  readLabel,
  readTarget,
  type Maybe,
  type Target,
} from '../syntax/link-syntax.js';
import { MAX_SPAN } from '../syntax/limits.js';

/** One definition as it was read: what a name stands for. */
export interface Definition extends Target {
  readonly label: string;
}

/** The definitions at the start of a paragraph. */
export interface LeadingDefinitions {
  readonly found: readonly Definition[];
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
  const found: Definition[] = [];
  // A line end behind the text makes the readers see the end of the paragraph as what it is: nothing more comes.
  const source = complete ? `${text}\n` : text;
  let end = 0;
  while (source.startsWith('[', end)) {
    const isWhole = end + MAX_SPAN >= source.length;
    const read = readDefinition(source.slice(end, end + MAX_SPAN), complete && isWhole);
    if (read === 'wait' && isWhole && !complete) return { found, end, open: true };
    if (read === null || read === 'wait') break;
    found.push(read);
    end = Math.min(end + read.end, text.length);
  }
  return { found, end, open: false };
}

/** Whether nothing but definitions stands in a text that ends here. */
export function isOnlyDefinitions(text: string | null): boolean {
  return text !== null && readDefinitions(text, true).end >= text.length;
}

function readDefinition(
  text: string,
  complete: boolean,
): Maybe<Definition & { readonly end: number }> {
  const label = readLabel(text, 0);
  if (label === null || label === 'wait') return label;
  if (label.end >= text.length) return 'wait';
  if (!text.startsWith(':', label.end) || label.value.trim() === '') return null;
  const target = readTarget(text, label.end + 1, complete, lineEnd);
  if (target === null || target === 'wait') return target;
  return { ...target, label: normalizeLabel(label.value) };
}

const BLANK = /[ \t]*/y;

/** Behind the line end when nothing but spaces stands before it. */
function lineEnd(text: string, at: number): Maybe<number> {
  BLANK.lastIndex = at;
  BLANK.test(text);
  const end = BLANK.lastIndex;
  if (end >= text.length) return 'wait';
  return text.startsWith('\n', end) ? end + 1 : null;
}
