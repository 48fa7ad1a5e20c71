import type { IncomingMessage } from 'node:http';
import { HttpError } from './http-error.js';

/** Refuses a request that another site may have made in the name of the person. */
export type AssertSameSite = (request: IncomingMessage) => void;

/**
 * Makes the check against cross-site request forgery: a request that changes something must come from the integrator's own origin.
 *
 * A browser says so itself by `Sec-Fetch-Site`, which no page can set: `same-origin`, or `none` for what the person typed or opened.
 * It says so on secure addresses and on localhost only; a site on plain http names its own origin, and so does one whose pages are
 * on another origin than this server.
 *
 * @param allowedOrigins Further origins such as `https://www.example.com`. Throws a `TypeError` for anything that is none.
 */
export function createCsrfCheck(allowedOrigins: readonly string[] = []): AssertSameSite {
  for (const origin of allowedOrigins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin || origin === 'null') {
      throw new TypeError(
        `allowedOrigins must hold origins such as https://www.example.com, without a path: "${origin}" is none.`,
      );
    }
  }
  const allowed = new Set(allowedOrigins);
  return ({ method = 'GET', headers }) => {
    if (method === 'GET' || method === 'HEAD') return;
    const site = headers['sec-fetch-site'];
    if (site === 'same-origin' || site === 'none') return;
    if (headers.origin !== undefined && allowed.has(headers.origin)) return;
    throw new HttpError(
      403,
      'The request does not come from a page of this origin. If it should be accepted, add its origin to allowedOrigins on the server.',
    );
  };
}
