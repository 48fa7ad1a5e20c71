/**
 * Names under which a page could claim to be somebody, or could bring a key of its own. Who the person is comes from `getUser` alone.
 *
 * @module
 */

/** Written without hyphens and underscores, in lower case. */
const BODY_CLAIMS = new Set(['externaluserid', 'enduserid', 'xenduserid', 'apikey', 'xapikey']);

/** An address can hold the token of a stream, too. */
const URL_CLAIMS = new Set([...BODY_CLAIMS, 'token', 'accesstoken', 'jwt', 'authorization']);

const normalizeName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z\d]/gu, '');

/** Whether a key of a JSON value or a field of a form claims who the person is. */
export function isIdentityClaim(name: string): boolean {
  return BODY_CLAIMS.has(normalizeName(name));
}

/** Whether a parameter of an address does so, also as a part of another one: `filter[api_key]`. */
export function isIdentityClaimInUrl(name: string): boolean {
  return name.split(/[[\].]/u).some((piece) => URL_CLAIMS.has(normalizeName(piece)));
}
