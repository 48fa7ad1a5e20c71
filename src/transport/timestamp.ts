/**
 * ISO 8601 as servers write it: date, `T` or space, time, fraction, zone. Every component can match in one way only, so matching takes
 * linear time. Second 60 is a leap second, which is parsed as the first second of the next minute.
 */
const TIMESTAMP =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::([0-5]\d|60)(?:[.,](\d{1,30}))?)?)?(?: ?(?:[Zz]|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?))?$/;

/**
 * Parses an ISO 8601 timestamp to microseconds since the epoch; returns null for any other value. Exact from 1685 to 2255, otherwise
 * off by a few microseconds but still in order. A timestamp without a zone is UTC. Digits beyond microseconds are dropped.
 *
 * `Date.parse` is not used because it has millisecond precision and treats a timestamp without a zone as local time.
 */
export function parseMicroseconds(text: unknown): number | null {
  const match = typeof text === 'string' ? TIMESTAMP.exec(text) : null;
  if (!match) return null;
  const [, day = '', time = '00:00', second = 0, fraction = ''] = match;
  const [sign = '+', hours = 0, minutes = 0] = match.slice(5);
  const ms = Date.parse(`${day}T${time}Z`);
  // `Date.parse` moves February 30 and 24:00 to another day, or rejects them.
  if (new Date(ms).getUTCDate() !== Number(day.slice(8))) return null;
  const offsetSeconds = Number(`${sign}60`) * (Number(hours) * 60 + Number(minutes));
  const micros = Number(fraction.slice(0, 6).padEnd(6, '0'));
  return ms * 1000 + (Number(second) - offsetSeconds) * 1_000_000 + micros;
}
