import type { ContentFields } from '../../../model/part.js';
import { getEventTime, type WireEvent } from '../events/wire-event.js';
import type { MessageReducer } from './message-reducer.js';

/**
 * What the order of an event matters to (R4): events of different groups may come in any order. `main`: the main text and
 * the parts in it; `step:N`: the text of a step; `step-state:N`: its progress and end; `tool:ID`: one execution; `run`:
 * the whole run; `*`: all groups. An event of `opens` may add a part and is never appended when it is late.
 */
export type OrderingGroup =
  | 'main'
  | 'run'
  | '*'
  | 'opens'
  | `step:${number}`
  | `step-state:${number}`
  | `tool:${string}`;

/** An event with the time of its place in the log. */
export interface ReducerEvent extends WireEvent {
  /** ms since the epoch, by the service's clock; null while no time is known. */
  readonly time: number | null;
}

/** The handler of a type of event. */
export interface EventHandler {
  /** The groups of an event, before it is reduced. An event that ends the message is never late and needs none. */
  groups(event: ReducerEvent, reducer: MessageReducer): readonly OrderingGroup[];
  /** The part that the event represents, if text may spell it out too (R7). */
  part?(event: ReducerEvent): ContentFields;
  /** Ends the message: nothing changes it afterwards (R3). */
  readonly endsMessage?: true;
  /** Applies the event to the reducer. */
  reduce(event: ReducerEvent, reducer: MessageReducer): void;
}

/** Adds the time of its place in the log, in µs, to an event. */
export function toReducerEvent(event: WireEvent, instant: number): ReducerEvent {
  // The place of an end event is at the end, whatever its own time: its own time is used.
  const eventTime = Number.isFinite(instant) ? instant : getEventTime(event);
  return { ...event, time: eventTime === null ? null : Math.floor(eventTime / 1000) };
}
