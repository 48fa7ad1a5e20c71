import type { ContentFields } from '../../../model/part.js';
import { getEventTime, type WireEvent } from '../events/wire-event.js';
import type { MessageReducer } from './message-reducer.js';

/**
 * Where an event belongs. Events of different groups may come in any order. `main`: text of the message and what opens in it;
 * `step:N`: text in a step; `step-state:N`: its progress and end; `tool:ID`: one execution; `run`: the whole. `*` is all of them. What
 * `opens` something, or may do so, is never appended when it comes late.
 */
export type OrderingGroup =
  | 'main'
  | 'run'
  | '*'
  | 'opens'
  | `step:${number}`
  | `step-state:${number}`
  | `tool:${string}`;

/** An event at its place in the order. */
export interface ReducerEvent extends WireEvent {
  /** ms since the epoch, by the service's clock; null while no time is known. */
  readonly at: number | null;
}

/** What one type of event does. */
export interface EventHandler {
  /** The groups it belongs to, before it is reduced. An event that ends the message is never late and needs none. */
  groups(event: ReducerEvent, reducer: MessageReducer): readonly OrderingGroup[];
  /** The part that it tells of, which text may have spelled out. */
  part?(event: ReducerEvent): ContentFields;
  /** It ends the message: nothing changes afterwards. */
  readonly ends?: true;
  /** Acts on the reducer. */
  reduce(event: ReducerEvent, reducer: MessageReducer): void;
}

/** The event with the instant that its place gives it, in µs. */
export function toReducerEvent(event: WireEvent, instant: number): ReducerEvent {
  // An event that ends the run stands at the end of the order, whatever its own time.
  const own = Number.isFinite(instant) ? instant : getEventTime(event);
  return { ...event, at: own === null ? null : Math.floor(own / 1000) };
}
