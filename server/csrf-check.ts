import type { IncomingMessage } from 'node:http';
import { HttpError } from './http-error.js';

/** Throws an `HttpError` for a request that does not come from an allowed origin. */
export type AssertAllowedOrigin = (request: IncomingMessage) => void;

/**
 * Creates the check against cross-site request forgery: requests other than GET and HEAD must come from the integrator's own origin, or
 * from a navigation by the user.
 *
 * Browsers send `Sec-Fetch-Site`, which pages cannot set: `same-origin`, or `none` for a navigation by the user. They send it on https
 * and on localhost only. A site on plain http, or with pages on another origin, has to list its origins.
 *
 * @param allowedOrigins Additional origins such as `https://www.example.com`. Throws a `TypeError` for any other value.
 */
export function createCsrfCheck(allowedOrigins: readonly string[] = []): AssertAllowedOrigin {
  for (const origin of allowedOrigins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new TypeError(
        `allowedOrigins must contain origins such as https://www.example.com, without a path, not "${origin}".`,
      );
    }
  }
  const allowed = new Set(allowedOrigins);
  return ({ method = 'GET', headers }) => {
    if (method === 'GET' || method === 'HEAD') return;
    const fetchSite = headers['sec-fetch-site'];
    if (fetchSite === 'same-origin' || fetchSite === 'none') return;
    if (headers.origin !== undefined && allowed.has(headers.origin)) return;
    throw new HttpError(
      403,
      'The request does not come from a page of this origin. To accept it, add its origin to allowedOrigins on the server.',
    );
  };
}
