import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const COOKIE = 'ubik-visitor';
const ID = /^[A-Za-z0-9_-]{22,64}$/u;
/** Ids that were created for a request: its own cookie does not have them yet. */
const given = new WeakMap<IncomingMessage, string>();

/** The id of the visitor who makes a request, or null without a valid cookie. */
export function readVisitor(request: IncomingMessage): string | null {
  const known = given.get(request);
  if (known !== undefined) return known;
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [name, value = ''] = pair.trim().split('=', 2);
    if (name === COOKIE && ID.test(value)) return value;
  }
  return null;
}

/** Gives a new visitor an id that scripts cannot read and other sites cannot use. */
export function ensureVisitorId(request: IncomingMessage, response: ServerResponse): void {
  if (readVisitor(request) !== null) return;
  const id = randomBytes(24).toString('base64url');
  given.set(request, id);
  const year = String(365 * 24 * 3600);
  response.setHeader(
    'set-cookie',
    `${COOKIE}=${id}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${year}`,
  );
}
