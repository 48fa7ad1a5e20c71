import { parseMicroseconds } from '../../../transport/timestamp.js';

/** Reads a time, in ms since the epoch; null for anything else. Numbers are seconds, ms, µs or ns, depending on their magnitude. */
export function readTime(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof number === 'number') return toMilliseconds(number);
  const micros = parseMicroseconds(value);
  return micros === null ? null : Math.floor(micros / 1000);
}

/**
 * Converts a time of unknown unit to ms. The unit follows from the magnitude: 1e11 s are in the year 5138, but 1e11 ms, 1e14 µs and 1e17 ns
 * are in 1973.
 */
function toMilliseconds(number: number): number | null {
  if (!Number.isFinite(number) || number <= 0) return null;
  if (number < 1e11) return Math.floor(number * 1000);
  if (number < 1e14) return Math.floor(number);
  return Math.floor(number < 1e17 ? number / 1000 : number / 1e6);
}
