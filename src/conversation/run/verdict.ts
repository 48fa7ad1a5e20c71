import { UbikError } from '../../errors.js';
import type { ConnectionEnd } from './connection.js';
import { createBreak, createStall, isRefusal, isWorthRetrying, toUbikError } from './failure.js';
import type { EndState } from './run-record.js';

/** How things stand when a connection has ended. */
export interface Circumstances {
  readonly end: ConnectionEnd;
  /** It gave a sign of life. */
  readonly heard: boolean;
  /** No connection of this run has ever told anything of it. */
  readonly pending: boolean;
  /** It was the act itself, not a rejoin. */
  readonly asked: boolean;
  /** The service was asked to stop. */
  readonly stopping: boolean;
  /** The run waits for the person. */
  readonly waiting: boolean;
  /** Whether the service can join runs again. */
  readonly canRejoin: boolean;
}

/** What comes next. */
export type Verdict =
  /** The run is over, or given up. */
  | { readonly next: 'end'; readonly state: EndState; readonly error: UbikError | null }
  /** There never was a run. */
  | { readonly next: 'refuse'; readonly error: UbikError }
  /** It is joined at once. */
  | { readonly next: 'join'; readonly error: UbikError }
  /** It is joined when the backoff says so. */
  | { readonly next: 'retry'; readonly error: UbikError };

/** What the end of a connection means for its run. */
export function judgeEnd(circumstances: Circumstances): Verdict {
  const { end, stopping, waiting } = circumstances;
  if (stopping && end.how === 'returned') return { next: 'end', state: 'stopped', error: null };
  // Whoever waits for the person need not be connected.
  if (waiting) return { next: 'end', state: 'waiting', error: null };
  const error = toCause(end);
  if (isRefused(error, circumstances))
    return { next: 'refuse', error: toRefusal(error, circumstances) };
  if (error.code === 'run-failed') return { next: 'end', state: 'failed', error };
  if (!circumstances.canRejoin || !isWorthRetrying(error)) {
    return { next: 'end', state: 'interrupted', error };
  }
  // Silence after a sign of life may mean that there is nothing to say; silence from the first moment on is a try that failed.
  return { next: end.how === 'stalled' && circumstances.heard ? 'join' : 'retry', error };
}

function toCause(end: ConnectionEnd): UbikError {
  if (end.how === 'threw') return toUbikError(end.error);
  return end.how === 'stalled' ? createStall() : createBreak();
}

/** A look for a run that finds none says that there is none, whatever the service calls it. */
function toRefusal(error: UbikError, { asked }: Circumstances): UbikError {
  if (asked || error.code === 'not-sent') return error;
  const text = 'The service did not take the message. The text is kept; send it again.';
  return new UbikError('not-sent', text, { cause: error });
}

/** An answered refusal of the act itself, or of the look for a run that nobody has seen. */
function isRefused(error: UbikError, { pending, asked }: Circumstances): boolean {
  if (!pending) return false;
  return asked ? isRefusal(error) : error.code === 'not-sent' || error.code === 'not-found';
}
