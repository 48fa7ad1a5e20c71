import { isUbikError, UbikError } from '../errors.js';
import type { Environment, Timer } from './environment.js';

/** Why a token is requested: for a new connection, or because the service has rejected the last one and a new one must be created. */
export interface TokenRequest {
  readonly reason: 'connect' | 'rejected';
}

/**
 * Returns a token; an empty string means that there is none. When it takes longer than 20 s, the requests that wait for it fail with
 * `network`, and the next request calls it again.
 */
export type GetToken = (ask: TokenRequest) => string | Promise<string>;

/**
 * Returns a token for a new connection, or a new one in place of a rejected one. With null, returns the last token without calling the
 * host. Resolves to null when the host has no token.
 */
export type TokenSource = (refused?: string | null) => Promise<string | null>;

/** Visible ASCII. `Headers` would throw for anything else, with the token in the message of the error. */
const TOKEN = /^[\x21-\x7e]+$/;

/**
 * Creates a source of tokens that calls `getToken` once at a time: concurrent requests share the result, and of many requests that
 * were rejected with one token only the first requests a new one.
 */
export function createTokenSource(
  environment: Pick<Environment, 'setTimer' | 'clearTimer'>,
  getToken: GetToken = () => '',
): TokenSource {
  let latest: string | null = null;
  const asked = new Map<TokenRequest['reason'], Promise<string | null>>();
  const ask = (reason: TokenRequest['reason']) => {
    const answer =
      asked.get(reason) ??
      callHost(environment, 'getToken', () => getToken({ reason }))
        .then(validateToken, wrapFailure)
        .then((token) => (latest = token))
        .finally(() => asked.delete(reason));
    asked.set(reason, answer);
    return answer;
  };
  return async (refused) => {
    // While a new token is being requested, the old one would only be rejected again.
    if (asked.has('rejected') || refused === latest) return ask('rejected');
    return refused === undefined ? ask('connect') : latest;
  };
}

function validateToken(token: unknown): string | null {
  if (token === '' || token == null) return null;
  if (typeof token === 'string' && TOKEN.test(token)) return token;
  throw new UbikError('misuse', 'getToken must return a string without white space.');
}

function wrapFailure(cause: unknown): never {
  if (isUbikError(cause)) throw cause;
  // `fetch` rejects with a TypeError when there is no network: the host asks its own server for the token.
  const code = cause instanceof TypeError ? 'network' : 'unauthorized';
  throw new UbikError(code, 'getToken failed; the request was not sent.', { cause });
}

/** Time limit of a callback of the host, in ms. Shorter than the timeouts of requests and streams. */
const HOST_TIMEOUT = 20_000;

/**
 * Calls a callback of the host and waits for at most 20 s. Rejects with the error that it throws.
 *
 * @throws {UbikError} `network` when it takes longer; its late result is ignored.
 */
export async function callHost<T>(
  environment: Pick<Environment, 'setTimer' | 'clearTimer'>,
  name: string,
  callback: () => T | Promise<T>,
): Promise<T> {
  let timer: Timer | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const text = `${name} did not respond within ${HOST_TIMEOUT / 1000} s.`;
    timer = environment.setTimer(() => reject(new UbikError('network', text)), HOST_TIMEOUT);
  });
  try {
    return await Promise.race([callback(), timeout]);
  } finally {
    if (timer) environment.clearTimer(timer);
  }
}
