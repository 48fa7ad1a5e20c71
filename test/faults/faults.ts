import type { UbikErrorCode } from '../../src/errors.js';

/** A fault of a request. */
export interface Fault {
  readonly name: string;
  /** Value of the fault header of the demo; null: the response is lost after the service has executed the request. */
  readonly header: string | null;
  /** The error of actions that start no run. */
  readonly code: UbikErrorCode;
  /** Whether it is known that the service has executed nothing. */
  readonly isRefusal: boolean;
  /** Whether the fault affects all requests, not only that of the action. */
  readonly everywhere?: boolean;
}

const status = (number: number, code: UbikErrorCode, more = ''): Fault => ({
  name: `${number}`,
  header: `status; status=${number}${more}`,
  code,
  isRefusal: number < 500,
});

/** All faults. */
export const FAULTS: readonly Fault[] = [
  status(401, 'unauthorized'),
  status(403, 'forbidden'),
  status(404, 'not-found'),
  status(409, 'busy'),
  status(422, 'invalid'),
  status(429, 'rate-limited', '; retryAfter=7'),
  status(500, 'server'),
  { name: 'a broken connection', header: 'reset', code: 'network', isRefusal: false },
  { name: 'an HTML page', header: 'html', code: 'not-an-api', isRefusal: false },
  { name: 'invalid JSON', header: 'garbage', code: 'not-an-api', isRefusal: false },
  { name: 'a lost response', header: null, code: 'network', isRefusal: false },
  { name: 'no network', header: 'reset', code: 'network', isRefusal: false, everywhere: true },
];
