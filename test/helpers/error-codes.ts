import type { UbikErrorCode } from '../../src/errors.js';

/** Codes with which a service rejects an action without performing it. */
export const REJECTIONS: readonly UbikErrorCode[] = [
  'bad-request',
  'unauthorized',
  'forbidden',
  'not-found',
  'busy',
  'invalid',
  'rate-limited',
];

/** Rejections, and failures after which it is unknown whether the service has performed the action. */
export const FAILURES: readonly UbikErrorCode[] = [
  ...REJECTIONS,
  'server',
  'network',
  'not-an-api',
];
