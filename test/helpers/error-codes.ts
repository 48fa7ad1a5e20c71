import type { UbikErrorCode } from '../../src/errors.js';

/** What a service can answer to an act, besides doing it. */
export const REJECTIONS: readonly UbikErrorCode[] = [
  'bad-request',
  'unauthorized',
  'forbidden',
  'not-found',
  'busy',
  'invalid',
  'rate-limited',
];

/** That, and what leaves open whether the service has done it. */
export const FAILURES: readonly UbikErrorCode[] = [
  ...REJECTIONS,
  'server',
  'network',
  'not-an-api',
];
