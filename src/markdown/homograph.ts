/**
 * Scripts that are allowed as the only script of a label. Unlisted scripts, and mixtures other than `SCRIPT_COMBINATIONS`, are
 * suspicious: https://www.unicode.org/reports/tr39/#Restriction_Level_Detection
 */
const SINGLE_SCRIPTS =
  'Latin Cyrillic Greek Armenian Georgian Hebrew Arabic Syriac Thaana Ethiopic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer Mongolian'.split(
    ' ',
  );
/** Scripts that are combined in one language. */
const SCRIPT_COMBINATIONS = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Hangul'],
  ['Latin', 'Han', 'Bopomofo'],
];
const ALLOWED_SCRIPTS = [...SINGLE_SCRIPTS.map((script) => [script]), ...SCRIPT_COMBINATIONS].map(
  (scripts) =>
    new RegExp(`^(?:[\\d-]|${scripts.map((script) => `\\p{scx=${script}}`).join('|')})+$`, 'u'),
);

/** Labels that consist only of Cyrillic, Greek or Armenian letters (and digits) that look like Latin letters. */
const LATIN_LOOKALIKES = [
  /^[\d\-асԁеһіјӏорԛѕԝхуъьҽпгѵѡґѓкԏтмнв]+$/,
  /^[\d\-αβγεικνρτυχωηοϲϳ]+$/,
  /^[\d\-ագզէլհյոսւօցքԁո]+$/,
];
/**
 * Latin letters that are easily confused: phonetic letters, small capitals, dotless letters, clicks; and combining marks that NFC does not
 * compose.
 */
const CONFUSABLE_LATIN =
  /[ıĸŋſƅƒƨƽǀ-ǃȷ\u0250-\u02ff\u1d00-\u1dbf\u2c60-\u2c7f\ua720-\ua7ff]|(?:\p{scx=Latin}|\d)\p{Mn}/u;

/**
 * Whether a host can be mistaken for another one (IDN homograph): a label mixes scripts that no language combines, consists of letters of
 * another script that look Latin, or contains Latin letters that are easily confused. True for invalid Punycode, too.
 *
 * @param host The host in ASCII, as `URL.host` returns it.
 */
export function isHomograph(host: string): boolean {
  const labels = host.split('.').map(decodeLabel);
  const top = labels.at(-1) ?? null;
  return labels.some((label) => {
    if (label === null) return true;
    if (/^[\x00-\x7f]*$/.test(label)) return false;
    if (CONFUSABLE_LATIN.test(label) || !ALLOWED_SCRIPTS.some((script) => script.test(label)))
      return true;
    // A label that looks Latin is accepted if the top-level domain is not ASCII either.
    return (
      LATIN_LOOKALIKES.some((letters) => letters.test(label)) && /^[\x00-\x7f]*$/.test(top ?? '')
    );
  });
}

/** Decodes a label to Unicode, and removes the port that follows the last label; returns null for invalid Punycode. */
function decodeLabel(label: string): string | null {
  const name = label.replace(/:\d+$/, '');
  return name.startsWith('xn--') ? decodePunycode(name.slice(4)) : name;
}

/** Decodes Punycode (RFC 3492, section 6.2). Browsers return hosts in ASCII and have no API to decode them. */
function decodePunycode(encoded: string): string | null {
  const split = encoded.lastIndexOf('-');
  const output = [...encoded.slice(0, Math.max(0, split))];
  let [code, index, bias] = [128, 0, 72];
  for (let at = split + 1; at < encoded.length;) {
    const before = index;
    let weight = 1;
    for (let k = 36; ; k += 36) {
      const digit = parseInt(encoded[at++] ?? '', 36);
      if (Number.isNaN(digit)) return null;
      // In Punycode, letters are 0 to 25 and digits are 26 to 35.
      const value = digit < 10 ? digit + 26 : digit - 10;
      index += value * weight;
      if (!Number.isSafeInteger(index)) return null;
      const threshold = Math.min(Math.max(k - bias, 1), 26);
      if (value < threshold) break;
      weight *= 36 - threshold;
    }
    const length = output.length + 1;
    bias = adaptBias(index - before, length, before === 0);
    code += Math.floor(index / length);
    index %= length;
    if (code > 0x10ffff) return null;
    output.splice(index++, 0, String.fromCodePoint(code));
  }
  return output.join('');
}

/** Adapts the bias after a decoded character (RFC 3492, section 6.1, with the parameters of section 5). */
function adaptBias(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? 700 : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > 455; k += 36) rest = Math.floor(rest / 35);
  return k + Math.floor((36 * rest) / (rest + 38));
}
