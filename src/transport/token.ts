import { isUbikError, UbikError, type UbikErrorCode } from '../errors.js';
import type { Environment, Timer } from './environment.js';

/**
 * Why a token is requested: `connect` for a new request, `rejected` because the service has rejected the last token and a new one must be
 * created.
 */
export interface TokenRequest {
  readonly reason: 'connect' | 'rejected';
}

/**
 * Returns a token, or an empty string when there is none. A token is kept in memory, never in storage. It is used again until the service
 * rejects it or, if it is a JSON Web Token, until 30 s before the time of its claim `exp`. Without a token, the function is called for
 * each request. If it takes longer than 20 s, the requests that wait for it fail with `network`, and the next request calls it again. If it
 * throws, they fail with `network` for an error of `fetch` or a `status` of 0, with `server` or `rate-limited` if the error has such a
 * `status`, and else with `unauthorized`. A `UbikError` is passed on.
 */
export type GetToken = (request: TokenRequest) => string | Promise<string>;

/** The tokens of one client. Null stands for the token of a host that has none. */
export interface TokenSource {
  /** The last token; null before the first one and after `forget`. */
  readonly last: string | null;
  /** Resolves to a token for a new request: the last one while it is valid, else a new one. */
  request(): Promise<string | null>;
  /** Identifies the user, as far as is known: another object after each `forget`. */
  readonly user: object;
  /**
   * Resolves to a replacement for the token with which a request of `user` was rejected. Rejects with `unauthorized` when the token was dropped
   * since the request began, because the replacement may belong to another user.
   */
  replace(rejected: string | null, user: object): Promise<string | null>;
  /** Drops the token, because the user may have changed. A token that is being requested is used only by the requests that wait for it. */
  forget(): void;
}

/** Visible ASCII characters. `Headers` would throw for others, with the token in the error message. */
const TOKEN = /^[\x21-\x7e]+$/;

/** How long before its expiry, in ms, a token is no longer used for new requests, because it has to be valid when they arrive. */
const EXPIRY_MARGIN = 30_000;

const USER_CHANGED = 'The user may have changed: the request was not repeated. Try again.';

/**
 * Creates a token source that deduplicates calls of `getToken`: a token is kept while it is valid, concurrent requests share a new one, and
 * when several requests were rejected with the same token, only the first one requests a new token.
 */
export function createTokenSource(
  environment: Pick<Environment, 'now' | 'setTimer' | 'clearTimer'>,
  getToken: GetToken = () => '',
): TokenSource {
  let latest: string | null = null;
  let pending = new Map<TokenRequest['reason'], Promise<string | null>>();
  const requestToken = (reason: TokenRequest['reason']) => {
    const requests = pending;
    const result =
      requests.get(reason) ??
      callHost(environment, 'getToken', () => getToken({ reason }))
        .then(validateToken, wrapFailure)
        .then((token) => {
          if (requests === pending) latest = token;
          return token;
        })
        .finally(() => requests.delete(reason));
    requests.set(reason, result);
    return result;
  };
  // A request that was rejected because it had no token belongs to no user, so it can be repeated with any token.
  const checkUser = (rejected: string | null, user: object): void => {
    if (rejected !== null && user !== pending)
      throw new UbikError('unauthorized', USER_CHANGED, { offender: 'forgetToken' });
  };
  return {
    get last() {
      return latest;
    },
    get user() {
      return pending;
    },
    request: async () => {
      // While a replacement is being requested, the last token would be rejected again.
      if (pending.has('rejected')) return requestToken('rejected');
      const isValid = latest !== null && environment.now() < readExpiry(latest) - EXPIRY_MARGIN;
      return isValid ? latest : requestToken('connect');
    },
    replace: async (rejected, user) => {
      checkUser(rejected, user);
      const isReplaced = latest !== null && rejected !== latest && !pending.has('rejected');
      const token = isReplaced ? latest : await requestToken('rejected');
      checkUser(rejected, user);
      return token;
    },
    forget: () => {
      latest = null;
      pending = new Map();
    },
  };
}

/** Returns when a JSON Web Token expires, in ms since the epoch; infinity for any other token. */
function readExpiry(token: string): number {
  const [, claims = ''] = token.split('.');
  try {
    const { exp } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as {
      exp?: unknown;
    };
    return typeof exp === 'number' ? exp * 1000 : Infinity;
  } catch {
    return Infinity;
  }
}

function validateToken(token: unknown): string | null {
  if (token === '' || token == null) return null;
  if (typeof token === 'string' && TOKEN.test(token)) return token;
  throw new UbikError('misuse', 'getToken must return a string without white space.');
}

function wrapFailure(cause: unknown): never {
  if (isUbikError(cause)) throw cause;
  const code = isNetworkFailure(cause) ? 'network' : codeOfStatus(readStatus(cause));
  const message = 'getToken failed; the service has not processed the request.';
  throw new UbikError(code, message, { offender: 'getToken', cause });
}

/** Returns the status with which a token route has responded, where libraries for requests put it; undefined when there is none. */
function readStatus(error: unknown): unknown {
  const { status, response } = Object(error) as { readonly [name: string]: unknown };
  return status ?? (Object(response) as { readonly status?: unknown }).status;
}

/** Returns the error code for such a status. For a fault or limit of the server it is not `unauthorized`, because signing in again does not help. */
function codeOfStatus(status: unknown): UbikErrorCode {
  // Libraries that use XMLHttpRequest set 0 when there is no response.
  if (status === 0) return 'network';
  if (status === 429) return 'rate-limited';
  return Number(status) >= 500 ? 'server' : 'unauthorized';
}

/** Words by which engines report a bug, such as reading a property of undefined. The messages of `fetch` contain none of them. */
const BUG = /\b(?:undefined|null|iterable|URL|not a (?:function|constructor))\b/;

/** Whether a host's callback may have thrown an error because `fetch` has no network, or because of a timeout that the host has set. */
export function isNetworkFailure(error: unknown): boolean {
  if (error instanceof TypeError) return !BUG.test(error.message);
  const { name } = Object(error) as { readonly name?: unknown };
  return /^(Abort|Timeout|Network)Error$/.test(String(name));
}

/** Timeout of a callback of the host, in ms. Shorter than the timeouts of requests and streams. */
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
