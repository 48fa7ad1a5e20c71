/** Texts up to this length are their own fingerprint. */
const SHORT = 24;
/** Begins every fingerprint that is not the text itself. */
const MARK = '\0';

/**
 * A short stand-in for a text, for comparing: equal texts give equal fingerprints, and two different texts of real traffic never
 * meet (128 bits and the length). Not cryptographic: whoever writes both texts can make them meet, and harms only their own.
 * Not printable.
 */
export function fingerprint(text: string): string {
  if (text.length <= SHORT && !text.startsWith(MARK)) return text;
  return `${MARK}${text.length.toString(36)}#${hash128(text)}`;
}

/**
 * The 128-bit MurmurHash3 for 32-bit machines, over pairs of UTF-16 units; the end is padded with zeros, which the length tells
 * apart. (Simpler multiplicative hashes never carry a difference from high bits to low ones, and lose half their width on text.)
 */
function hash128(text: string): string {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let at = 0; at < text.length; at += 8) {
    a ^= Math.imul(rotate(Math.imul(readWord(text, at), 0x239b961b), 15), 0xab0e9789);
    a = (Math.imul(rotate(a, 19) + b, 5) + 0x561ccd1b) | 0;
    b ^= Math.imul(rotate(Math.imul(readWord(text, at + 2), 0xab0e9789), 16), 0x38b34ae5);
    b = (Math.imul(rotate(b, 17) + c, 5) + 0x0bcaa747) | 0;
    c ^= Math.imul(rotate(Math.imul(readWord(text, at + 4), 0x38b34ae5), 17), 0xa1e38b93);
    c = (Math.imul(rotate(c, 15) + d, 5) + 0x96cd1c35) | 0;
    d ^= Math.imul(rotate(Math.imul(readWord(text, at + 6), 0xa1e38b93), 18), 0x239b961b);
    d = (Math.imul(rotate(d, 13) + a, 5) + 0x32ac3b17) | 0;
  }
  return finish(a ^ text.length, b ^ text.length, c ^ text.length, d ^ text.length);
}

function finish(a: number, b: number, c: number, d: number): string {
  const first = (a + b + c + d) | 0;
  const lanes = [first, b + first, c + first, d + first].map(mix);
  const sum = lanes.reduce((total, lane) => (total + lane) | 0, 0);
  return lanes.map((lane, index) => print(index === 0 ? sum : lane + sum)).join('');
}

/** Two units; beyond the end zeros (`NaN` as an integer). */
function readWord(text: string, at: number): number {
  return text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16);
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** Spreads each bit over all 32. */
function mix(lane: number): number {
  const once = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

function print(lane: number): string {
  return String.fromCharCode(lane & 0xffff, (lane >>> 16) & 0xffff);
}
