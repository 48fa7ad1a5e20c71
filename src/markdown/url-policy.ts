/** Where a link goes, and what of it must be shown. */
export interface CheckedLink {
  /** The address as the browser reads it, absolute. */
  readonly href: string;
  /** The host it goes to, in ASCII; for mail the domain, for telephone numbers empty. */
  readonly host: string;
  /** Whether the text names another host, so that the real one must stand beside it. */
  readonly showHost: boolean;
}

/** An image that may be loaded. */
export interface CheckedImage {
  readonly src: string;
  /** The host that a request would go to; empty for an image inside the text. */
  readonly host: string;
  /** Whether it may be loaded without being asked for. */
  readonly automatic: boolean;
}

/** The one judge of addresses: for links, images, citations and tool results alike. */
export interface UrlPolicy {
  /** Null when the address leads nowhere that is allowed. `text` is what a person reads on the link. */
  link(href: string, text?: string): CheckedLink | null;
  /** Null when the address cannot be an image that is allowed, not even after a click. */
  image(src: string): CheckedImage | null;
}

/** What happens to remote images: `link` asks before any is loaded, `data` shows those inside the text, `allow` those of the listed places too. */
export type ImagePolicy = 'link' | 'data' | 'allow';

/** Settings of the policy. */
export interface UrlPolicyOptions {
  /** Relative addresses are resolved against it; without it they lead nowhere. */
  readonly linkBase?: string | undefined;
  /** `link` by default. */
  readonly imagePolicy?: ImagePolicy | undefined;
  /**
   * For `allow`: exact origins, each with an optional path that the address must begin with, as in
   * `https://files.example/pictures/`. A question mark at the end allows a query; it is cut off otherwise.
   */
  readonly imageOrigins?: readonly string[] | undefined;
}

const LINK_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);
const DATA_IMAGE = /^data:image\/(?:png|jpeg|gif|webp)[;,]/i;
const MAX_DATA_IMAGE = 2_800_000;

/** Makes the judge of addresses. It makes no requests and keeps nothing. */
export function createUrlPolicy(options: UrlPolicyOptions = {}): UrlPolicy {
  // An empty address is an exception, and the page may make a judge for each link.
  const base = options.linkBase ? parse(options.linkBase, null) : null;
  const mode = options.imagePolicy ?? 'link';
  const places = (options.imageOrigins ?? []).flatMap(readPlace);
  return {
    link(href, text = '') {
      const url = parse(href, base);
      if (url === null || !LINK_SCHEMES.has(url.protocol)) return null;
      const host = hostOf(url);
      return { href: url.href, host, showHost: namesOtherHost(text, host) };
    },
    image(src) {
      if (/^data:/i.test(src.trim())) return dataImage(src.trim(), mode);
      const url = parse(src, base);
      if (url === null || !/^https?:$/.test(url.protocol)) return null;
      const place = mode === 'allow' ? places.find((entry) => fits(entry, url)) : undefined;
      if (place === undefined) return { src: url.href, host: url.host, automatic: false };
      url.hash = '';
      if (!place.withQuery) url.search = '';
      return { src: url.href, host: url.host, automatic: true };
    },
  };
}

/** An address without a name and password in it. */
function parse(address: string, base: URL | null): URL | null {
  try {
    const url = new URL(address, base ?? undefined);
    return url.username + url.password === '' ? url : null;
  } catch {
    // No address, or a relative one without a base: it leads nowhere.
    return null;
  }
}

function hostOf(url: URL): string {
  if (url.protocol !== 'mailto:') return url.host;
  return url.pathname.split('@').at(-1)?.toLowerCase() ?? '';
}

function dataImage(src: string, mode: ImagePolicy): CheckedImage | null {
  if (!DATA_IMAGE.test(src) || src.length > MAX_DATA_IMAGE) return null;
  return { src, host: '', automatic: mode !== 'link' };
}

interface Place {
  readonly origin: string;
  readonly path: string;
  readonly withQuery: boolean;
}

function readPlace(text: string): Place[] {
  const withQuery = text.endsWith('?');
  const url = parse(withQuery ? text.slice(0, -1) : text, null);
  return url === null ? [] : [{ origin: url.origin, path: url.pathname, withQuery }];
}

function fits(place: Place, url: URL): boolean {
  if (url.origin !== place.origin) return false;
  const isBelow = `${url.pathname}/`.startsWith(place.path.replace(/\/?$/, '/'));
  // The parser has resolved `..` and `%2e`; an escaped slash could still mean another path to the server.
  return isBelow && !/%2f|%5c/i.test(url.pathname);
}

const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
const HOST_CHARACTERS = /[\p{L}\p{M}\p{N}.-]+/gu;
/** An address of numbers, or a name whose last part is none. */
const HOST_LIKE = /^\d{1,3}(?:\.\d{1,3}){3}$|\.\p{L}[\p{L}\p{M}\p{N}-]+$/u;
/** No link has a longer text. */
const MAX_TEXT = 4096;

/** Whether a text looks like an address of another host than the one given. */
function namesOtherHost(text: string, host: string): boolean {
  const plain = text
    .slice(0, MAX_TEXT)
    .replace(INVISIBLE, '')
    .normalize('NFKC')
    .replace(/[。｡．]/g, '.')
    .toLowerCase();
  const real = withoutWww(host.replace(/:\d+$/, ''));
  return [...plain.matchAll(HOST_CHARACTERS)]
    .map(([run]) => run.split('.').filter(Boolean).join('.'))
    .some((name) => HOST_LIKE.test(name) && withoutWww(asciiHost(name)) !== real);
}

function asciiHost(name: string): string {
  return parse(`https://${name}`, null)?.hostname ?? name;
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, '');
}
