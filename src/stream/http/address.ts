import { UbikError } from '../../errors.js';

/** Values of a query; what is null or undefined is left out. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Where requests go: either a path below the base URL, or an address that the service itself has named. */
export interface Target {
  /** Begins with `/`, encoded; see {@link encodePath}. */
  readonly path?: string | undefined;
  /** From the network: refused with `foreign-origin` when it leads away from the base URL's origin. */
  readonly url?: string | undefined;
  readonly query?: Query | undefined;
}

/**
 * A path from a template, each value encoded as one segment.
 *
 * @throws {UbikError} `misuse` for a value that is no segment (empty, `.`, `..`): an address would lose it and mean something else.
 * @example
 * encodePath`/sessions/${id}/stream`
 */
export function encodePath(texts: TemplateStringsArray, ...values: readonly string[]): string {
  return texts.reduce((path, text, index) => path + encodeSegment(values[index - 1] ?? '') + text);
}

function encodeSegment(value: string): string {
  if (value === '' || value === '.' || value === '..') {
    throw new UbikError('misuse', 'An id is empty or made of dots; it cannot stand in an address.');
  }
  // Half a surrogate pair cannot be encoded and would throw.
  return encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\uFFFD'));
}

/**
 * The base URL, absolute, without query, fragment and closing slash. A relative one is resolved against `pageUrl`.
 *
 * @throws {UbikError} `misuse` when it is not usable.
 */
export function resolveBaseUrl(baseUrl: string, pageUrl: string | null): URL {
  const url = parseUrl(baseUrl, pageUrl ?? undefined);
  if (!url)
    throw new UbikError(
      'misuse',
      'The base URL is not an address; give one such as https://host/api.',
    );
  if (!/^https?:$/.test(url.protocol)) {
    throw new UbikError(
      'misuse',
      'The base URL must begin with https:// or http://, or be relative to the page.',
    );
  }
  if (url.username || url.password) {
    throw new UbikError('misuse', 'The base URL must not hold a user name or password.');
  }
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/**
 * The absolute address of a request.
 *
 * @throws {UbikError} `foreign-origin` for a `url` of another origin; `misuse` for a `path` that leaves the base URL.
 */
export function resolveTarget(base: URL, target: Target): URL {
  const url =
    target.url === undefined ? resolvePath(base, target.path) : resolveUrl(base, target.url);
  for (const [name, value] of Object.entries(target.query ?? {})) {
    if (value !== null && value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

function resolvePath(base: URL, path: string | undefined): URL {
  const root = base.pathname.replace(/\/$/, '');
  const url = path?.startsWith('/') ? parseUrl(base.origin + root + path, undefined) : null;
  if (url?.origin === base.origin && url.pathname.startsWith(`${root}/`)) return url;
  throw new UbikError('misuse', 'A path must begin with a slash and stay below the base URL.');
}

function resolveUrl(base: URL, address: string): URL {
  const url = parseUrl(address, base.href);
  if (!url || url.origin !== base.origin || url.username || url.password)
    throw createForeignError();
  url.hash = '';
  return url;
}

/** The error for an address or an answer of another origin than the configured one. */
export function createForeignError(): UbikError {
  return new UbikError(
    'foreign-origin',
    'An address leads away from the configured service; nothing was sent there.',
  );
}

/** `URL.canParse` and `URL.parse` are younger than the browsers we serve. */
function parseUrl(address: string, base: string | undefined): URL | null {
  try {
    return new URL(address, base);
  } catch {
    // Not an address: the caller says what that means.
    return null;
  }
}
