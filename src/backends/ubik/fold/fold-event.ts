import { instantOf, type WireEvent } from '../wire/wire-event.js';

/** An event at its place in the order. */
export interface FoldEvent extends WireEvent {
  /** ms since the epoch, by the service's clock; null while no time is known. */
  readonly at: number | null;
}

/** The event with the instant that its place gives it, in µs. */
export function toFoldEvent(event: WireEvent, instant: number): FoldEvent {
  // An event that ends the run stands at the end of the order, whatever its own time.
  const own = Number.isFinite(instant) ? instant : instantOf(event);
  return {
    type: event.type,
    fields: event.fields,
    at: own === null ? null : Math.floor(own / 1000),
  };
}
