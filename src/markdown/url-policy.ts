import { warnOnce } from '../dom/warn-once.js';
import { describeHiddenTarget, hostOf } from './link-disguise.js';
import { parseUrl } from './parse-url.js';

/** A link that is allowed. */
export interface CheckedLink {
  /** The absolute URL, as the browser parses it. */
  readonly href: string;
  /** The host in ASCII; the domain for `mailto:`, empty for `tel:`. */
  readonly host: string;
  /**
   * Text that must be shown next to the link text, because the link text conceals the target; otherwise null. It is the host in ASCII, or
   * the URL if it has no host; for `mailto:` all recipients and prefilled fields; for `tel:` the number. The link text conceals the target
   * if it contains another one, can look different from what it contains, or is too long to be checked, or if the host is a homograph.
   * Several recipients, prefilled fields other than a subject, and telephone codes with `*` or `#` are always shown.
   */
  readonly notice: string | null;
}

/** An image that is allowed. */
export interface CheckedImage {
  readonly src: string;
  /** The host that would receive the request; empty for a `data:` image. */
  readonly host: string;
  /** Whether it is loaded without a click. */
  readonly automatic: boolean;
}

/** Decides which URLs are allowed in links, images, citations and tool results. */
export interface UrlPolicy {
  /** Returns null for a link that is not allowed. `text` is the text of the link. */
  checkLink(href: string, text?: string): CheckedLink | null;
  /** Returns null for an image that is not allowed, not even after a click. */
  checkImage(src: string): CheckedImage | null;
}

/** The images that are loaded without a click: none (`link`), `data:` images (`data`), or also those of `imageOrigins` (`allow`). */
export type ImagePolicy = 'link' | 'data' | 'allow';

/** Options of {@link createUrlPolicy}. */
export interface UrlPolicyOptions {
  /** Base URL of relative links; without it they are not allowed. */
  readonly linkBase?: string | undefined;
  /**
   * Schemes of links besides `http`, `https`, `mailto` and `tel`, such as `obsidian`. Those that run code or read data (`javascript`,
   * `vbscript`, `data`, `blob`, `file`, `filesystem`, `view-source`, `about`) are ignored with a warning, like anything that is not a scheme.
   */
  readonly linkSchemes?: readonly string[] | undefined;
  /** `link` by default. */
  readonly imagePolicy?: ImagePolicy | undefined;
  /**
   * For `allow`: origins, each with an optional path prefix such as `https://files.example/pictures/`. A question mark at the end
   * allows a query, which is removed otherwise.
   */
  readonly imageOrigins?: readonly string[] | undefined;
}

const LINK_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);
/** Schemes of links that run code, or show data as if it were a page. */
const UNSAFE_SCHEMES = /^(?:javascript|vbscript|data|blob|file|filesystem|view-source|about)$/;
const SCHEME = /^[a-z][a-z\d+.-]*$/;
const DATA_IMAGE = /^data:image\/(?:png|jpeg|gif|webp)[;,]/i;
/** Maximum length of the `data:` URL of an image, in UTF-16 units. */
const MAX_DATA_IMAGE = 2_800_000;

/** Creates a URL policy. It sends no requests and has no state. */
export function createUrlPolicy(given: UrlPolicyOptions = {}): UrlPolicy {
  // Copied to an object without a prototype, so that a polluted `Object.prototype` cannot allow images.
  const options = Object.assign(Object.create(null) as UrlPolicyOptions, given);
  // An empty base is not parsed: the result would also be null, but only after an exception inside of `parseUrl`.
  const base = options.linkBase ? parseUrl(options.linkBase, null) : null;
  const mode = options.imagePolicy ?? 'link';
  const sources = (options.imageOrigins ?? []).flatMap(parseImageSource);
  const schemes = readLinkSchemes(options.linkSchemes, warnOnce);
  return {
    checkLink(href, text = '') {
      const url = parseUrl(href, base);
      if (url === null) return null;
      if (!LINK_SCHEMES.has(url.protocol) && !schemes.includes(url.protocol.slice(0, -1)))
        return null;
      const host = hostOf(url);
      return { href: url.href, host, notice: describeHiddenTarget(url, host, text) };
    },
    checkImage(src) {
      if (/^data:/i.test(src.trim())) return checkDataImage(src.trim(), mode);
      const url = parseUrl(src, base);
      if (url === null || !/^https?:$/.test(url.protocol)) return null;
      const source =
        mode === 'allow' ? sources.find((entry) => matchesSource(entry, url)) : undefined;
      if (source === undefined) return { src: url.href, host: url.host, automatic: false };
      url.hash = '';
      if (!source.withQuery) url.search = '';
      return { src: url.href, host: url.host, automatic: true };
    },
  };
}

/**
 * Returns the schemes that the host page adds, in lower case and without a colon. Leaves out those that are refused, and calls `onRefused` with
 * a sentence for each of them.
 */
export function readLinkSchemes(
  names: readonly unknown[] | undefined,
  onRefused: (sentence: string) => void,
): string[] {
  return (names ?? []).flatMap((name) => {
    const scheme = String(name).toLowerCase().replace(/:$/, '');
    if (SCHEME.test(scheme) && !UNSAFE_SCHEMES.test(scheme)) return [scheme];
    const reason = SCHEME.test(scheme) ? 'such links run code or read data' : 'it is no scheme';
    onRefused(`"linkSchemes" cannot contain "${String(name)}": ${reason}. Remove it.`);
    return [];
  });
}

function checkDataImage(src: string, mode: ImagePolicy): CheckedImage | null {
  if (!DATA_IMAGE.test(src) || src.length > MAX_DATA_IMAGE) return null;
  return { src, host: '', automatic: mode === 'data' || mode === 'allow' };
}

interface ImageSource {
  readonly origin: string;
  readonly path: string;
  readonly withQuery: boolean;
}

function parseImageSource(text: string): ImageSource[] {
  const url = parseUrl(text, null);
  const withQuery = text.endsWith('?');
  return url === null ? [] : [{ origin: url.origin, path: url.pathname, withQuery }];
}

function matchesSource(source: ImageSource, url: URL): boolean {
  if (url.origin !== source.origin) return false;
  const isBelow = `${url.pathname}/`.startsWith(source.path.replace(/\/?$/, '/'));
  // The URL parser has resolved `..` and `%2e`. A server may still decode an escaped slash to another path.
  return isBelow && !/%2f|%5c/i.test(url.pathname);
}
