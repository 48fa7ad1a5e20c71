import { isUbikError, UbikError } from '../../errors.js';

/** Why a token is wanted: for a new connection, or because the last one was refused and a fresh one must be made. */
export interface TokenAsk {
  readonly reason: 'connect' | 'rejected';
}

/** The host's way to a token. An empty text means that there is none. */
export type GetToken = (ask: TokenAsk) => string | Promise<string>;

/** Tokens for one service, never kept longer than they are good for. */
export interface TokenSource {
  /** A token for a new connection; null when the host gives none. */
  connect(): Promise<string | null>;
  /** A fresh token in place of one that was refused; null when the host gives none. */
  renew(rejected: string | null): Promise<string | null>;
}

/** What a header can carry: visible ASCII. Anything else would fail later, as a riddle, and with the token in its text. */
const USABLE = /^[\x21-\x7e]+$/;

/**
 * Asks the host for tokens, one question at a time: callers that come while it is being answered share the answer, and of many
 * requests that were refused with one token only the first asks for another.
 */
export function createTokenSource(getToken: GetToken | undefined): TokenSource {
  let latest: string | null = null;
  let connecting: Promise<string | null> | null = null;
  let renewing: Promise<string | null> | null = null;
  const ask = async (reason: TokenAsk['reason']) => {
    latest = getToken ? checkToken(await callHost(() => getToken({ reason }))) : null;
    return latest;
  };
  return {
    connect() {
      // A fresh token is on its way: the host's old one would only be refused again.
      if (renewing) return renewing;
      return (connecting ??= ask('connect').finally(() => (connecting = null)));
    },
    renew(rejected) {
      if (!renewing && latest !== rejected) return Promise.resolve(latest);
      return (renewing ??= ask('rejected').finally(() => (renewing = null)));
    },
  };
}

async function callHost(ask: () => unknown): Promise<unknown> {
  try {
    return await ask();
  } catch (cause) {
    if (isUbikError(cause)) throw cause;
    // `fetch` rejects with a TypeError when there is no network: the host asks its own server for the token.
    const code = cause instanceof TypeError ? 'network' : 'unauthorized';
    throw new UbikError(code, 'getToken failed, so nothing was sent.', { cause });
  }
}

function checkToken(token: unknown): string | null {
  if (token === '' || token === null || token === undefined) return null;
  if (typeof token === 'string' && USABLE.test(token)) return token;
  throw new UbikError('misuse', 'getToken must return the token as a text without blanks.');
}
