import { isHomograph } from './homograph.js';

/** A link that is allowed. */
export interface CheckedLink {
  /** The absolute URL, as the browser parses it. */
  readonly href: string;
  /** The host in ASCII; the domain for `mailto:`, empty for `tel:`. */
  readonly host: string;
  /**
   * Text that must be shown next to the link text, because the link text conceals the target; otherwise null. For `http` and `https` the
   * host in ASCII, if the text contains another host or the host is a homograph; for `mailto:` all recipients and prefilled fields; for
   * `tel:` the number.
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
  /** `link` by default. */
  readonly imagePolicy?: ImagePolicy | undefined;
  /**
   * For `allow`: origins, each with an optional path prefix such as `https://files.example/pictures/`. A question mark at the end
   * allows a query, which is removed otherwise.
   */
  readonly imageOrigins?: readonly string[] | undefined;
}

/** Placeholder in a link text for content that can look different from its text. The target of such a link is always shown. */
export const AMBIGUOUS_TEXT = '\u202e';

const LINK_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);
const DATA_IMAGE = /^data:image\/(?:png|jpeg|gif|webp)[;,]/i;
const MAX_DATA_IMAGE = 2_800_000;

/** Creates a URL policy. It sends no requests and has no state. */
export function createUrlPolicy(given: UrlPolicyOptions = {}): UrlPolicy {
  // Copied to an object without a prototype, so that a polluted `Object.prototype` cannot allow images.
  const options = Object.assign(Object.create(null) as UrlPolicyOptions, given);
  // An empty base is not parsed, because the parser would throw.
  const base = options.linkBase ? parse(options.linkBase, null) : null;
  const mode = options.imagePolicy ?? 'link';
  const sources = (options.imageOrigins ?? []).flatMap(parseImageSource);
  return {
    checkLink(href, text = '') {
      const url = parse(href, base);
      if (url === null || !LINK_SCHEMES.has(url.protocol)) return null;
      const host = hostOf(url);
      return { href: url.href, host, notice: linkNotice(url, host, text) };
    },
    checkImage(src) {
      if (/^data:/i.test(src.trim())) return checkDataImage(src.trim(), mode);
      const url = parse(src, base);
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

/** Parses a URL; returns null for an invalid one and for one that contains credentials. */
function parse(address: string, base: URL | null): URL | null {
  try {
    const url = new URL(address, base ?? undefined);
    return url.username + url.password === '' ? url : null;
  } catch {
    // An invalid URL, or a relative one without a base.
    return null;
  }
}

function hostOf(url: URL): string {
  if (url.protocol !== 'mailto:') return url.host;
  return asciiHost(decode(url.pathname).split('@').at(-1)?.trim().toLowerCase() ?? '');
}

function linkNotice(url: URL, host: string, text: string): string | null {
  const shown = readingsOf(text);
  // With bidirectional controls, the displayed order differs from the order of the characters.
  const hasBidiControls = /\p{Bidi_Control}/u.test(text);
  const isLong = text.length > MAX_LINK_TEXT || shown.some(({ length }) => length > MAX_READING);
  const isAmbiguous = hasBidiControls || isLong;
  if (url.protocol === 'mailto:') return mailNotice(url, host, shown, isAmbiguous);
  if (url.protocol === 'tel:') return phoneNotice(url, shown, isAmbiguous);
  return isAmbiguous || isHomograph(host) || namesOtherHost(shown, host) ? host : null;
}

/** Maximum number of UTF-16 units shown of each part of a notice. */
const MAX_NOTICE_FIELD = 300;
/** Mail addresses in a text. The lookbehind keeps the search linear: a match can begin only at the beginning of a word. */
const MAIL_ADDRESSES = /(?<![^\s@<>():])[^\s@<>():]+@[^\s@<>():]*[^\s@<>().,;:!?]/g;

/** Returns the notice of a `mailto:` link; null for a single recipient that the text does not contradict, with at most a subject. */
function mailNotice(
  { pathname, search }: URL,
  host: string,
  shown: Readings,
  isAmbiguous: boolean,
): string | null {
  const to = decode(pathname)
    .split(/[,;]/)
    .map((address) => address.trim());
  // `URLSearchParams` would decode a plus sign to a space, but in `mailto:` it is a plus sign.
  const fields = search
    .slice(1)
    .split('&')
    .filter(Boolean)
    .map((field) => {
      const [name = '', ...value] = field.split('=');
      return [decode(name).toLowerCase(), decode(value.join('='))] as const;
    });
  const [recipientShown] = readingsOf(to[0] ?? '');
  const namesOther = (): boolean =>
    shown.some((text) => {
      const named: readonly string[] = text.match(MAIL_ADDRESSES) ?? [];
      return named.length > 0 && !named.includes(recipientShown);
    });
  const hides = isAmbiguous || to.length > 1 || fields.some(([name]) => name !== 'subject');
  if (!hides && !namesOther() && !isHomograph(host) && !namesOtherHost(shown, host)) return null;
  const [first = ''] = to;
  const recipient = isHomograph(host) ? `${first.replace(/@[^@]*$/, '')}@${host}` : first;
  const filled = fields.map(([name, value]) => `${truncateNotice(name)}: ${truncateNotice(value)}`);
  return [truncateNotice([recipient, ...to.slice(1)].join(', ')), ...filled]
    .filter(Boolean)
    .join(' · ');
}

/**
 * Returns the notice of a `tel:` link; null for a plain number that the text does not contradict. Codes with `*` or `#` change settings, so
 * they are always shown.
 */
function phoneNotice({ href }: URL, [text]: Readings, isAmbiguous: boolean): string | null {
  const number = decode(href.slice('tel:'.length));
  const digits = number.replace(/\D/g, '');
  const named = text.replace(/\D/g, '');
  const isOther = named.length >= MIN_PHONE_DIGITS && !digits.endsWith(named.replace(/^0+/, ''));
  return isAmbiguous || isOther || !/^[+\d\s().-]*$/.test(number) ? truncateNotice(number) : null;
}

/** A text with at least this many digits counts as a telephone number. */
const MIN_PHONE_DIGITS = 5;

function truncateNotice(text: string): string {
  const plain = text.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();
  return plain.length > MAX_NOTICE_FIELD ? `${plain.slice(0, MAX_NOTICE_FIELD)}…` : plain;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // An invalid escape sequence.
    return text;
  }
}

function checkDataImage(src: string, mode: ImagePolicy): CheckedImage | null {
  if (!DATA_IMAGE.test(src) || src.length > MAX_DATA_IMAGE) return null;
  return { src, host: '', automatic: mode !== 'link' };
}

interface ImageSource {
  readonly origin: string;
  readonly path: string;
  readonly withQuery: boolean;
}

function parseImageSource(text: string): ImageSource[] {
  const withQuery = text.endsWith('?');
  const url = parse(withQuery ? text.slice(0, -1) : text, null);
  return url === null ? [] : [{ origin: url.origin, path: url.pathname, withQuery }];
}

function matchesSource(source: ImageSource, url: URL): boolean {
  if (url.origin !== source.origin) return false;
  const isBelow = `${url.pathname}/`.startsWith(source.path.replace(/\/?$/, '/'));
  // The URL parser has resolved `..` and `%2e`. A server may still decode an escaped slash to another path.
  return isBelow && !/%2f|%5c/i.test(url.pathname);
}

/**
 * Characters without a visible glyph: ignorable and formatting characters, controls except white space, and U+FFFC. A carriage return has
 * no width in Firefox.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\ufffc\r]|(?!\s)\p{Cc}/gu;
/** White space that may be too narrow to notice: all except that of ordinary text. */
const NARROW_SPACES = /(?![ \t\n\r\u00a0\u3000])\s/gu;
const HOST_CHARACTERS = /[\p{L}\p{M}\p{N}.-]+/gu;
/** An IPv4 address, or a name whose last label is not a number. */
const HOST_LIKE = /^\d{1,3}(?:\.\d{1,3}){3}$|\.\p{M}*\p{L}[\p{L}\p{M}\p{N}-]+$/u;
/** Maximum number of UTF-16 units of a link text that are analysed. The target of a link with a longer text is always shown. */
const MAX_LINK_TEXT = 4096;
/** Maximum length after NFKC normalization, which can expand one character to eighteen. */
const MAX_READING = 2 * MAX_LINK_TEXT;

/** Characters that look like the dot in a host name. */
const DOT_LOOKALIKES =
  /[·᛫•‧․∙⋅⸱・･。｡．ꞏ𐄁\u0660\u06f0\u0701\u0702\u1427\u166e\u2804\u2840\u2cfe\u2e33\u2e3c\ua4f8\ua60e\u{10a50}\u{1d16d}]/gu;

/** The normalized text in two versions: without narrow spaces, which a user may overlook, and with them as separators. */
type Readings = readonly [joined: string, separated: string];

function readingsOf(text: string): Readings {
  const visible = text.slice(0, MAX_LINK_TEXT).replace(INVISIBLE, '');
  const fold = (reading: string): string =>
    reading.normalize('NFKC').replace(DOT_LOOKALIKES, '.').toLowerCase();
  return [fold(visible.replace(NARROW_SPACES, '')), fold(visible)];
}

/** Whether either version of a text contains another host name. */
function namesOtherHost(shown: Readings, host: string): boolean {
  const target = withoutWww(host.replace(/:\d+$/, ''));
  return shown
    .flatMap((text) => [...text.matchAll(HOST_CHARACTERS)])
    .map(([run]) => run.split('.').filter(Boolean).join('.'))
    .some((name) => HOST_LIKE.test(name) && withoutWww(asciiHost(name)) !== target);
}

function asciiHost(name: string): string {
  return parse(`https://${name}`, null)?.hostname ?? name;
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, '');
}
