import type { ServerResponse } from 'node:http';

/**
 * Keeps what others have made (files of tools, uploaded documents, texts of a model) from running on the page's own origin, where a
 * script would act with the cookies of the person who opens it.
 *
 * @module
 */

/** Types that a browser displays and never runs. Everything else is only ever downloaded. */
const INLINE_TYPES =
  /^(?:image\/(?:png|jpeg|gif|webp|avif)|application\/pdf|text\/plain|(?:audio|video)\/[a-z\d][a-z\d.+-]*)$/u;

/**
 * Types that keep their name although they are only downloaded: the page reads them by `fetch`. SVG is among them because an `<img>`
 * draws a blob only under that name; scripts in it do not run there.
 */
const PRESERVED_TYPES = new Set(['application/json', 'image/svg+xml']);

const CHARSET = /;\s*charset="?([\w-]{1,40})"?\s*(?:;|$)/iu;

/** Sent with every answer of this origin that holds what others have made, whatever its type. */
export const INERT_HEADERS = {
  'x-content-type-options': 'nosniff',
  // A PDF file or a type that a browser comes to run one day runs without an origin and without scripts.
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** The type without its parameters, in lower case; empty for a value that names more than one type or none. */
export function parseMediaType(contentType: string | undefined): string {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /^[a-z\d!#$&^_.+-]+\/[a-z\d!#$&^_.+-]+$/u.test(type) ? type : '';
}

/**
 * Headers under which content of any origin can be handed to a browser.
 *
 * A few types that cannot run are displayed. Everything else is a download, and its type is withheld unless a page needs it: a
 * `<script>` or a `<link>` ignores `content-disposition`, but takes nothing of the type `application/octet-stream`.
 *
 * @param contentType What the maker of the content says that it is.
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

/** What an answer depends on besides its address: the person, known by a cookie or a token, and what of the request is forwarded. */
const VARY = ['Accept', 'Accept-Language', 'Authorization', 'Cookie'];

/**
 * Headers of an answer that is meant for one person: no cache may keep it, and one that does so all the same may not give it to
 * anybody else. What the integrator's server lets the answer vary on stays.
 *
 * @param isStream Whether it must reach the page piece by piece: nothing on the way may then collect or compress it.
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

/** Answers one person with JSON, which nobody may keep. */
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
