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

/** Whether trying again by itself may help: not after a final answer, nor when a bound was passed. */
export function isWorthRetrying({ code }: UbikError): boolean {
  const bounds: readonly UbikErrorCode[] = [
    'event-too-large',
    'message-too-large',
    'too-many-events',
  ];
  return ![...FINAL, ...bounds].includes(code);
}

/**
 * Whether the service has surely started nothing. An answer of 5xx, a broken body or no answer at all leave that open: the run is
 * looked for instead of being asked for again.
 */
export function isRefusal({ code }: UbikError): boolean {
  return [...FINAL, 'busy', 'rate-limited', 'load-failed'].includes(code);
}
