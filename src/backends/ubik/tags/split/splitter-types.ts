import type { ConstructKind } from '../content-sink.js';
import type { Candidate } from './candidate.js';
import type { CodeState } from './code-state.js';
import type { RawZone, ZoneLimits } from './raw-zone.js';
import type { SpanHold } from './span-hold.js';
import type { Tag } from './tag.js';

/**
 * What becomes of a tag: `acted` it is done; `literal` it is text; a zone follows that it opens; a stretch follows that is dropped if
 * it has an end (`skip`); or the text of a construct follows.
 */
export type TagAct =
  | 'acted'
  | 'literal'
  | 'skip'
  | { readonly zone: ZoneLimits }
  | { readonly construct: ConstructKind };

/** Who is told what the splitter finds, and who knows what it means. */
export interface SplitterHandler {
  /** Where the text at this place stands as to code; null where code does not matter. */
  code(): CodeState | null;
  /** Whether citations are read at this place. */
  takesCitations(): boolean;
  /** Text; with `literal`, that of a tag which does not act though it is no code. */
  text(text: string, literal?: Tag): void;
  /** A citation element. */
  citation(source: string): void;
  /** A tag that is not code. */
  tag(tag: Tag): TagAct;
  /** The zone that was asked for has ended. */
  payload(text: string): void;
  /** The next piece of the construct that was asked for. Tells whether it is done with, and what is left of the piece. */
  construct(hold: ConstructHold, piece: string | Tag): ConstructStep;
}

/** A construct in live text whose end has not come. */
export interface ConstructHold {
  readonly kind: 'construct';
  readonly construct: ConstructKind;
  readonly start: Tag;
  /** What stands behind its start. */
  text: string;
  /** Where in it a single-step flag ends; 0 when none has come. */
  flagEnd: number;
}

/** `more`: it goes on. `literal`: it is text after all. `merged`: it is not shown; `rest` is not part of it. */
export type ConstructStep = 'more' | 'literal' | { readonly merged: true; readonly rest: string };

/** A tag that acts only if it stands alone on its line. */
export interface LineHold {
  readonly kind: 'line';
  readonly tag: Tag;
  blanks: string;
}

/** A stretch that is dropped if its end comes. */
export interface SkipHold {
  readonly kind: 'skip';
  text: string;
}

/** What is being read, where it is not plain text. */
export type Hold = SpanHold | LineHold | SkipHold | RawZone | ConstructHold;

/** All that a splitter keeps between two pieces. */
export interface SplitterState {
  candidate: Candidate | null;
  hold: Hold | null;
  work: number;
}

/** Cuts a growing text into text, tags, citations and raw zones. */
export interface TagSplitter {
  /** Plain data: whoever copies it has the state of this moment. Between two pieces only. */
  state: SplitterState;
  /** The next piece. Each unit is looked at once, those of a failed tag a second time. */
  push(text: string): void;
  /** Nothing follows: what is held is decided. With `keepZone`, a raw zone is left open. */
  flush(keepZone: boolean): void;
}
