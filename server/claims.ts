/**
 * Names under which a page could claim to be somebody, or could bring a key of its own. Who the person is comes from `getUser` alone.
 *
 * @module
 */

/** Written without hyphens and underscores, in lower case. */
const IN_BODIES = new Set(['externaluserid', 'enduserid', 'xenduserid', 'apikey', 'xapikey']);

/** An address can hold the token of a stream, too. */
const IN_ADDRESSES = new Set([...IN_BODIES, 'token', 'accesstoken', 'jwt', 'authorization']);

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z\d]/gu, '');

/** Whether a key of a JSON value or a field of a form claims who the person is. */
export function isClaim(name: string): boolean {
  return IN_BODIES.has(plain(name));
}

/** Whether a parameter of an address does so, also as a part of another one: `filter[api_key]`. */
export function isClaimInAddress(name: string): boolean {
  return name.split(/[[\].]/u).some((piece) => IN_ADDRESSES.has(plain(piece)));
}
