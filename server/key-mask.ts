import { Transform } from 'node:stream';

/** Puts stars in the place of a key, so that a service that quotes it, as in an error, does not hand it to a page. */
export interface KeyMask {
  /** A text that has come whole, such as the value of a header. */
  cover(text: string): string;
  /** A stream that lets bytes pass without changing their number. Only the beginning of what may be the key is held back. */
  stream(): Transform;
}

/**
 * Makes the mask of a key, which is found as it is, percent-encoded (once or twice), with the escapes of JSON, in UTF-16, and as base64 or hex,
 * alone or inside of a longer value such as `Basic` credentials.
 */
export function createKeyMask(key: string): KeyMask {
  // In UTF-16, whichever of the two bytes comes first, a zero stands between the letters.
  const written = [key, [...key].join('\0'), ...writeAsBase64(key), ...writeAsHex(key)];
  const patterns = written.map((text) => [...text].map(spell));
  // Most bytes begin nothing: one look at a table passes over them.
  const begins = new Uint8Array(256);
  for (const [first = []] of patterns) for (const [byte = 0] of first) begins[byte] = 1;

  /** Covers what is complete and returns from where on bytes may be the beginning of more, if more may come. */
  const coverBytes = (bytes: Buffer, isEnd: boolean): number => {
    let sure = bytes.length;
    for (let at = 0; at < bytes.length; at += 1) {
      if (begins[bytes[at] ?? 0] === 0) continue;
      for (const pattern of patterns) {
        const end = findEnd(bytes, at, pattern, isEnd);
        if (end === BEGUN) sure = Math.min(sure, at);
        else if (end !== ABSENT) bytes.fill('*', at, end);
      }
    }
    return sure;
  };
  return {
    cover: (text) => {
      const bytes = Buffer.from(text, 'latin1');
      coverBytes(bytes, true);
      return bytes.toString('latin1');
    },
    stream: () => {
      let held: Buffer = Buffer.alloc(0);
      return new Transform({
        transform(piece: Buffer, _encoding, done) {
          const bytes = Buffer.concat([held, piece]);
          const sure = coverBytes(bytes, false);
          held = bytes.subarray(sure);
          done(null, bytes.subarray(0, sure));
        },
        flush(done) {
          coverBytes(held, true);
          done(null, held);
        },
      });
    },
  };
}

/** The spellings of one character, in bytes. */
type Spellings = readonly Buffer[];

const ABSENT = -1;
const BEGUN = -2;

/** Where a pattern that begins at a place ends; `BEGUN` when more bytes may come and decide about it. */
function findEnd(bytes: Buffer, at: number, pattern: readonly Spellings[], isEnd: boolean): number {
  let ends = new Set([at]);
  for (const spellings of pattern) {
    const next = new Set<number>();
    for (const start of ends) {
      for (const spelling of spellings) {
        const rest = bytes.length - start;
        const length = Math.min(rest, spelling.length);
        if (bytes.compare(spelling, 0, length, start, start + length) !== 0) continue;
        if (rest < spelling.length) {
          if (isEnd) continue;
          return BEGUN;
        }
        next.add(start + length);
      }
    }
    if (next.size === 0) return ABSENT;
    ends = next;
  }
  return Math.max(...ends);
}

function spell(character: string): Spellings {
  const lower = character.charCodeAt(0).toString(16).padStart(2, '0');
  const digits = spellCases(lower);
  const texts = [
    character,
    ...digits.flatMap((hex) => [`%${hex}`, `%25${hex}`, `\\u00${hex}`, `\\x${hex}`]),
    ...(/["\\/]/u.test(character) ? [`\\${character}`] : []),
  ];
  return texts.map((text) => Buffer.from(text, 'latin1'));
}

/** `6b` and `6B`; both digits can be letters: `aF` is neither lower nor upper case. */
function spellCases(hex: string): readonly string[] {
  const [first = '', second = ''] = hex;
  return [
    ...new Set(
      [first, first.toUpperCase()].flatMap((one) => [one + second, one + second.toUpperCase()]),
    ),
  ];
}

/** So many letters of an encoded key are taken for nothing else; a shorter piece could be part of any text. */
const LEAST_ENCODED = 8;

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
    if (text.length < LEAST_ENCODED) return [];
    return [...new Set([text, text.replaceAll('+', '-').replaceAll('/', '_')])];
  });
}

function writeAsHex(key: string): readonly string[] {
  const text = Buffer.from(key, 'latin1').toString('hex');
  return text.length < LEAST_ENCODED ? [] : [text, text.toUpperCase()];
}
