import { isUbikError, UbikError, type UbikErrorCode } from '../../errors.js';

/** Codes for which the same request, sent again by itself, gives the same answer. */
const FINAL: ReadonlySet<UbikErrorCode> = new Set([
  'bad-request',
  'unauthorized',
  'forbidden',
  'not-found',
  'too-large',
  'invalid',
  'foreign-origin',
  'not-sent',
  'run-failed',
  'event-too-large',
  'message-too-large',
  'too-many-events',
  'unsupported',
  'misuse',
]);

/** Codes that say that a request to start a run has started none. */
const REFUSED: ReadonlySet<UbikErrorCode> = new Set([
  'bad-request',
  'unauthorized',
  'forbidden',
  'not-found',
  'busy',
  'too-large',
  'invalid',
  'rate-limited',
  'foreign-origin',
  'not-sent',
  'unsupported',
  'misuse',
]);

/** Anything thrown as a {@link UbikError}. */
export function toUbikError(thrown: unknown): UbikError {
  if (isUbikError(thrown)) return thrown;
  return new UbikError('network', 'The connection to the service broke. It is tried again.', {
    cause: thrown,
  });
}

/** Whether trying again by itself may help. */
export function isWorthRetrying(error: UbikError): boolean {
  return !FINAL.has(error.code);
}

/**
 * Whether the service has surely started nothing. An answer of 5xx, a broken body or no answer at all leave that open: the run is
 * looked for instead of being asked for again.
 */
export function isRefusal(error: UbikError): boolean {
  return REFUSED.has(error.code);
}

/** The error of a stream that ended before its run did. */
export function createBreak(): UbikError {
  return new UbikError(
    'interrupted',
    'The stream ended before the answer did. It is joined again.',
  );
}

/** The error of a silent stream. */
export function createStall(): UbikError {
  return new UbikError('interrupted', 'The service fell silent. The stream is joined again.');
}

/** The error of a call on something that is closed. */
export function createClosed(): UbikError {
  return new UbikError('aborted', 'The controller was closed.');
}

/** An error as it stands in the data. */
export function toFailure({ code, message }: UbikError): { code: string; message: string } {
  return { code, message };
}

/** Why automatic rejoining ended. What a person can act on keeps its own code. */
export function toGiveUp(error: UbikError): UbikError {
  if (error.retryAfter !== undefined) return error;
  const text =
    'The connection did not come back. The answer may go on at the service; join it again later.';
  return new UbikError('interrupted', text, { cause: error });
}
