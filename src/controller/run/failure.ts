import { isUbikError, UbikError, type UbikErrorCode } from '../../errors.js';

/** Codes of answers that the same request gets again. Each says that a request to start a run has started none. */
const FINAL: readonly UbikErrorCode[] = [
  'bad-request',
  'unauthorized',
  'forbidden',
  'not-found',
  'too-large',
  'invalid',
  'foreign-origin',
  'not-sent',
  'not-open',
  'unsupported',
  'misuse',
];

/** Anything thrown as a {@link UbikError}. */
export function toUbikError(thrown: unknown): UbikError {
  return isUbikError(thrown) ? thrown : new UbikError('network', { cause: thrown });
}

/** Whether the service says that there is nothing to join: no such run, or (204) no stream of it. */
export function isGone({ code, status }: UbikError): boolean {
  return code === 'not-sent' || code === 'not-found' || status === 204;
}

/** Whether trying again by itself may help: not after a final answer, nor when a bound was passed or the browser forbids it. */
export function isWorthRetrying({ code, status }: UbikError): boolean {
  const lasting: readonly UbikErrorCode[] = [
    'blocked',
    'event-too-large',
    'message-too-large',
    'too-many-events',
  ];
  return status !== 204 && ![...FINAL, ...lasting].includes(code);
}

/**
 * Whether the service has surely started nothing: the request never left, or was refused. An answer of 5xx, a broken body or no answer at all leave that open: the run is
 * looked for instead of being asked for again.
 */
export function isRefusal({ code, unsent }: UbikError): boolean {
  return unsent || [...FINAL, 'busy', 'rate-limited', 'load-failed'].includes(code);
}
