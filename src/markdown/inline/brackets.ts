import type { Definition } from '../blocks/definitions.js';
import {
  MAX_DATA_SPAN,
  MAX_HELD_BRACKET,
  MAX_HELD_LINK,
  MAX_INLINE_DEPTH,
  MAX_LABEL,
  MAX_SPAN,
} from '../syntax/limits.js';
import {
  normalizeLabel,
  readLabel,
  readLinkTarget,
  type LinkTarget,
} from '../syntax/link-syntax.js';
import type { Delimiter, DelimiterStack } from './delimiters.js';
import { plainText, type Inline } from './inline.js';
import { depthBetween, type Piece, type PieceList } from './pieces.js';

/** Finds what a normalised name stands for. */
export type LabelLookup = (label: string) => Definition | undefined;

interface Bracket {
  readonly piece: Piece;
  readonly start: number;
  readonly isImage: boolean;
  /** How many brackets were opened before it. */
  readonly serial: number;
  /** The newest delimiter when it was opened. */
  readonly bottom: Delimiter | null;
  /** Whether another bracket was opened behind it. */
  hasInner: boolean;
}

/** What a closing bracket comes to: a link up to `end`, nothing, or the place from which to wait. */
export interface Closing {
  readonly end: number | null;
  readonly wait: number | null;
  /** How long a text may be kept back for it. */
  readonly longest: number;
}

const NOTHING: Closing = { end: null, wait: null, longest: 0 };

/** The brackets that may become links or images. */
export class BracketStack {
  readonly #pieces: PieceList;
  readonly #delimiters: DelimiterStack;
  readonly #lookup: LabelLookup;
  readonly #brackets: Bracket[] = [];
  #serial = 0;
  /** Links may not hold links: brackets for links that were opened before this one are dead. */
  #firstActive = 0;

  constructor(pieces: PieceList, delimiters: DelimiterStack, lookup: LabelLookup) {
    this.#pieces = pieces;
    this.#delimiters = delimiters;
    this.#lookup = lookup;
  }

  /** An opening bracket. */
  push(piece: Piece, isImage: boolean): void {
    const last = this.#brackets.at(-1);
    if (last !== undefined) last.hasInner = true;
    const { start } = piece;
    const bottom = this.#delimiters.last;
    const serial = (this.#serial += 1);
    this.#brackets.push({ piece, start, isImage, serial, bottom, hasInner: false });
  }

  /** A closing bracket at `position`. `open` says that the text goes on behind its end. */
  close(text: string, position: number, open: boolean): Closing {
    const opener = this.#brackets.at(-1);
    if (opener === undefined) return NOTHING;
    const dead = !opener.isImage && opener.serial < this.#firstActive;
    if (dead || position - opener.start > MAX_SPAN) {
      this.#brackets.pop();
      return NOTHING;
    }
    const target = this.#target(opener, text, position, open);
    if (target === 'wait' && open) {
      return { end: null, wait: opener.start, longest: longestWait(opener, text, position) };
    }
    this.#brackets.pop();
    if (target === 'wait' || target === null || !isShort(opener, target)) return NOTHING;
    if (!this.#wrap(opener, target)) return NOTHING;
    return { end: target.end, wait: null, longest: 0 };
  }

  /** The first bracket that may still become a link in a text that goes on behind `end`, and where to hold back for it. */
  firstAlive(end: number): { readonly alive: number; readonly hold: number } {
    let alive = Infinity;
    let hold = Infinity;
    for (const bracket of this.#brackets) {
      const dead = !bracket.isImage && bracket.serial < this.#firstActive;
      if (dead || end - bracket.start > MAX_SPAN) continue;
      alive = Math.min(alive, bracket.start);
      if (end - bracket.start <= MAX_HELD_BRACKET) hold = Math.min(hold, bracket.start);
    }
    return { alive, hold };
  }

  #target(
    opener: Bracket,
    text: string,
    position: number,
    open: boolean,
  ): LinkTarget | null | 'wait' {
    const behind = position + 1;
    if (open && behind >= text.length) return 'wait';
    if (text.charAt(behind) === '(') {
      const target = readLinkTarget(text, behind + 1);
      if (target === 'wait' && open) return 'wait';
      if (target !== null && target !== 'wait') return target;
    }
    return this.#reference(opener, text, position, open);
  }

  #reference(
    opener: Bracket,
    text: string,
    position: number,
    open: boolean,
  ): LinkTarget | null | 'wait' {
    const behind = position + 1;
    const label = text.charAt(behind) === '[' ? readLabel(text, behind) : null;
    if (label === 'wait' && open) return 'wait';
    const full = label === null || label === 'wait' ? null : label;
    if (full !== null && full.value !== '') return this.#find(full.value, full.end);
    const inner = opener.start + (opener.isImage ? 2 : 1);
    if (opener.hasInner || position - inner > MAX_LABEL) return null;
    return this.#find(text.slice(inner, position), full?.end ?? behind);
  }

  #find(label: string, end: number): LinkTarget | null {
    const normal = normalizeLabel(label);
    const definition = normal === '' ? undefined : this.#lookup(normal);
    return definition === undefined ? null : { ...definition, end };
  }

  #wrap(opener: Bracket, target: LinkTarget): boolean {
    const { piece, start, isImage } = opener;
    this.#delimiters.pair(opener.bottom);
    const depth = depthBetween(piece, null) + 1;
    if (depth > MAX_INLINE_DEPTH) return false;
    const { destination, title } = target;
    if (isImage) {
      const toImage = (children: readonly Inline[]): Inline => ({
        kind: 'image',
        destination,
        title,
        alt: plainText(children),
      });
      this.#pieces.wrap(piece, null, toImage, { start, depth });
    } else {
      const toLink = (children: readonly Inline[]): Inline => ({
        kind: 'link',
        destination,
        title,
        children: withoutLinks(children),
      });
      this.#pieces.wrap(piece, null, toLink, { start, depth });
      this.#firstActive = opener.serial;
    }
    this.#pieces.remove(piece);
    return true;
  }
}

/** A link inside of a link gives way to its text. */
function withoutLinks(inlines: readonly Inline[]): Inline[] {
  return inlines.flatMap((inline) => {
    if (inline.kind === 'link') return withoutLinks(inline.children);
    if (inline.kind === 'emphasis' || inline.kind === 'strong' || inline.kind === 'strike') {
      return [{ ...inline, children: withoutLinks(inline.children) }];
    }
    return [inline];
  });
}

function isShort(opener: Bracket, target: LinkTarget): boolean {
  const mayBeLong = opener.isImage && target.destination.startsWith('data:image/');
  return target.end - opener.start <= (mayBeLong ? MAX_DATA_SPAN : MAX_SPAN);
}

/** What was shown already, because the bracket stayed open for too long, is not taken back. */
function longestWait(opener: Bracket, text: string, position: number): number {
  if (position - opener.start > MAX_HELD_BRACKET) return 0;
  const isData = opener.isImage && text.startsWith('(data:image/', position + 1);
  return isData ? MAX_DATA_SPAN : MAX_HELD_LINK;
}
