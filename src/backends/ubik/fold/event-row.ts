import type { Fields } from '../wire/fields.js';
import { instantOf, type WireEvent } from '../wire/wire-event.js';
import type { MessageFold } from './message-fold.js';

/**
 * Where an event belongs. Events of different lanes may come in any order. `main`: text of the message and what opens in it;
 * `step:N`: text in a step; `step-state:N`: its progress and end; `tool:ID`: one execution; `run`: the whole. `*` is all of them.
 */
export type Lane =
  'main' | 'run' | '*' | `step:${number}` | `step-state:${number}` | `tool:${string}`;

/** An event at its place in the order. */
export interface FoldEvent extends WireEvent {
  /** ms since the epoch, by the service's clock; null while no time is known. */
  readonly at: number | null;
}

/** What one type of event does. */
export interface EventRow {
  /** The lanes it belongs to, before it is reduced. */
  lanes(event: FoldEvent, fold: MessageFold): readonly Lane[];
  /** Whether it may be appended when it comes late and is still the newest in its lanes: it opens nothing. Never, if not given. */
  isAppend?(event: FoldEvent, fold: MessageFold): boolean;
  /** The name of the construct that it tells of, which text may have spelled out. */
  construct?(event: FoldEvent): string | null;
  /** Whether it ends the message: nothing changes afterwards. */
  ends?(event: { readonly fields: Fields }): boolean;
  /** Acts on the fold. */
  reduce(event: FoldEvent, fold: MessageFold): void;
}

/** The event with the instant that its place gives it, in µs. */
export function toFoldEvent(event: WireEvent, instant: number): FoldEvent {
  // An event that ends the run stands at the end of the order, whatever its own time.
  const own = Number.isFinite(instant) ? instant : instantOf(event);
  return { ...event, at: own === null ? null : Math.floor(own / 1000) };
}
