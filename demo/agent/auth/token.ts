import { createHmac, timingSafeEqual } from 'node:crypto';
import { isJsonObject } from '../json.js';

/** Claims of a token. */
export interface TokenClaims {
  /** The end user; null for a token of the whole account. */
  readonly user: string | null;
  /** Expiry, in seconds since the epoch. */
  readonly expires: number;
}

const HEADER = encode(JSON.stringify({ alg: 'HS256', typ: 'JWT' }));

/** Signs a token (JWT, HS256). */
export function signToken(secret: string, claims: TokenClaims): string {
  const payload = encode(
    JSON.stringify({
      ...(claims.user === null ? {} : { sub: claims.user, external_user_id: claims.user }),
      exp: claims.expires,
    }),
  );
  return `${HEADER}.${payload}.${sign(secret, `${HEADER}.${payload}`)}`;
}

/**
 * Returns the claims of a token; null if it is malformed, has an invalid signature or has expired.
 *
 * @param now The current time, in seconds since the epoch.
 */
export function readToken(secret: string, token: string, now: number): TokenClaims | null {
  const [header, payload, signature, ...rest] = token.split('.');
  if (header !== HEADER || payload === undefined || signature === undefined || rest.length > 0) {
    return null; // Only the header of `signToken` is accepted, which excludes `alg: none`.
  }
  const expected = Buffer.from(sign(secret, `${header}.${payload}`));
  const given = Buffer.from(signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) return null;
  const claims = parse(payload);
  if (!isJsonObject(claims)) return null;
  const user = claims['external_user_id'];
  const expires = claims['exp'];
  if (typeof expires !== 'number' || expires <= now) return null;
  return { user: typeof user === 'string' ? user : null, expires };
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function sign(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}

function parse(payload: string): unknown {
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as unknown;
  } catch {
    return null;
  }
}
