import type { Change } from '../../model/change.js';
import type { ServerSentEvent } from '../../transport/sse.js';

/**
 * A run that a backend reduces from the events of its stream. Implemented by each backend that reads a stream; {@link followStream} decides
 * when events are applied and when changes are emitted.
 */
export interface StreamedRun {
  /** Whether the run has ended, so that no further event changes it. The stream is then closed. */
  readonly isEnded: boolean;
  /** Whether the run waits for input. The stream may then end without an event that ends the run. */
  readonly isWaiting: boolean;
  /** Whether late events have to be sorted, which `drainChanges(true)` does. */
  readonly isDirty: boolean;
  /** Requests whose responses change the run; undefined when there are none. */
  readonly lookups?: RunLookups | undefined;
  /** Applies an event. Throws to stop reading, for example when the stream is that of another run. */
  apply(event: ServerSentEvent): void;
  /** Called when the stream is closed: drops incomplete events. */
  onStreamClosed(): void;
  /**
   * Called when the stream has ended without an event that ends the run. Ends the run and returns true if that is a valid end, for example
   * after a stop.
   */
  tryEndWithoutEvent(): boolean;
  /** Returns the changes since the last call. With `sortLate`, sorts late events first. */
  drainChanges(sortLate: boolean): readonly Change[];
  /** Includes the state of the run in the next changes again. */
  repeatStatus(): void;
  /** Called when the run has ended or waits for input, before its last changes are emitted. */
  onEnd(): void;
  /**
   * Returns the changes that are emitted with the end of the run: the ids of its messages, which may have to be loaded, and its outcome, unless
   * `drainChanges` returns it. Never rejects.
   */
  loadFinalChanges(): Promise<readonly Change[]>;
}

/** Requests that are sent while a stream is read, and whose responses change the run. */
export interface RunLookups {
  /** Sends the requests that the events so far require. Resolves when their changes can be drained, or after a time limit. */
  start(): Promise<void>;
  /** Resolves with the next response; null when no request is pending. */
  readonly next: Promise<void> | null;
  /** Resolves when all requests that are pending now have finished. */
  done(): Promise<void>;
}
