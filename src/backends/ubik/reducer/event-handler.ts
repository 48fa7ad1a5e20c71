import type { ContentFields } from '../../../model/part.js';
import { getEventTime, type WireEvent } from '../events/wire-event.js';
import type { MessageReducer } from './message-reducer.js';

/**
 * A group of events whose order matters (UBIK R4); events of different groups may come in any order. `main`: the main text and the parts in
 * it; `step:N`: the text of a step; `step-state:N`: its progress and end; `tool:ID`: one execution; `run`: the whole run; `*`: all groups.
 * `opens` is no group: it marks an event that may add a part, which is reduced in its order even when it is late (see `TaskReducer`).
 */
export type OrderingGroup =
  | 'main'
  | 'run'
  | '*'
  | 'opens'
  | `step:${number}`
  | `step-state:${number}`
  | `tool:${string}`;

/** An event with the time of its position in the log. */
export interface ReducerEvent extends WireEvent {
  /** ms since the epoch, by the service's clock; null while no time is known. */
  readonly time: number | null;
}

/** The handler of a type of event. */
export interface EventHandler {
  /** Returns the groups of an event before it is reduced. An event that ends the message is never late and needs no group. */
  groups(event: ReducerEvent, reducer: MessageReducer): readonly OrderingGroup[];
  /** Returns the part that the event represents, if the text may contain it as tags too (UBIK R7). */
  part?(event: ReducerEvent): ContentFields;
  /** Set when the event ends the message, after which nothing changes it (UBIK R3). */
  readonly endsMessage?: true;
  /** Applies the event to the reducer. */
  reduce(event: ReducerEvent, reducer: MessageReducer): void;
}

/** Adds the time to an event. `instant` is the time by which the log sorts the event, in µs; infinite when the log has no time for it. */
export function toReducerEvent(event: WireEvent, instant: number): ReducerEvent {
  // An end event is at the end of the log (`Infinity`), and an event beyond the limit of the log may have no time (`-Infinity`).
  const eventTime = Number.isFinite(instant) ? instant : getEventTime(event);
  return { ...event, time: eventTime === null ? null : Math.floor(eventTime / 1000) };
}
