import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerJson } from './answer-json.js';
import type { GetUser } from './get-user.js';
import { readBaseUrl } from './base-url.js';

/** How tokens are made. */
export interface TokenHandlerOptions {
  /** The key of the account. It is sent to the service only, never to a page. */
  readonly apiKey: string;
  /** Who is signed in; without somebody there is no token. */
  readonly getUser: GetUser;
  /** Address of the service, with its version; `https://app.ubik-agent.com/api/v1` by default. */
  readonly baseUrl?: string;
  /** How long a token is good, from 5 to 1440; 60 by default. */
  readonly expiresInMinutes?: number;
  /** Makes the token itself instead of asking the service. */
  readonly mint?: (user: string, expiresInMinutes: number) => Promise<string>;
}

/** A handler for `node:http` and everything that is built on it. Resolves when the request is answered. */
export type TokenHandler = (request: IncomingMessage, response: ServerResponse) => Promise<true>;

/**
 * Makes a route that gives the signed-in person a short-lived token for the service: the other end of `getToken`.
 *
 * It answers `POST` with `{access_token, token_type, expires_in}`, 401 when nobody is signed in, 405 for any other method
 * and 502 when the service gives no token. Protect the route like any other that acts for the signed-in person: a cookie
 * with `SameSite=Lax` or `Strict` is enough, since pages of other sites can then not ask for a token.
 *
 * @example
 * ```js
 * const token = createTokenHandler({ apiKey: process.env.UBIK_API_KEY, getUser: (request) => sessionOf(request)?.userId });
 * createServer((request, response) => {
 *   if (request.url === '/token') void token(request, response);
 * });
 * ```
 */
export function createTokenHandler(options: TokenHandlerOptions): TokenHandler {
  const minutes = options.expiresInMinutes ?? 60;
  if (!Number.isInteger(minutes) || minutes < 5 || minutes > 1440) {
    throw new RangeError('expiresInMinutes must be a whole number from 5 to 1440.');
  }
  if (options.apiKey === '') throw new TypeError('apiKey must not be empty.');
  const baseUrl = readBaseUrl(options.baseUrl);
  const mint = options.mint ?? ((user) => askService(baseUrl, options.apiKey, user, minutes));
  return async (request, response) => {
    if (request.method !== 'POST') {
      answerJson(response, 405, { detail: 'Method Not Allowed' }, { allow: 'POST' });
      return true;
    }
    // The body is not used: who the person is comes from the integrator alone.
    request.resume();
    try {
      const user = await options.getUser(request);
      if (typeof user !== 'string' || user === '') {
        answerJson(response, 401, { detail: 'Not authenticated' });
        return true;
      }
      const token = await mint(user, minutes);
      answerJson(response, 200, {
        access_token: token,
        token_type: 'bearer',
        expires_in: minutes * 60,
      });
    } catch {
      // Why it failed may name the key or the service's inside; the page only learns that it did.
      answerJson(response, 502, { detail: 'No token could be made' });
    }
    return true;
  };
}

async function askService(
  baseUrl: URL,
  apiKey: string,
  user: string,
  minutes: number,
): Promise<string> {
  const response = await fetch(`${baseUrl.href}/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ external_user_id: user, expires_in_minutes: minutes }),
    // A redirect would carry the key to somebody else.
    redirect: 'error',
    signal: AbortSignal.timeout(15_000),
  });
  const answer = (await response.json()) as { access_token?: unknown };
  if (!response.ok || typeof answer.access_token !== 'string') {
    throw new Error(`The service answered with status ${String(response.status)}.`);
  }
  return answer.access_token;
}
