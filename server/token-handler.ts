import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson } from './safe-response.js';
import {
  assertApiKey,
  assertGetUser,
  type GetUser,
  parseBaseUrl,
  resolveUser,
} from './handler-options.js';
import { ByteBuffer } from './byte-buffer.js';
import { disconnectSignal } from './disconnect.js';
import { HttpError } from './http-error.js';
import { createCsrfCheck } from './csrf-check.js';

/** How tokens are made. */
export interface TokenHandlerOptions {
  /** The key of the account. It is sent to the service only, never to a page. Needed unless `mint` is given. */
  readonly apiKey?: string;
  /** Who is signed in; without somebody there is no token. */
  readonly getUser: GetUser;
  /** Address of the service, with its version; `https://app.ubik-agent.com/api/v1` by default. */
  readonly baseUrl?: string;
  /**
   * Origins such as `https://www.example.com` whose pages may ask for a token, besides pages of the route's own origin. Needed for
   * pages on another origin, and on plain http beyond localhost, where browsers do not say what a request comes from.
   */
  readonly allowedOrigins?: readonly string[];
  /** How long a token is good, from 5 to 1440; 60 by default. */
  readonly expiresInMinutes?: number;
  /** Makes the token itself instead of asking the service: visible ASCII without spaces, at most 8,192 characters. */
  readonly mint?: (user: string, expiresInMinutes: number) => Promise<string>;
}

/** A handler for `node:http` and everything that is built on it. Resolves when the request is answered. */
export type TokenHandler = (request: IncomingMessage, response: ServerResponse) => Promise<true>;

/**
 * Makes a route that gives the signed-in person a short-lived token for the service: the other end of `getToken`.
 *
 * It answers `POST` with `{access_token, token_type, expires_in}`, 401 when nobody is signed in, 403 when the request does not come
 * from a page of this origin or of `allowedOrigins`, 405 for any other method, 500 when `getUser` fails, and 502 when the service or
 * `mint` gives no token.
 *
 * Throws a `TypeError` or `RangeError` for options that cannot be meant, such as an `apiKey` that is missing.
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
  assertGetUser(options.getUser);
  const { getUser } = options;
  const requireSameSite = createCsrfCheck(options.allowedOrigins);
  const mint = options.mint ?? createServiceMint(options);
  if (typeof mint !== 'function') throw new TypeError('mint must be a function.');
  return async (request, response) => {
    const disconnected = disconnectSignal(response);
    try {
      if (request.method !== 'POST') {
        throw new HttpError(405, 'Method Not Allowed', { allow: 'POST' });
      }
      requireSameSite(request);
      const user = await resolveUser(getUser, request);
      if (disconnected.aborted) return true;
      if (typeof user !== 'string' || user === '') throw new HttpError(401, 'Not authenticated');
      const token: unknown = await mint(user, minutes);
      if (!isToken(token)) throw new Error('What was minted is no token.');
      if (disconnected.aborted) return true;
      sendJson(response, 200, {
        access_token: token,
        token_type: 'bearer',
        expires_in: minutes * 60,
      });
    } catch (error) {
      if (disconnected.aborted) return true;
      if (error instanceof HttpError) {
        sendJson(response, error.status, { detail: error.message }, error.headers);
      } else {
        // Why it failed may name the key or the service's inside; the page only learns that it did.
        sendJson(response, 502, { detail: 'No token could be made' });
      }
    }
    return true;
  };
}

/** What the page will send in a header: visible ASCII, and no longer than servers accept. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,8192}$/u.test(value);
}

function createServiceMint({
  apiKey,
  baseUrl,
}: TokenHandlerOptions): (user: string, minutes: number) => Promise<string> {
  assertApiKey(apiKey);
  const url = parseBaseUrl(baseUrl);
  return (user, minutes) => askService(url, apiKey, user, minutes);
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
  const answer = JSON.parse(await readText(response)) as { access_token?: unknown };
  if (!response.ok || typeof answer.access_token !== 'string') {
    throw new Error(`The service answered with status ${String(response.status)}.`);
  }
  return answer.access_token;
}

/** A token and what stands around it. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Counted after decompression: a few kilobytes of gzip can be unpacked to more than the memory holds. */
async function readText({ body }: Response): Promise<string> {
  const collected = new ByteBuffer();
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    collected.append(piece);
    if (collected.length > MAX_ANSWER_BYTES)
      throw new Error('The answer of the service is too large.');
  }
  return collected.toBuffer().toString('utf8');
}
