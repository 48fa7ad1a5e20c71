import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson } from './inert-content.js';
import {
  assertApiKey,
  assertGetUser,
  type GetUser,
  type OnError,
  parseBaseUrl,
  reportServerError,
  resolveUser,
} from './handler-options.js';
import { ByteBuffer } from './byte-buffer.js';
import { createCloseSignal } from './client-connection.js';
import { HttpError } from './http-error.js';
import { createCsrfCheck } from './csrf-check.js';

/** Options of {@link createTokenHandler}. */
export interface TokenHandlerOptions {
  /** The API key of the account. It is sent to the service only, never to a page. Required unless `mint` is set. */
  readonly apiKey?: string;
  /** Returns the user who is signed in. Without one, the response is 401. */
  readonly getUser: GetUser;
  /** Base URL of the service, with its version; `https://app.ubik-agent.com/api/v1` by default. */
  readonly baseUrl?: string;
  /**
   * Origins such as `https://www.example.com` whose pages may request a token, besides pages of the route's own origin. Required for
   * pages on another origin, and on plain http except localhost, where browsers do not send `Sec-Fetch-Site`.
   */
  readonly allowedOrigins?: readonly string[];
  /** How long a token is valid, in minutes: a whole number from 5 to 1440; 60 by default. */
  readonly expiresInMinutes?: number;
  /** Creates the token instead of the service: visible ASCII without spaces, at most 8,192 characters. */
  readonly mint?: (user: string, expiresInMinutes: number) => Promise<string>;
  /** Receives the reason of each 500 and 502; nothing is logged by default. */
  readonly onError?: OnError;
}

/** A request handler for `node:http` and frameworks on top of it. Resolves when the response is sent. */
export type TokenHandler = (request: IncomingMessage, response: ServerResponse) => Promise<true>;

/**
 * Creates a route that issues a short-lived token for the service to the user who is signed in. Pages request it in `getToken`.
 *
 * It responds to `POST` with `{access_token, token_type, expires_in}`, 401 when nobody is signed in, 403 when the request does not come
 * from a page of this origin or of `allowedOrigins`, 405 for any other method, 500 when `getUser` fails, and 502 when the service or
 * `mint` returns no token.
 *
 * Throws a `TypeError` or `RangeError` for invalid options, such as a missing `apiKey` without `mint`.
 *
 * @example
 * ```js
 * const handleToken = createTokenHandler({ apiKey: process.env.UBIK_API_KEY, getUser: (request) => sessionOf(request)?.userId });
 * createServer((request, response) => {
 *   if (request.url === '/agent-token') void handleToken(request, response);
 *   else servePage(request, response);
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
  const assertAllowedOrigin = createCsrfCheck(options.allowedOrigins);
  const mint = options.mint ?? createServiceMint(options);
  if (typeof mint !== 'function') throw new TypeError('mint must be a function.');
  return async (request, response) => {
    const closed = createCloseSignal(response);
    try {
      if (request.method !== 'POST') {
        throw new HttpError(405, 'Method Not Allowed', { allow: 'POST' });
      }
      assertAllowedOrigin(request);
      const user = await resolveUser(getUser, request);
      if (closed.aborted) return true;
      const token: unknown = await mint(user, minutes);
      if (!isToken(token)) throw new Error('The minted token is not valid.');
      sendJson(response, 200, {
        access_token: token,
        token_type: 'bearer',
        expires_in: minutes * 60,
      });
    } catch (error) {
      reportServerError(options.onError, error);
      if (error instanceof HttpError) {
        sendJson(response, error.status, { detail: error.message }, error.headers);
      } else {
        // The original message is not sent, because it may contain the key or internals of the service.
        sendJson(response, 502, { detail: 'No token could be created' });
      }
    }
    return true;
  };
}

/** Whether a token can be sent in a header: visible ASCII, and not longer than servers accept. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,8192}$/u.test(value);
}

function createServiceMint({
  apiKey,
  baseUrl,
}: TokenHandlerOptions): (user: string, minutes: number) => Promise<string> {
  assertApiKey(apiKey);
  const base = parseBaseUrl(baseUrl);
  return (user, minutes) => requestToken(base, apiKey, user, minutes);
}

/** Longest time, in ms, in which the service has to return a token. */
const SERVICE_TIMEOUT = 15_000;

async function requestToken(
  baseUrl: string,
  apiKey: string,
  user: string,
  minutes: number,
): Promise<string> {
  const response = await fetch(`${baseUrl}/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ external_user_id: user, expires_in_minutes: minutes }),
    // A redirect would send the key to another server.
    redirect: 'error',
    signal: AbortSignal.timeout(SERVICE_TIMEOUT),
  });
  const result = JSON.parse(await readText(response)) as { access_token?: unknown };
  if (!response.ok || typeof result.access_token !== 'string') {
    throw new Error(`The service responded with status ${String(response.status)}.`);
  }
  return result.access_token;
}

/** Maximum size of a response with a token. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/** Reads a body up to the limit, which applies after decompression: a few kilobytes of gzip can expand to gigabytes. */
async function readText({ body }: Response): Promise<string> {
  const buffer = new ByteBuffer();
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    buffer.append(chunk);
    if (buffer.length > MAX_RESPONSE_BYTES) {
      throw new Error('The response of the service is too large.');
    }
  }
  return buffer.toBuffer().toString('utf8');
}
