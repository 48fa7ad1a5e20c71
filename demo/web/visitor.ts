import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const COOKIE = 'ubik-visitor';
const ID = /^[A-Za-z0-9_-]{22,64}$/u;

/** The id of the visitor who makes a request, or null without a valid cookie. */
export function readVisitor(request: IncomingMessage): string | null {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [name, value = ''] = pair.trim().split('=', 2);
    if (name === COOKIE && ID.test(value)) return value;
  }
  return null;
}

/**
 * Returns the id of the visitor; gives a new one an id that scripts cannot read and other sites cannot use. Only for requests that no page
 * of another site can send without the cookie, such as navigations by GET.
 */
export function ensureVisitorId(request: IncomingMessage, response: ServerResponse): string {
  const known = readVisitor(request);
  if (known !== null) return known;
  const id = randomBytes(24).toString('base64url');
  const year = String(365 * 24 * 3600);
  response.setHeader(
    'set-cookie',
    `${COOKIE}=${id}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${year}`,
  );
  return id;
}
