import type { IncomingMessage } from 'node:http';
import { HttpError } from './http-error.js';

const DEFAULT_BASE_URL = 'https://app.ubik-agent.com/api/v1';

/**
 * Parses the base URL of the service and removes its query, fragment and trailing slashes. Throws a `TypeError` for anything but an http
 * or https URL.
 */
export function parseBaseUrl(text: string = DEFAULT_BASE_URL): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/u.test(url.protocol)) {
    throw new TypeError('baseUrl must be a URL that begins with http:// or https://.');
  }
  url.search = '';
  url.hash = '';
  return url.href.replace(/\/+$/u, '');
}

/** Throws a `TypeError` for an invalid key, for example undefined from an environment variable that is not set. */
export function assertApiKey(apiKey: unknown): asserts apiKey is string {
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/u.test(apiKey)) {
    throw new TypeError(
      'apiKey must be the API key of the account, a string without spaces. Is its environment variable set?',
    );
  }
}

/** The id of a user, a string or an integer; null, undefined, an empty string or 0 for nobody. */
export type UserId = string | number | null | undefined;

/**
 * Returns the id of the user who is signed in. Called for every request. The result must come from the integrator's own session, never from
 * data that the page can choose.
 */
export type GetUser = (request: IncomingMessage) => UserId | Promise<UserId>;

/** Throws a `TypeError` unless `getUser` is a function. */
export function assertGetUser(getUser: unknown): asserts getUser is GetUser {
  if (typeof getUser !== 'function') {
    throw new TypeError('getUser must be a function that returns the user who is signed in.');
  }
}

/**
 * Returns the user who is signed in. Rejects with an `HttpError` of status 401 for nobody, and of status 500 when `getUser` fails or returns
 * anything but an id.
 */
export async function resolveUser(getUser: GetUser, request: IncomingMessage): Promise<string> {
  const user = await runCallback(() => getUser(request), 'The signed-in user cannot be determined');
  if (user === null || user === undefined || user === '' || user === 0)
    throw new HttpError(401, 'Not authenticated');
  if (typeof user !== 'string' && !Number.isSafeInteger(user))
    throw new HttpError(500, 'getUser must return the id of the user as a string or an integer');
  return String(user);
}

/**
 * Receives the reason of each response with status 500 or above that this server itself creates, and of each one that breaks off, for the log
 * of the server. An original error is not sent to the page, because it may contain internals of the service.
 */
export type OnError = (error: unknown) => void;

/** Passes an error to `onError` unless the client has caused it. */
export function reportServerError(onError: OnError | undefined, error: unknown): void {
  if (error instanceof HttpError && error.status < 500) return;
  try {
    onError?.(error instanceof HttpError ? (error.cause ?? error) : error);
  } catch {
    // A log that fails must not prevent the response.
  }
}

/**
 * Calls a callback of the integrator. If it throws, rejects with an `HttpError` of status 500, without the original message, which may be
 * confidential.
 */
export async function runCallback<T>(
  call: () => T | Promise<T>,
  failureMessage: string,
): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw new HttpError(500, failureMessage, {}, { cause });
  }
}
