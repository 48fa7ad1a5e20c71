import type { Fields } from '../wire/fields.js';
import type { ConstructName } from './known-constructs.js';
import type { FoldEvent } from './fold-event.js';
import type { MessageFold } from './message-fold.js';

/**
 * Where an event belongs. Events of different lanes may come in any order. `main`: text of the message and what opens in it;
 * `step:N`: text in a step; `step-state:N`: its progress and end; `tool:ID`: one execution; `run`: the whole. `*` is all of them.
 */
export type Lane =
  'main' | 'run' | '*' | `step:${number}` | `step-state:${number}` | `tool:${string}`;

/** What one type of event does. */
export interface EventRow {
  /** The lanes it belongs to, before it is reduced. */
  lanes(event: FoldEvent, fold: MessageFold): readonly Lane[];
  /** Whether it may be appended when it comes late and is still the newest in its lanes: it opens nothing. */
  isAppend(event: FoldEvent, fold: MessageFold): boolean;
  /** The construct it tells of, which text may have spelled out. */
  construct?(event: FoldEvent): ConstructName | null;
  /** Whether it ends the message: nothing changes afterwards. */
  ends?(event: { readonly fields: Fields }): boolean;
  /** Acts on the fold. */
  reduce(event: FoldEvent, fold: MessageFold): void;
}
