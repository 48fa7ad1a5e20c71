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

/** Of MurmurHash3, by lane. The second factor of a lane is the first of the next. */
const FACTORS = [0x239b961b, 0xab0e9789, 0x38b34ae5, 0xa1e38b93];
const SUMMANDS = [0x561ccd1b, 0x0bcaa747, 0x96cd1c35, 0x32ac3b17];

/**
 * The 128-bit MurmurHash3 for 32-bit machines, over pairs of UTF-16 units; the end is padded with zeros, which the length tells
 * apart. (Simpler multiplicative hashes never carry a difference from high bits to low ones, and lose half their width on text.)
 */
function hash128(text: string): string {
  const lanes = new Int32Array(4);
  for (let at = 0; at < text.length; at += 8) {
    for (let lane = 0; lane < 4; lane++) {
      const next = (lane + 1) % 4;
      const word = Math.imul(readWord(text, at + 2 * lane), pick(FACTORS, lane));
      const mixed = pick(lanes, lane) ^ Math.imul(rotate(word, 15 + lane), pick(FACTORS, next));
      const turned = rotate(mixed, 19 - 2 * lane) + pick(lanes, next);
      lanes[lane] = Math.imul(turned, 5) + pick(SUMMANDS, lane);
    }
  }
  return finish(lanes.map((lane) => lane ^ text.length));
}

function finish(lanes: Int32Array): string {
  const first = sum(lanes);
  const mixed = lanes.map((lane, index) => mix(index === 0 ? first : lane + first));
  const total = sum(mixed);
  return String.fromCharCode(
    ...new Uint16Array(mixed.map((lane, index) => (index === 0 ? total : lane + total)).buffer),
  );
}

function sum(lanes: Int32Array): number {
  return lanes.reduce((total, lane) => (total + lane) | 0);
}

function pick(numbers: ArrayLike<number>, index: number): number {
  return numbers[index] ?? 0;
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
