import { isUbikError, UbikError } from '../errors.js';
import type { Environment, Timer } from './environment.js';

/** Why a token is wanted: for a new connection, or because the last one was refused and a fresh one must be made. */
export interface TokenRequest {
  readonly reason: 'connect' | 'rejected';
}

/**
 * The host's way to a token. An empty text means that there is none. After 20 s without an answer the requests that wait for it
 * fail with `network`, and the next request asks again.
 */
export type GetToken = (ask: TokenRequest) => string | Promise<string>;

/**
 * Gives a token for a new connection, or a fresh one in the place of one that was refused (`null`: that had none, so the last one
 * will do); null when the host has none.
 */
export type TokenSource = (refused?: string | null) => Promise<string | null>;

/** What a header can carry: visible ASCII. Anything else would fail later, as a riddle, and with the token in its text. */
const TOKEN = /^[\x21-\x7e]+$/;

/**
 * Asks the host for tokens, one question at a time: callers that come while it is being answered share the answer, and of many
 * requests that were refused with one token only the first asks for another.
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
    // While a fresh token is on its way the host's old one would only be refused again.
    if (asked.has('rejected') || refused === latest) return ask('rejected');
    return refused === undefined ? ask('connect') : latest;
  };
}

function validateToken(token: unknown): string | null {
  if (token === '' || token == null) return null;
  if (typeof token === 'string' && TOKEN.test(token)) return token;
  throw new UbikError('misuse', 'getToken must give a text without blanks.');
}

function wrapFailure(cause: unknown): never {
  if (isUbikError(cause)) throw cause;
  // `fetch` rejects with a TypeError when there is no network: the host asks its own server for the token.
  const code = cause instanceof TypeError ? 'network' : 'unauthorized';
  throw new UbikError(code, 'getToken failed; nothing was sent.', { cause });
}

/** How long a function of the host may take, in ms: less than a request or a stream waits for its answer. */
const HOST_TIMEOUT = 20_000;

/**
 * Calls a function of the host that may be asynchronous, for at most 20 s. Rejects with what it throws.
 *
 * @throws {UbikError} `network` when it takes longer; its late answer is ignored.
 */
export async function callHost<T>(
  environment: Pick<Environment, 'setTimer' | 'clearTimer'>,
  name: string,
  question: () => T | Promise<T>,
): Promise<T> {
  let timer: Timer | undefined;
  const late = new Promise<never>((_, reject) => {
    const text = `${name} gave no answer within ${HOST_TIMEOUT / 1000} s.`;
    timer = environment.setTimer(() => reject(new UbikError('network', text)), HOST_TIMEOUT);
  });
  try {
    return await Promise.race([question(), late]);
  } finally {
    if (timer) environment.clearTimer(timer);
  }
}
