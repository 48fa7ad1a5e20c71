import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../api/api-error.js';
import type { Identity } from './identity.js';
import { readToken } from './token.js';

/** Credentials that authenticate requests. */
export interface Credentials {
  /** Secret that signs the tokens of users. */
  readonly secret: string;
  /** The API key of the account; null if the server accepts tokens only. */
  readonly apiKey: string | null;
}

/**
 * Authenticates a request: a user by a token, or the account by its key, which may act for a user. Throws an `ApiError` (401).
 *
 * @param queryToken The token in the URL, which only streams accept.
 */
export function authenticate(
  credentials: Credentials,
  request: IncomingMessage,
  queryToken: string | null,
): Identity {
  const key = request.headers['x-api-key'];
  if (typeof key === 'string') {
    if (credentials.apiKey === null || !isSame(key, credentials.apiKey))
      throw createAuthError('Invalid API key');
    const user = request.headers['x-end-user-id'];
    return { user: typeof user === 'string' && user !== '' ? user : null };
  }
  const token = /^Bearer\s+(.+)$/iu.exec(request.headers.authorization ?? '')?.[1] ?? queryToken;
  if (token === null) throw createAuthError('Not authenticated');
  const claims = readToken(credentials.secret, token, Date.now() / 1000);
  if (claims === null) throw createAuthError('Could not validate credentials');
  return { user: claims.user };
}

function createAuthError(detail: string): ApiError {
  return new ApiError(401, detail, { 'www-authenticate': 'Bearer' });
}

function isSame(given: string, expected: string): boolean {
  const one = Buffer.from(given);
  const other = Buffer.from(expected);
  return one.length === other.length && timingSafeEqual(one, other);
}
