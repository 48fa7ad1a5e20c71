/**
 * The forms of ISO 8601 that servers write: date, `T` or blank, time, fraction, zone. Every part has a fixed length or one way to
 * match, so the cost is linear.
 */
const FORM =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,30}))?)?)?(?: ?(?:([Zz])|([+-])(\d\d)(?::?(\d\d))?))?$/;

const MICROSECONDS_PER_DAY = 86_400_000_000;
const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * The instant that a text names, in microseconds since the epoch; null when it names none. Exact from 1685 to 2255 (beyond, a
 * few microseconds off, still in order). A text without a zone is UTC. What is finer than a microsecond is cut off.
 *
 * `Date.parse` cannot serve: it keeps milliseconds only and takes a text without a zone as local time.
 */
export function parseInstant(text: unknown): number | null {
  if (typeof text !== 'string' || text.length > 80) return null;
  const match = FORM.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction] = match;
  const days = countDays(Number(year), Number(month), Number(day));
  const time = countSeconds(Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0));
  const offset = readOffset(match[9], Number(match[10] ?? 0), Number(match[11] ?? 0));
  if (days === null || time === null || offset === null) return null;
  const microseconds = Number((fraction ?? '').slice(0, 6).padEnd(6, '0'));
  return days * MICROSECONDS_PER_DAY + (time - offset) * 1_000_000 + microseconds;
}

/** Days since 1970-01-01 in the proleptic Gregorian calendar; null for a day that does not exist. */
function countDays(year: number, month: number, day: number): number | null {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const length = (MONTH_LENGTHS[month - 1] ?? 0) + (leap && month === 2 ? 1 : 0);
  if (day < 1 || day > length) return null;
  // Years that begin in March put the leap day at the end, so that one formula gives the days before a month.
  const marchYear = month <= 2 ? year - 1 : year;
  const monthsSinceMarch = (month + 9) % 12;
  const daysBeforeMonth = Math.floor((153 * monthsSinceMarch + 2) / 5);
  const leapDays =
    Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + daysBeforeMonth + day - 1 - 719_468;
}

/** Seconds since midnight. 60 is a leap second: the first second of the next minute. */
function countSeconds(hour: number, minute: number, second: number): number | null {
  if (hour > 23 || minute > 59 || second > 60) return null;
  return hour * 3600 + minute * 60 + second;
}

function readOffset(sign: string | undefined, hour: number, minute: number): number | null {
  if (hour > 23 || minute > 59) return null;
  const seconds = hour * 3600 + minute * 60;
  return sign === '-' ? -seconds : seconds;
}
