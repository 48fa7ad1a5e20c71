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
  return texts.reduce((path, text, index) => {
    const value = values[index - 1] ?? '';
    if (/^\.{0,2}$/.test(value)) throw new UbikError('misuse', 'An id is empty or made of dots.');
    // Half a surrogate pair cannot be encoded and would throw.
    return path + encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\uFFFD')) + text;
  });
}

/**
 * The base URL, absolute, without query, fragment and closing slash. A relative one is resolved against `pageUrl`.
 *
 * @throws {UbikError} `misuse` when it is not usable.
 */
export function resolveBaseUrl(baseUrl: string, pageUrl: string | null): URL {
  const url = parseUrl(baseUrl, pageUrl ?? undefined);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new UbikError(
      'misuse',
      'The base URL must be like https://host/api, or relative to the page, without user and password.',
    );
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
  const { url: address, path = '', query = {} } = target;
  const root = base.pathname.replace(/\/$/, '');
  const url =
    address === undefined ? parseUrl(base.origin + root + path) : parseUrl(address, base.href);
  const isForeign = !url || url.origin !== base.origin || url.username || url.password;
  if (address === undefined) {
    if (isForeign || !path.startsWith('/') || !url.pathname.startsWith(`${root}/`))
      throw new UbikError('misuse', 'A path must begin with a slash and stay below the base URL.');
  } else if (isForeign) throw new UbikError('foreign-origin');
  url.hash = '';
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

/** `URL.canParse` and `URL.parse` are younger than the browsers we serve. */
function parseUrl(address: string, base?: string): URL | null {
  try {
    return new URL(address, base);
  } catch {
    // Not an address: the caller says what that means.
    return null;
  }
}
