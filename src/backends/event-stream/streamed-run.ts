import type { Change } from '../../model/change.js';
import type { ServerSentEvent } from '../../transport/sse.js';

/**
 * A run as a service builds it from the events of its stream. A service implements this; {@link followStream} decides when events are
 * applied and when changes are emitted.
 */
export interface StreamedRun {
  /** Whether no further event changes the run. The stream is closed then. */
  readonly isEnded: boolean;
  /** Whether the run waits for input: then the stream may end without an event that ends the run. */
  readonly isWaiting: boolean;
  /** Whether events that came late have to be sorted, which `drainChanges(true)` does. */
  readonly isDirty: boolean;
  /** Requests on which changes depend; undefined when there are none. */
  readonly lookups?: RunLookups | undefined;
  /** Applies an event. Throws to stop reading, such as for the stream of another run. */
  apply(event: ServerSentEvent): void;
  /** The stream is closed: parts of events that are incomplete are dropped. */
  closeStream(): void;
  /** The stream has ended without an event that ends the run. Ends it and returns true when that is its end, such as after a stop. */
  endWithoutEvent(): boolean;
  /** The changes since the last call. With `settle`, late events are sorted before. */
  drainChanges(settle: boolean): readonly Change[];
  /** Includes the state of the run in the next changes once more. */
  repeatStatus(): void;
  /** Called when the run has ended or waits for input, before its last changes are emitted. */
  onEnd(): void;
  /** Changes with the service's ids of the run's messages, emitted with its end. Never rejects. */
  loadEnd(): Promise<readonly Change[]>;
}

/** Requests beside a stream, whose responses change the run. */
export interface RunLookups {
  /** Sends the requests that the events so far ask for. Resolves when their changes can be drained, or when that takes too long. */
  start(): Promise<void>;
  /** Resolves with the next response; null when none is pending. */
  readonly next: Promise<void> | null;
  /** Resolves when none of the requests that are pending now is pending any more. */
  done(): Promise<void>;
}
