/**
 * Names of fields and parameters with which a page could claim an identity or send a key of its own. The user is determined by
 * `getUser` only.
 *
 * @module
 */

/** Names in bodies, without hyphens and underscores, in lower case. */
const BODY_CLAIMS = new Set(['externaluserid', 'enduserid', 'xenduserid', 'apikey', 'xapikey']);

/** Names in URLs, which may also contain the token of a stream. */
const URL_CLAIMS = new Set([...BODY_CLAIMS, 'token', 'accesstoken', 'jwt', 'authorization']);

const normalizeName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z\d]/gu, '');

/** Whether a key of a JSON object or a form field claims an identity. */
export function isIdentityClaim(name: string): boolean {
  return BODY_CLAIMS.has(normalizeName(name));
}

/** Whether a URL parameter claims an identity, also as part of its name: `filter[api_key]`. */
export function isIdentityClaimInUrl(name: string): boolean {
  return name.split(/[[\].]/u).some((piece) => URL_CLAIMS.has(normalizeName(piece)));
}
