import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerJson } from './answer-json.js';
import { readBaseUrl } from './base-url.js';
import { forwardRequest } from './forward.js';
import type { GetUser } from './get-user.js';
import { readRoute } from './routes.js';
import { BodyProblem, readCleanBody } from './clean-body.js';

/** How the proxy reaches the service. */
export interface UbikProxyOptions {
  /** The key of the account. It is sent to the service only; no answer and no error ever carries it. */
  readonly apiKey: string;
  /** Who is signed in. Nobody: 401. */
  readonly getUser: GetUser;
  /** Address of the service, with its version; `https://app.ubik-agent.com/api/v1` by default. */
  readonly baseUrl?: string;
}

/**
 * A handler for `node:http` and everything that is built on it. Its paths are those of the API below the place where it
 * is mounted, so `request.url` must begin with `/agent-sessions` and the like.
 *
 * @returns whether the request was answered; false for a path that is not of the API, and nothing is sent then.
 */
export type UbikProxy = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/**
 * Makes a proxy on the integrator's own origin, so that pages need no token and no CORS.
 *
 * It asks `getUser` for every request and acts for that person, whatever the page claims: `X-End-User-ID`, `X-API-KEY`,
 * `Authorization`, cookies, and `api_key`, `token` and `external_user_id` in address or body do not pass. It serves the
 * endpoints that a chat needs and no other; `/auth/token` is none of them. Bodies and streams pass unbuffered, except
 * JSON bodies, which are read to be cleaned. When the page leaves, the request to the service ends too.
 *
 * Since the person is known by the integrator's cookie, give that cookie `SameSite=Lax` or `Strict`.
 *
 * @example
 * ```js
 * const proxy = createUbikProxy({ apiKey: process.env.UBIK_API_KEY, getUser: (request) => sessionOf(request)?.userId });
 * createServer(async (request, response) => {
 *   if (!request.url.startsWith('/api/v1/')) return servePage(request, response);
 *   request.url = request.url.slice('/api/v1'.length);
 *   if (!(await proxy(request, response))) response.writeHead(404).end();
 * });
 * ```
 */
export function createUbikProxy(options: UbikProxyOptions): UbikProxy {
  if (options.apiKey === '') throw new TypeError('apiKey must not be empty.');
  const baseUrl = readBaseUrl(options.baseUrl);
  return async (request, response) => {
    const route = readRoute(request.method ?? 'GET', request.url ?? '/');
    if (route === 'unknown') return false;
    try {
      const user = await options.getUser(request);
      if (typeof user !== 'string' || user === '') {
        refuse(request, response, 401, 'Not authenticated');
      } else if (!isHeaderValue(user)) {
        refuse(request, response, 502, 'The user cannot be named to the service');
      } else if (route === 'method') {
        refuse(request, response, 405, 'Method Not Allowed');
      } else {
        const body = await readCleanBody(request);
        const headers = { 'x-api-key': options.apiKey, 'x-end-user-id': user };
        await forwardRequest({ request, response, baseUrl, route, body, headers });
      }
    } catch (error) {
      fail(request, response, error);
    }
    return true;
  };
}

/** What may stand in a header. A name beyond ASCII must be encoded by the integrator. */
function isHeaderValue(text: string): boolean {
  return /^[\x20-\x7e]{1,500}$/u.test(text) && text.trim() === text;
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  detail: string,
): void {
  // What of the body is still on its way is let go, so that the connection can serve the next request.
  request.resume();
  answerJson(response, status, { detail });
}

function fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
  } else if (error instanceof BodyProblem) {
    refuse(request, response, error.status, error.message);
  } else {
    // The words of the error may name the service's inside; the page only learns that it failed.
    refuse(request, response, 502, 'The service cannot be reached');
  }
}
