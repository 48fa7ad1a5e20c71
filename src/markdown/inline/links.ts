import {
  MAX_DATA_SPAN,
  MAX_HELD_BRACKET,
  MAX_HELD_LINK,
  MAX_LABEL,
  MAX_SPAN,
} from '../syntax/limits.js';
import {
  normalizeLabel,
  readLabel,
  readTarget,
  skipSpace,
  type Maybe,
  type Target,
} from '../syntax/link-syntax.js';
import type { Token } from './tokens.js';

/** Finds what a normalised name stands for. */
export type LabelLookup = (label: string) => Target | undefined;

/** An opening bracket that may become a link or an image. */
export interface Bracket {
  readonly token: Token;
  readonly isImage: boolean;
  /** How many runs of signs stand before it. */
  readonly runs: number;
  /** Whether another bracket was opened behind it. */
  hasInner: boolean;
}

/** What stands around a closing bracket. */
export interface Closing {
  readonly text: string;
  /** The place of the closing bracket. */
  readonly position: number;
  /** Whether the text goes on behind its end. */
  readonly open: boolean;
  readonly lookup: LabelLookup;
}

/** Finds out what a closing bracket makes of an opening one: where the link leads to and where it ends, or that it is none. */
export function readLink(
  { token: { start }, isImage, hasInner }: Bracket,
  { text, position, open, lookup }: Closing,
): Maybe<Target & { readonly end: number }> {
  const behind = position + 1;
  if (open && behind >= text.length) return 'wait';
  const target = text.startsWith('(', behind) ? readTarget(text, behind + 1, !open, linkEnd) : null;
  if (target === 'wait' && open) return target;
  if (target !== null && target !== 'wait') {
    const mayBeLong = isImage && target.destination.startsWith('data:image/');
    return target.end - start <= (mayBeLong ? MAX_DATA_SPAN : MAX_SPAN) ? target : null;
  }
  const label = text.startsWith('[', behind) ? readLabel(text, behind) : null;
  if (label === 'wait' && open) return label;
  const { end, value } = label === null || label === 'wait' ? { end: behind, value: '' } : label;
  const inner = text.slice(start + (isImage ? 2 : 1), position);
  if (value === '' && (hasInner || inner.length > MAX_LABEL)) return null;
  const name = normalizeLabel(value === '' ? inner : value);
  const found = name === '' ? undefined : lookup(name);
  // A footnote has its name between its own brackets.
  if (found?.footnote !== undefined) return value === '' ? { ...found, end: behind } : null;
  return found === undefined ? null : { ...found, end };
}

function linkEnd(text: string, at: number): Maybe<number> {
  const end = skipSpace(text, at);
  if (end >= text.length) return 'wait';
  return text.startsWith(')', end) ? end + 1 : null;
}

/** How long a text may be held back for a link. What was shown already, because the bracket stayed open for long, is not taken back. */
export function longestWait(
  { token: { start }, isImage }: Bracket,
  { text, position }: Closing,
): number {
  if (position - start > MAX_HELD_BRACKET) return 0;
  return isImage && text.startsWith('(data:image/', position + 1) ? MAX_DATA_SPAN : MAX_HELD_LINK;
}
