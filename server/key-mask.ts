import { Transform } from 'node:stream';

/** Puts stars in the place of a key, so that a service that quotes it, as in an error, does not hand it to a page. */
export interface KeyMask {
  /** A text that has come whole, such as the value of a header. */
  mask(text: string): string;
  /** A stream that lets bytes pass without changing their number. Only the beginning of what may be the key is held back. */
  stream(): Transform;
}

/**
 * Makes the mask of a key, which is found as it is, percent-encoded (once or twice), with the escapes of JSON, in UTF-16, and as base64 or hex,
 * alone or inside of a longer value such as `Basic` credentials.
 *
 * Make it once for a key: it is dear to make. The search is left to regular expressions, which the engine compiles, so that a text full
 * of signs with which spellings begin costs little more than any other text.
 */
export function createKeyMask(key: string): KeyMask {
  // In UTF-16, whichever of the two bytes comes first, a zero stands between the letters.
  const written = [key, [...key].join('\0'), ...writeAsBase64(key), ...writeAsHex(key)];
  const spelled = written.map((text) => [...text].map(spell));
  const whole = new RegExp(spelled.map(matchWhole).join('|'), 'g');
  const begun = new RegExp(spelled.map(matchBegun).join('|'));
  const longest = Math.max(...written.map((text) => text.length)) * MAX_SPELLING_LENGTH;

  const cover = (text: string): string => text.replace(whole, ({ length }) => '*'.repeat(length));
  /** From where on a covered text may be the beginning of more. */
  const findBegun = (text: string): number => {
    const from = Math.max(0, text.length - longest);
    const at = text.slice(from).search(begun);
    return at < 0 ? text.length : from + at;
  };
  return {
    mask: cover,
    stream: () => {
      let held = '';
      return new Transform({
        transform(piece: Buffer, _encoding, done) {
          const text = cover(held + piece.toString('latin1'));
          const sure = findBegun(text);
          held = text.slice(sure);
          done(null, Buffer.from(text.slice(0, sure), 'latin1'));
        },
        flush(done) {
          done(null, Buffer.from(held, 'latin1'));
        },
      });
    },
  };
}

/** The spellings of one character, as sources of expressions. */
interface Spellings {
  /** Any of them, the longest first: of a key that ends with `%`, no `25` is left. */
  readonly whole: string;
  /** What may be the beginning of a longer one. */
  readonly cut: readonly string[];
}

/** `%25` and two digits, `\u00` and two digits. */
const MAX_SPELLING_LENGTH = 6;

function spell(character: string): Spellings {
  const [first = '', second = ''] = toHex(character).split('').map(matchDigit);
  const plain = matchSign(character);
  const escaped = /["\\/]/u.test(character) ? [`\\\\${plain}`] : [];
  return {
    whole: anyOf([
      `\\\\(?:u00|x)${first}${second}`,
      `%(?:25)?${first}${second}`,
      ...escaped,
      plain,
    ]),
    cut: [`%(?:2|25|(?:25)?${first})?`, `\\\\(?:u0?|(?:u00|x)${first}?)?`],
  };
}

const toHex = (sign: string): string => sign.charCodeAt(0).toString(16).padStart(2, '0');

/** Both digits of `6b` may be in either case by themselves. */
const matchDigit = (digit: string): string => `[${digit}${digit.toUpperCase()}]`;

const matchSign = (sign: string): string => `\\x${toHex(sign)}`;

function matchWhole(characters: readonly Spellings[]): string {
  return characters.map(({ whole }) => whole).join('');
}

/** The same, cut off by the end of the text in the middle of it or of a spelling. */
function matchBegun(characters: readonly Spellings[]): string {
  return characters.reduceRight((rest, { whole, cut }, index) => {
    const ends = index === 0 ? cut : [...cut, ''];
    return anyOf([whole + rest, ...ends.map((end) => `${end}$`)]);
  }, '(?!)');
}

function anyOf(sources: readonly string[]): string {
  return `(?:${sources.join('|')})`;
}

/** So many letters of an encoded key are taken for nothing else; a shorter piece could be part of any text. */
const MIN_ENCODED_LENGTH = 8;

/**
 * The letters of base64 that the key alone decides, for each of the three places in a group of three bytes at which it may begin, in
 * both alphabets.
 */
function writeAsBase64(key: string): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.from('\0'.repeat(before) + key, 'latin1');
    // A letter holds six bits; those that are shared with a neighbour are left out.
    const text = bytes
      .toString('base64')
      .slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
    if (text.length < MIN_ENCODED_LENGTH) return [];
    return [...new Set([text, text.replaceAll('+', '-').replaceAll('/', '_')])];
  });
}

function writeAsHex(key: string): readonly string[] {
  const text = Buffer.from(key, 'latin1').toString('hex');
  return text.length < MIN_ENCODED_LENGTH ? [] : [text, text.toUpperCase()];
}
