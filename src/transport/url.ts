import { UbikError } from '../errors.js';

/** What to do about a page without an address on the web. */
export const FILE_PAGE_HINT =
  'This page was opened as a file: open it through a web server, such as http://localhost.';

/** Values of a query; what is null or undefined is left out. */
export type QueryParameters = Readonly<
  Record<string, string | number | boolean | null | undefined>
>;

/** Where requests go: either a path below the base URL, or an address that the service itself has named. */
export interface RequestTarget {
  /** Begins with `/`, encoded; see {@link encodePath}. */
  readonly path?: string | undefined;
  /** From the network: refused with `foreign-origin` when it is not below the base URL. */
  readonly url?: string | undefined;
  readonly query?: QueryParameters | undefined;
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
    return path + encodeComponent(value) + text;
  });
}

/**
 * The base URL, absolute, without query, fragment and closing slash. A relative one is resolved against `pageUrl`.
 *
 * @throws {UbikError} `misuse` when it is not usable.
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
 * The absolute address of a request.
 *
 * @throws {UbikError} when it leaves the base URL: `foreign-origin` for a `url`, `misuse` for a `path`.
 */
export function resolveTarget(
  base: URL,
  { url: address, path = '', query = {} }: RequestTarget,
): URL {
  const isPath = address === undefined;
  const root = base.pathname.replace(/\/$/, '');
  const url = parseUrl(isPath ? base.origin + root + path : address, base.href);
  // An escaped dot or slash could mean another path to the server. In a path of ours each value was encoded as one segment.
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

/** Null for what is no address, or one with a user or password in it. */
function parseUrl(address: string, base?: string): URL | null {
  if (!URL.canParse(address, base)) return null;
  const url = new URL(address, base);
  return url.username || url.password ? null : url;
}

/**
 * `encodeURIComponent` for texts from the network, injective for every string: half a surrogate pair, at which the platform's function
 * throws a `URIError`, becomes the three bytes that UTF-8 would give it (WTF-8), which no valid text has.
 */
export function encodeComponent(text: string): string {
  return text.replace(/\p{Surrogate}|\P{Surrogate}+/gu, (piece) =>
    /^\p{Surrogate}$/u.test(piece) ? encodeHalf(piece.charCodeAt(0)) : encodeURIComponent(piece),
  );
}

function encodeHalf(unit: number): string {
  return [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]
    .map((byte) => `%${byte.toString(16).toUpperCase()}`)
    .join('');
}
