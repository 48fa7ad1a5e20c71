import { UbikError } from '../errors.js';
import { encodeComponent } from './encode-component.js';

/** Hint for the developer when there is no URL of a page: the page was opened from the file system, or there is no page, as on a server. */
export const FILE_PAGE_HINT =
  'If this page was opened as a file, open it through a web server, such as http://localhost.';

/** Query parameters. Null and undefined values are omitted. */
export type QueryParameters = Readonly<
  Record<string, string | number | boolean | null | undefined>
>;

/** The target of a request: a path below the base URL, or a URL that the service has sent. */
export interface RequestTarget {
  /** Begins with `/`, encoded; see {@link encodePath}. */
  readonly path?: string | undefined;
  /** An untrusted URL. Rejected with `foreign-origin` when it is not below the base URL. */
  readonly url?: string | undefined;
  readonly query?: QueryParameters | undefined;
}

/**
 * Template tag that encodes each value as one path segment.
 *
 * @throws {UbikError} `misuse` for an empty value, `.` and `..`, which URL parsing would remove.
 * @example
 * encodePath`/sessions/${id}/stream`
 */
export function encodePath(texts: TemplateStringsArray, ...values: readonly string[]): string {
  return texts.reduce((path, text, index) => {
    const value = values[index - 1] ?? '';
    if (/^\.{0,2}$/.test(value)) throw new UbikError('misuse', 'An id is empty or made of dots.');
    return path + encodeComponent(value) + text;
  });
}

/**
 * Returns the absolute base URL, without query and fragment, and without a trailing slash, except for the root of an origin, whose path is
 * always `/`. A relative one is resolved against `pageUrl`, which is null for a page without an http(s) URL, such as a file, and on a server.
 *
 * @throws {UbikError} `misuse` when it is not an http or https URL, and when it contains credentials.
 */
export function resolveBaseUrl(baseUrl: string, pageUrl: string | null): URL {
  const url = parseUrl(baseUrl, pageUrl ?? undefined);
  if (!url || !/^https?:$/.test(url.protocol)) {
    const hint = pageUrl === null ? ` ${FILE_PAGE_HINT}` : '';
    throw new UbikError('misuse', `The base URL must be like /api or https://host/api.${hint}`);
  }
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/**
 * Returns the absolute URL of a request.
 *
 * @throws {UbikError} when it is not below the base URL: `foreign-origin` for a `url`, `misuse` for a `path`.
 */
export function resolveTarget(
  base: URL,
  { url: address, path = '', query = {} }: RequestTarget,
): URL {
  const isPath = address === undefined;
  // The base URL ends with a slash only when it is the root of an origin.
  const root = base.pathname.replace(/\/$/, '');
  const url = parseUrl(isPath ? base.origin + root + path : address, base.href);
  // A server may decode an escaped dot or slash to another path. A `path` is safe, because `encodePath` encodes each value as one segment.
  const isPlain = isPath ? path.startsWith('/') : !/%(?:2e|2f|5c)/i.test(address);
  const isBelow = isPlain && url?.pathname.startsWith(`${root}/`);
  if (url?.origin !== base.origin || !isBelow) {
    throw new UbikError(isPath ? 'misuse' : 'foreign-origin');
  }
  url.hash = '';
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

/** Returns null for an invalid URL and for one that contains credentials. */
function parseUrl(address: string, base?: string): URL | null {
  if (!URL.canParse(address, base)) return null;
  const url = new URL(address, base);
  return url.username || url.password ? null : url;
}
