import type { IncomingMessage } from 'node:http';
import { HttpError } from './http-error.js';

const DEFAULT_BASE_URL = 'https://app.ubik-agent.com/api/v1';

/** The address of the service without a slash at its end. Throws a `TypeError` for anything that is not http(s). */
export function parseBaseUrl(text: string = DEFAULT_BASE_URL): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/u.test(url.protocol)) {
    throw new TypeError('baseUrl must be an address that begins with http:// or https://.');
  }
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(/\/+$/u, '');
  return url;
}

/** Throws a `TypeError` for a key that no service could accept, such as that of an environment variable which is not set. */
export function assertApiKey(apiKey: unknown): asserts apiKey is string {
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/u.test(apiKey)) {
    throw new TypeError(
      'apiKey must be the key of the account: a text without spaces. Is its environment variable set?',
    );
  }
}

/**
 * Tells who is signed in. Called for every request; null, undefined or an empty text means nobody. The answer must come
 * from the integrator's own session, never from anything that the page can choose.
 */
export type GetUser = (
  request: IncomingMessage,
) => string | null | undefined | Promise<string | null | undefined>;

/** Throws a `TypeError` unless somebody can be asked who is signed in. */
export function assertGetUser(getUser: unknown): asserts getUser is GetUser {
  if (typeof getUser !== 'function') {
    throw new TypeError('getUser must be a function that tells who is signed in.');
  }
}

/** Who is signed in. Rejects with a `Refusal` of status 500 when `getUser` fails: that is a fault of the integrator's server. */
export function resolveUser(
  getUser: GetUser,
  request: IncomingMessage,
): Promise<string | null | undefined> {
  return callIntegrator(() => getUser(request), 'It cannot be told who is signed in');
}

/** Calls the integrator's own code. Rejects with a `Refusal` of status 500: what that code throws may say more than a page should know. */
export async function callIntegrator<T>(call: () => T | Promise<T>, failed: string): Promise<T> {
  try {
    return await call();
  } catch {
    throw new HttpError(500, failed);
  }
}
