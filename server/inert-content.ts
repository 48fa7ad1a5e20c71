import type { ServerResponse } from 'node:http';

/**
 * Response headers that keep untrusted content (files of tools, uploaded documents, output of a model) from running on the origin of
 * the page, where a script would act with the cookies of the user, and that keep private responses out of caches.
 *
 * @module
 */

/** Media types that browsers display without running scripts. All other types are downloaded. */
const INLINE_TYPES =
  /^(?:image\/(?:png|jpeg|gif|webp|avif)|application\/pdf|text\/plain|(?:audio|video)\/[a-z\d][a-z\d.+-]*)$/u;

/**
 * Media types that are kept for downloads, because pages read them with `fetch`. SVG is one of them, because a renderer of the host page that
 * loads an SVG file can show its blob in an `<img>` only with this type. Scripts in it do not run there.
 */
const PRESERVED_TYPES = new Set(['application/json', 'image/svg+xml']);

const CHARSET = /;\s*charset="?([\w-]{1,40})"?\s*(?:;|$)/iu;

/** Headers of every response with untrusted content, whatever its type. */
export const INERT_HEADERS = {
  'x-content-type-options': 'nosniff',
  // Sandboxes PDF files, and any type that browsers may run in the future.
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Returns a media type without parameters, in lower case; empty for an invalid header value. */
export function parseMediaType(contentType: string | undefined): string {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /^[a-z\d!#$&^_.+-]+\/[a-z\d!#$&^_.+-]+$/u.test(type) ? type : '';
}

/**
 * Returns headers with which untrusted content can be sent to a browser.
 *
 * Some types that cannot run are displayed. All others are downloaded, as `application/octet-stream` unless a page needs their type:
 * `<script>` and `<link>` ignore `content-disposition`, but reject `application/octet-stream`.
 *
 * @param contentType The untrusted type of the content.
 */
export function inertContentHeaders(
  contentType: string | undefined,
): Readonly<Record<string, string>> {
  const type = parseMediaType(contentType);
  if (INLINE_TYPES.test(type)) {
    const charset = type === 'text/plain' ? CHARSET.exec(contentType ?? '')?.[1] : undefined;
    return {
      'content-type': charset === undefined ? type : `${type}; charset=${charset}`,
      ...INERT_HEADERS,
    };
  }
  return {
    'content-type': PRESERVED_TYPES.has(type) ? type : 'application/octet-stream',
    'content-disposition': 'attachment',
    ...INERT_HEADERS,
  };
}

/** Request headers on which a response depends: those that identify the user, and those by which the service may choose the content. */
const VARY = ['Accept', 'Accept-Language', 'Authorization', 'Cookie'];

/**
 * Returns headers of a response for one user: caches must not store it, and `Vary` keeps a cache that does so anyway from serving it to
 * another user. Existing values of `Vary` are kept.
 *
 * @param isStream Whether the response is streamed: proxies must then not buffer or compress it.
 */
export function privateResponseHeaders(
  response: ServerResponse,
  isStream = false,
): Readonly<Record<string, string>> {
  const known = [response.getHeader('vary') ?? []].flat().map(String);
  return {
    'cache-control': isStream ? 'private, no-store, no-transform' : 'private, no-store',
    vary: [...known, ...VARY].join(', '),
    ...(isStream ? { 'x-accel-buffering': 'no' } : {}),
  };
}

/** Sends a private JSON response. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      ...INERT_HEADERS,
      ...privateResponseHeaders(response),
      ...headers,
    })
    .end(text);
}
