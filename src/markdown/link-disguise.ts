import { truncate } from '../dom/truncate.js';
import { isHomograph } from './homograph.js';
import { parseUrl } from './parse-url.js';

/**
 * Placeholder in a link text for content that can look different from its text. It is a bidirectional control, so the target of such a link
 * is always shown.
 */
export const AMBIGUOUS_TEXT = '\u202e';

/** Returns the host of a URL in ASCII; the domain for `mailto:`, empty for `tel:`. */
export function hostOf(url: URL): string {
  if (url.protocol !== 'mailto:') return url.host;
  return asciiHost(decode(url.pathname).split('@').at(-1)?.trim().toLowerCase() ?? '');
}

/**
 * Returns the text that must be shown next to a link, because the link text conceals the target; null for a link that conceals nothing.
 * `CheckedLink.notice` describes the text.
 *
 * @param host The host of the URL, as {@link hostOf} returns it.
 */
export function describeHiddenTarget(url: URL, host: string, text: string): string | null {
  const shown = readingsOf(text);
  // With bidirectional controls, the displayed order differs from the order of the characters.
  const hasBidiControls = /\p{Bidi_Control}/u.test(text);
  const isLong = text.length > MAX_LINK_TEXT || shown.some(({ length }) => length > MAX_READING);
  const isAmbiguous = hasBidiControls || isLong;
  if (url.protocol === 'mailto:') return mailNotice(url, host, shown, isAmbiguous);
  if (url.protocol === 'tel:') return phoneNotice(url, shown, isAmbiguous);
  // A link with a scheme that the host page has added may have no host.
  const target = host || truncateNotice(url.href);
  return isAmbiguous || isHomograph(host) || namesOtherHost(shown, host) ? target : null;
}

/** Maximum number of UTF-16 units shown of each part of a notice. */
const MAX_NOTICE_FIELD = 300;
/** Mail addresses in a text. The lookbehind keeps the search linear: a match can begin only at the beginning of a word. */
const MAIL_ADDRESSES = /(?<![^\s@<>():])[^\s@<>():]+@[^\s@<>():]*[^\s@<>().,;:!?]/g;

/**
 * Returns the notice of a `mailto:` link; null if there is nothing to show: the text is unambiguous and names neither another address nor
 * another host, the link has one recipient, whose domain is not a homograph, and it prefills at most a subject.
 */
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
  const [normalizedRecipient] = readingsOf(to[0] ?? '');
  const namesOther = (): boolean =>
    shown.some((text) => {
      const named: readonly string[] = text.match(MAIL_ADDRESSES) ?? [];
      return named.length > 0 && !named.includes(normalizedRecipient);
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
 * Returns the notice of a `tel:` link; null for a plain number if the text is unambiguous and does not contradict it. Codes with `*` or `#`
 * change settings, so they are always shown.
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
  return truncate(plain, MAX_NOTICE_FIELD);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // An invalid escape sequence.
    return text;
  }
}

/**
 * Characters without a visible glyph: ignorable and formatting characters, controls except white space, and U+FFFC. A carriage return has
 * no width in Firefox.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\ufffc\r]|(?!\s)\p{Cc}/gu;
/** White space that may be too narrow to notice: all except that of ordinary text. */
const NARROW_SPACES = /(?![ \t\n\r\u00a0\u3000])\s/gu;
const HOST_CHARACTERS = /[\p{L}\p{M}\p{N}.-]+/gu;
/** An IPv4 address, or a name whose last label begins with a letter and has at least two characters. */
const HOST_LIKE = /^\d{1,3}(?:\.\d{1,3}){3}$|\.\p{M}*\p{L}[\p{L}\p{M}\p{N}-]+$/u;
/** Maximum number of UTF-16 units of a link text that are analysed. The target of a link with a longer text is always shown. */
const MAX_LINK_TEXT = 4096;
/** Maximum length after NFKC normalization, which can expand one character to eighteen. A longer text is ambiguous. */
const MAX_READING = 2 * MAX_LINK_TEXT;

/** Characters that look like the dot in a host name. */
const DOT_LOOKALIKES =
  /[·᛫•‧․∙⋅⸱・･。｡．ꞏ𐄁\u0660\u06f0\u0701\u0702\u1427\u166e\u2804\u2840\u2cfe\u2e33\u2e3c\ua4f8\ua60e\u{10a50}\u{1d16d}]/gu;

/** The normalized text in two versions: without narrow spaces, which a user may overlook, and with them as separators. */
type Readings = readonly [joined: string, separated: string];

function readingsOf(text: string): Readings {
  const visible = text.slice(0, MAX_LINK_TEXT).replace(INVISIBLE, '');
  const normalize = (reading: string): string =>
    reading.normalize('NFKC').replace(DOT_LOOKALIKES, '.').toLowerCase();
  return [normalize(visible.replace(NARROW_SPACES, '')), normalize(visible)];
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
  return parseUrl(`https://${name}`, null)?.hostname ?? name;
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, '');
}
