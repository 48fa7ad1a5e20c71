/**
 * Names of fields and parameters that would set a user id or a key. The proxy removes or rejects them, because the user is determined by
 * `getUser` only.
 *
 * @module
 */

/** Names in bodies, reduced to lower-case letters and digits. */
const BODY_FIELDS = new Set(['externaluserid', 'enduserid', 'xenduserid', 'apikey', 'xapikey']);

/** Names in URLs, which may also contain the token of a stream. */
const URL_PARAMETERS = new Set([...BODY_FIELDS, 'token', 'accesstoken', 'jwt', 'authorization']);

const normalizeName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z\d]/gu, '');

/** Whether a key of a JSON object or a form field would set a user id or a key. */
export function isIdentityField(name: string): boolean {
  return BODY_FIELDS.has(normalizeName(name));
}

/** Whether a URL parameter, or a part of its name (`filter[api_key]`), would set a user id or a key. */
export function isIdentityParameter(name: string): boolean {
  return name.split(/[[\].]/u).some((piece) => URL_PARAMETERS.has(normalizeName(piece)));
}
