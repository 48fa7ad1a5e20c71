import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Allows pages of other origins to use a response (CORS). Returns true when it has answered the request, which was a preflight.
 */
export type AllowOrigin = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Response headers that pages of other origins may read. */
const EXPOSED_HEADERS = 'date, retry-after';

/**
 * Returns the function that sets the CORS headers of the API, for pages that call it with a token instead of a cookie.
 *
 * @param origins Origins such as `https://www.example.com`; no other origin is allowed.
 */
export function createOriginAllowance(origins: readonly string[]): AllowOrigin {
  const allowed = new Set(origins);
  return (request, response) => {
    const { origin } = request.headers;
    // A cache must not give the response for one origin to another, whether it is allowed or not.
    if (allowed.size > 0) response.setHeader('vary', 'Origin');
    if (origin === undefined || !allowed.has(origin)) return false;
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-expose-headers', EXPOSED_HEADERS);
    const isPreflight =
      request.method === 'OPTIONS' &&
      request.headers['access-control-request-method'] !== undefined;
    if (!isPreflight) return false;
    response.writeHead(204, {
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'authorization, content-type',
      'access-control-max-age': '600',
    });
    response.end();
    return true;
  };
}
