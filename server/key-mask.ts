import { Transform } from 'node:stream';

/** Replaces a key by asterisks, so that a service that quotes it, for example in an error, does not disclose it to a page. */
export interface KeyMask {
  /** Masks the key in a complete text, such as the value of a header. */
  redact(text: string): string;
  /** Creates a stream that masks the key without changing the number of bytes. It withholds only what may be the beginning of the key. */
  stream(): Transform;
}

/**
 * Creates the mask of a key. It finds the key verbatim, percent-encoded (once or twice), with JSON escapes, in UTF-16, and as base64 or
 * hex, alone or inside a longer value such as `Basic` credentials.
 *
 * Create it once for a key, since compiling the expressions is expensive. Compiled expressions keep the cost low even for a text
 * that consists of prefixes of the key.
 */
export function createKeyMask(key: string): KeyMask {
  // In UTF-16, little or big endian, a zero byte separates the characters of the key.
  const encodings = [key, [...key].join('\0'), ...encodeBase64(key), ...encodeHex(key)];
  const spellings = encodings.map((text) => [...text].map(spell));
  const whole = new RegExp(spellings.map(wholeSource).join('|'), 'g');
  const prefixAtEnd = new RegExp(spellings.map(prefixAtEndSource).join('|'));
  const longest = Math.max(...encodings.map((text) => text.length)) * MAX_SPELLING_LENGTH;

  const redact = (text: string): string => text.replace(whole, ({ length }) => '*'.repeat(length));
  /** Returns the position from which a masked text may be the beginning of the key. */
  const findPrefix = (text: string): number => {
    const from = Math.max(0, text.length - longest);
    return from + text.slice(from).search(prefixAtEnd);
  };
  return {
    redact,
    stream: () => {
      let pending = '';
      return new Transform({
        transform(chunk: Buffer, _encoding, done) {
          // `latin1` maps each byte to one character, whatever the encoding of the response is.
          const text = redact(pending + chunk.toString('latin1'));
          const safe = findPrefix(text);
          pending = text.slice(safe);
          done(null, Buffer.from(text.slice(0, safe), 'latin1'));
        },
        flush(done) {
          done(null, Buffer.from(pending, 'latin1'));
        },
      });
    },
  };
}

/** The spellings of a character, as sources of regular expressions. */
interface Spellings {
  /**
   * Matches any spelling, longest first. Otherwise, for a key that ends with `%`, only the `%` of an encoded `%25` would be masked, and
   * `25` would remain.
   */
  readonly whole: string;
  /** Each matches a spelling that is truncated at the end of the text. */
  readonly prefixes: readonly string[];
}

/** Length of the longest spelling of a character, `\u00xx`. */
const MAX_SPELLING_LENGTH = 6;

function spell(character: string): Spellings {
  const [first = '', second = ''] = toHex(character).split('').map(digitSource);
  const plain = characterSource(character);
  const escaped = /["\\/]/u.test(character) ? [`\\\\${plain}`] : [];
  return {
    whole: anyOf([
      `\\\\(?:u00|x)${first}${second}`,
      `%(?:25)?${first}${second}`,
      ...escaped,
      plain,
    ]),
    prefixes: [`%(?:2|25|(?:25)?${first})?`, `\\\\(?:u0?|(?:u00|x)${first}?)?`],
  };
}

const toHex = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, '0');

/** Returns an expression for a hexadecimal digit in either case. */
const digitSource = (digit: string): string => `[${digit}${digit.toUpperCase()}]`;

const characterSource = (character: string): string => `\\x${toHex(character)}`;

function wholeSource(characters: readonly Spellings[]): string {
  return characters.map(({ whole }) => whole).join('');
}

/** Returns an expression for the beginning of the key at the end of a text. It always matches: the beginning may be empty. */
function prefixAtEndSource(characters: readonly Spellings[]): string {
  return characters.reduceRight(
    (rest, { whole, prefixes }) => anyOf([whole + rest, ...prefixes.map((end) => `${end}$`), '$']),
    // Never matches: a complete key has been masked before.
    '(?!)',
  );
}

function anyOf(sources: readonly string[]): string {
  return `(?:${sources.join('|')})`;
}

/** Shorter encodings are not masked, because they could be part of any text. */
const MIN_ENCODED_LENGTH = 8;

/**
 * Returns the base64 characters that are determined by the key alone, for each of the three offsets at which it may begin in a group of
 * three bytes, in both alphabets.
 */
function encodeBase64(key: string): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.from('\0'.repeat(before) + key, 'latin1');
    // A base64 character encodes six bits. Characters that share bits with adjacent bytes are omitted.
    const text = bytes
      .toString('base64')
      .slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
    if (text.length < MIN_ENCODED_LENGTH) return [];
    return [...new Set([text, text.replaceAll('+', '-').replaceAll('/', '_')])];
  });
}

function encodeHex(key: string): readonly string[] {
  const text = Buffer.from(key, 'latin1').toString('hex');
  return text.length < MIN_ENCODED_LENGTH ? [] : [text, text.toUpperCase()];
}
