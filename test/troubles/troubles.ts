import type { UbikErrorCode } from '../../src/errors.js';

/** What goes wrong with a request. */
export interface Trouble {
  readonly name: string;
  /** As the demo's header for faults says it; null: the network loses the answer to something that was done. */
  readonly fault: string | null;
  /** What an act rejects with that only asks or changes something. */
  readonly code: UbikErrorCode;
  /** Whether it is known that nothing was done. */
  readonly isRefusal: boolean;
  /** It strikes every request, not only that of the act. */
  readonly everywhere?: boolean;
}

const status = (number: number, code: UbikErrorCode, more = ''): Trouble => ({
  name: `${number}`,
  fault: `status; status=${number}${more}`,
  code,
  isRefusal: number < 500,
});

/** Everything that an answer can be instead of the right one. */
export const TROUBLES: readonly Trouble[] = [
  status(401, 'unauthorized'),
  status(403, 'forbidden'),
  status(404, 'not-found'),
  status(409, 'busy'),
  status(422, 'invalid'),
  status(429, 'rate-limited', '; retryAfter=7'),
  status(500, 'server'),
  { name: 'a break', fault: 'reset', code: 'network', isRefusal: false },
  { name: 'a page', fault: 'html', code: 'not-an-api', isRefusal: false },
  { name: 'no JSON', fault: 'garbage', code: 'not-an-api', isRefusal: false },
  { name: 'a lost answer', fault: null, code: 'network', isRefusal: false },
  { name: 'no network', fault: 'reset', code: 'network', isRefusal: false, everywhere: true },
];
