/**
 * The forms of ISO 8601 that servers write: date, `T` or blank, time, fraction, zone. Every part has a fixed length or one way to
 * match, so the cost is linear. 60 is a leap second: the first second of the next minute.
 */
const TIMESTAMP =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::([0-5]\d|60)(?:[.,](\d{1,30}))?)?)?(?: ?(?:[Zz]|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?))?$/;

/**
 * The instant that a text names, in microseconds since the epoch; null when it names none. Exact from 1685 to 2255 (beyond, a
 * few microseconds off, still in order). A text without a zone is UTC. What is finer than a microsecond is cut off.
 *
 * `Date.parse` cannot serve: it keeps milliseconds only and takes a text without a zone as local time.
 */
export function parseTimestamp(text: unknown): number | null {
  const match = typeof text === 'string' && text.length <= 80 ? TIMESTAMP.exec(text) : null;
  if (!match) return null;
  const [, day = '', time = '00:00', second = 0, fraction = ''] = match;
  const [sign = '+', hours = 0, minutes = 0] = match.slice(5);
  const ms = Date.parse(`${day}T${time}Z`);
  // A day that no month has is none, or another one; so is the hour 24.
  if (new Date(ms).getUTCDate() !== Number(day.slice(8))) return null;
  const offset = Number(`${sign}60`) * (Number(hours) * 60 + Number(minutes));
  const micros = Number(fraction.slice(0, 6).padEnd(6, '0'));
  return ms * 1000 + (Number(second) - offset) * 1_000_000 + micros;
}
