import { isUbikError, UbikError, type UbikErrorCode } from '../../errors.js';
import { isNetworkFailure } from '../../transport/token.js';

/** Errors with which the service certainly starts no run, and that a retry would repeat. */
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

/**
 * Converts a thrown value to a {@link UbikError}: a failure of `fetch` becomes `network`. Any other error is a fault in the code of the backend
 * and becomes `server`, after which it is also unknown whether the service has received a request.
 */
export function toUbikError(thrown: unknown): UbikError {
  if (isUbikError(thrown)) return thrown;
  return new UbikError(isNetworkFailure(thrown) ? 'network' : 'server', { cause: thrown });
}

/** Whether an error says that there is nothing to join: no such run, or (204) no stream of it. */
export function hasNothingToJoin({ code, status }: UbikError): boolean {
  return code === 'not-sent' || code === 'not-found' || status === 204;
}

/**
 * Whether an automatic retry can succeed: not after a final error or a 204 response (nothing to join), nor when a limit was exceeded or
 * the browser blocks the request.
 */
export function isRetryable({ code, status }: UbikError): boolean {
  const permanent: readonly UbikErrorCode[] = [
    'blocked',
    'event-too-large',
    'message-too-large',
    'too-many-events',
  ];
  return status !== 204 && ![...FINAL, ...permanent].includes(code);
}

/**
 * Whether it is certain that the service has started no run: the request was not sent, or was rejected. After a 5xx response, a broken
 * body or no response it is unknown: then the run is located instead of requested again.
 */
export function isRefusal({ code, unsent }: UbikError): boolean {
  return unsent || [...FINAL, 'busy', 'rate-limited', 'load-failed'].includes(code);
}
