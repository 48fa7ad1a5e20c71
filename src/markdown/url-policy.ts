import { isHomograph } from './homograph.js';

/** Where a link goes, and what of it must be shown. */
export interface CheckedLink {
  /** The address as the browser reads it, absolute. */
  readonly href: string;
  /** The host it goes to, in ASCII; for mail the domain, for telephone numbers empty. */
  readonly host: string;
  /**
   * What must stand beside the text, because the text hides it: the host, in ASCII, where the text names another one or the host
   * can be read as another; for mail all recipients, and whatever is filled in; the number that would be dialled. Else null.
   */
  readonly notice: string | null;
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
  checkLink(href: string, text?: string): CheckedLink | null;
  /** Null when the address cannot be an image that is allowed, not even after a click. */
  checkImage(src: string): CheckedImage | null;
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

/** Stands in the text of a link for what is drawn otherwise than it is read: the target is shown beside such a text. */
export const AMBIGUOUS_TEXT = '\u202e';

const LINK_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);
const DATA_IMAGE = /^data:image\/(?:png|jpeg|gif|webp)[;,]/i;
const MAX_DATA_IMAGE = 2_800_000;

/** Makes the judge of addresses. It makes no requests and keeps nothing. */
export function createUrlPolicy(given: UrlPolicyOptions = {}): UrlPolicy {
  // Nothing that a script has put on the prototype of all objects may load an image.
  const options = Object.assign(Object.create(null) as UrlPolicyOptions, given);
  // An empty address is an exception, and the page may make a judge for each link.
  const base = options.linkBase ? parse(options.linkBase, null) : null;
  const mode = options.imagePolicy ?? 'link';
  const places = (options.imageOrigins ?? []).flatMap(parseImageSource);
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
      const place =
        mode === 'allow' ? places.find((entry) => matchesSource(entry, url)) : undefined;
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
  return asciiHost(decode(url.pathname).split('@').at(-1)?.trim().toLowerCase() ?? '');
}

function linkNotice(url: URL, host: string, text: string): string | null {
  const shown = readingsOf(text);
  // What a person sees may differ from any order in which the text can be read here.
  const isTurned = /\p{Bidi_Control}/u.test(text);
  const isLong = text.length > MAX_LINK_TEXT || shown.some(({ length }) => length > MAX_READING);
  const isUnclear = isTurned || isLong;
  if (url.protocol === 'mailto:') return mailNotice(url, host, shown, isUnclear);
  if (url.protocol === 'tel:') return phoneNotice(url, shown, isUnclear);
  return isUnclear || isHomograph(host) || namesOtherHost(shown, host) ? host : null;
}

/** Characters of each thing that a link to a mail fills in that are shown. */
const MAX_NOTICE_FIELD = 300;
/** Mail addresses in a text. The lookbehind keeps the search linear: a word is read from its beginning only. */
const MAIL_ADDRESSES = /(?<![^\s@<>():])[^\s@<>():]+@[^\s@<>():]*[^\s@<>().,;:!?]/g;

/** A mail to one address, with a subject at most, tells by itself what it is. */
function mailNotice(
  { pathname, search }: URL,
  host: string,
  shown: Readings,
  isUnclear: boolean,
): string | null {
  const to = decode(pathname)
    .split(/[,;]/)
    .map((address) => address.trim());
  // Not by `URLSearchParams`: a plus sign is no blank here.
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
  const hides = isUnclear || to.length > 1 || fields.some(([name]) => name !== 'subject');
  if (!hides && !namesOther() && !isHomograph(host) && !namesOtherHost(shown, host)) return null;
  const [first = ''] = to;
  const recipient = isHomograph(host) ? `${first.replace(/@[^@]*$/, '')}@${host}` : first;
  const filled = fields.map(([name, value]) => `${truncateNotice(name)}: ${truncateNotice(value)}`);
  return [truncateNotice([recipient, ...to.slice(1)].join(', ')), ...filled]
    .filter(Boolean)
    .join(' · ');
}

/** Whatever is more than a number is dialled, too: with stars and hashes a telephone or its network can be set to something. */
function phoneNotice({ href }: URL, [text]: Readings, isUnclear: boolean): string | null {
  const number = decode(href.slice('tel:'.length));
  const digits = number.replace(/\D/g, '');
  const named = text.replace(/\D/g, '');
  const isOther = named.length >= MIN_PHONE_DIGITS && !digits.endsWith(named.replace(/^0+/, ''));
  return isUnclear || isOther || !/^[+\d\s().-]*$/.test(number) ? truncateNotice(number) : null;
}

/** Digits from which on a text reads as a telephone number. */
const MIN_PHONE_DIGITS = 5;

function truncateNotice(text: string): string {
  const plain = text.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();
  return plain.length > MAX_NOTICE_FIELD ? `${plain.slice(0, MAX_NOTICE_FIELD)}…` : plain;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that begins no character.
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

function matchesSource(place: ImageSource, url: URL): boolean {
  if (url.origin !== place.origin) return false;
  const isBelow = `${url.pathname}/`.startsWith(place.path.replace(/\/?$/, '/'));
  // The parser has resolved `..` and `%2e`; an escaped slash could still mean another path to the server.
  return isBelow && !/%2f|%5c/i.test(url.pathname);
}

/** What a browser draws as nothing: ignorable and formatting characters, controls that are no blanks, and the place of an object. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\ufffc]|(?!\s)\p{Cc}/gu;
/** Blanks that a browser may draw so narrow that nobody sees them, down to no width at all: all but those of ordinary text. */
const NARROW_SPACES = /(?![ \t\n\r\u00a0\u3000])\s/gu;
const HOST_CHARACTERS = /[\p{L}\p{M}\p{N}.-]+/gu;
/** An address of numbers, or a name whose last part is none. */
const HOST_LIKE = /^\d{1,3}(?:\.\d{1,3}){3}$|\.\p{M}*\p{L}[\p{L}\p{M}\p{N}-]+$/u;
/** The beginning of a text that is read. Beside a link with a longer one its target is always shown. */
const MAX_LINK_TEXT = 4096;
/** The same of what the text stands for: some characters stand for eighteen. */
const MAX_READING = 2 * MAX_LINK_TEXT;

/** Characters that are drawn like the dot of a host. */
const DOT_LOOKALIKES =
  /[·᛫•‧․∙⋅⸱・･。｡．ꞏ𐄁\u0660\u06f0\u0701\u0702\u1427\u166e\u2804\u2840\u2cfe\u2e33\u2e3c\ua4f8\ua60e\u{10a50}\u{1d16d}]/gu;

/** A text as a person may read it: narrow blanks are overlooked in the first reading, and part words in the second. */
type Readings = readonly [overlooked: string, parted: string];

function readingsOf(text: string): Readings {
  const visible = text.slice(0, MAX_LINK_TEXT).replace(INVISIBLE, '');
  const fold = (reading: string): string =>
    reading.normalize('NFKC').replace(DOT_LOOKALIKES, '.').toLowerCase();
  return [fold(visible.replace(NARROW_SPACES, '')), fold(visible)];
}

/** Whether a text looks like an address of another host than the one given, in any reading. */
function namesOtherHost(shown: Readings, host: string): boolean {
  const real = withoutWww(host.replace(/:\d+$/, ''));
  return shown
    .flatMap((text) => [...text.matchAll(HOST_CHARACTERS)])
    .map(([run]) => run.split('.').filter(Boolean).join('.'))
    .some((name) => HOST_LIKE.test(name) && withoutWww(asciiHost(name)) !== real);
}

function asciiHost(name: string): string {
  return parse(`https://${name}`, null)?.hostname ?? name;
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, '');
}
