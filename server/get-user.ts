import type { IncomingMessage } from 'node:http';
import { askIntegrator } from './ask-integrator.js';

/**
 * Tells who is signed in. Called for every request; null, undefined or an empty text means nobody. The answer must come
 * from the integrator's own session, never from anything that the page can choose.
 */
export type GetUser = (
  request: IncomingMessage,
) => string | null | undefined | Promise<string | null | undefined>;

/** Throws a `TypeError` unless somebody can be asked who is signed in. */
export function requireGetUser(getUser: unknown): asserts getUser is GetUser {
  if (typeof getUser !== 'function') {
    throw new TypeError('getUser must be a function that tells who is signed in.');
  }
}

/** Who is signed in. Rejects with a `Refusal` of status 500 when `getUser` fails: that is a fault of the integrator's server. */
export function askUser(
  getUser: GetUser,
  request: IncomingMessage,
): Promise<string | null | undefined> {
  return askIntegrator(() => getUser(request), 'It cannot be told who is signed in');
}
