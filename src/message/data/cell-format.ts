import type { Locale } from '../../locales/locale.js';
import type { DataCell, DataColumn } from '../../model/part.js';
import { cellText } from './data-markdown.js';

/** A decimal number as programs write it. */
const DECIMAL = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;
/** A date, or a date and a time, in ISO 8601 or with a space between date and time, as databases write it. */
const ISO_TIME =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[-+]\d{2}:?\d{2})?)?$/;
/** Number of digits up to which a double represents every integer exactly. Formatting a longer integer could change it. */
const MAX_INTEGER_DIGITS = 15;
/** Maximum number of decimals that are shown. Copies have all of them. */
const MAX_DECIMALS = 6;
/** A number that is closer to zero is shown with significant digits instead of decimals. */
const MIN_WITH_DECIMALS = 0.001;
/** Names of columns whose numbers are identifiers or years, in which separators would be wrong. */
const IDENTIFIER_NAME = /(?:^|[\s_-])(?:[Ii][Dd]|[Yy]ear|YEAR)$|[a-z]I[Dd]$|[年号]$/;

/** Parses a number, or a text that is a decimal number; null for anything else. */
export function toNumber(cell: DataCell): number | null {
  if (typeof cell === 'number') return cell;
  return typeof cell === 'string' && DECIMAL.test(cell.trim()) ? Number(cell) : null;
}

/** The point in time of a cell. */
export interface CellTime {
  /** In ms since the epoch. A time without a zone counts as UTC. */
  readonly time: number;
  readonly hasTime: boolean;
  readonly hasZone: boolean;
}

/**
 * Parses a date, or a date with a time, in the forms of `ISO_TIME`; null for anything else, because other texts that `Date` accepts need not
 * be dates.
 */
export function toTime(cell: DataCell): CellTime | null {
  const [, date, clock, zone] = (typeof cell === 'string' && ISO_TIME.exec(cell)) || [];
  if (date === undefined) return null;
  // Engines need not parse a zone without a colon.
  const offset = zone?.replace(/(\d{2})(\d{2})$/, '$1:$2') ?? 'Z';
  const time = Date.parse(`${date}T${clock ?? '00:00'}${offset}`);
  return Number.isNaN(time)
    ? null
    : { time, hasTime: clock !== undefined, hasZone: zone !== undefined };
}

/**
 * Creates a function that formats the cells of a column in a language. A time with a zone is shown in the user's time zone. Booleans are
 * formatted in every column, numbers in every column except one of dates; a text that does not have the type of the column is shown
 * unchanged; null is empty.
 */
export function createCellFormatter(
  { name, type }: DataColumn,
  locale: Locale,
): (cell: DataCell) => string {
  const formatNumber = createNumberFormatter(locale.lang, !IDENTIFIER_NAME.test(name));
  const formatTime = createTimeFormatter(locale.lang);
  return (cell) => {
    if (typeof cell === 'boolean') return locale.text(cell ? 'yes' : 'no');
    const isNumber = type === 'number' || typeof cell === 'number';
    const formatted = type === 'date' ? formatTime(cell) : isNumber ? formatNumber(cell) : null;
    return formatted ?? cellText(cell);
  };
}

/** Creates a formatter that rounds to `MAX_DECIMALS`. It returns null for a value that is no number, is too long, or has an exponent. */
function createNumberFormatter(
  lang: string,
  hasGroups: boolean,
): (cell: DataCell) => string | null {
  const formats = new Map<string, Intl.NumberFormat>();
  return (cell) => {
    const text = cellText(cell).trim();
    const value = toNumber(text);
    const [integer = '', decimals = ''] = text.replace(/^[-+]/, '').split('.');
    if (value === null || /e/i.test(text) || integer.length > MAX_INTEGER_DIGITS) return null;
    const size = Math.abs(value);
    const isTiny = size > 0 && size < MIN_WITH_DECIMALS;
    const digits = Math.min(decimals.length, MAX_DECIMALS);
    // Four digits are readable without a separator, and may be a year.
    const useGrouping = hasGroups && size >= 10_000;
    const key = `${String(useGrouping)} ${isTiny ? 'tiny' : String(digits)}`;
    const format =
      formats.get(key) ??
      new Intl.NumberFormat(lang, {
        useGrouping,
        ...(isTiny
          ? { maximumSignificantDigits: MAX_DECIMALS }
          : { minimumFractionDigits: digits, maximumFractionDigits: digits }),
      });
    formats.set(key, format);
    return format.format(value);
  };
}

/** Creates a formatter that returns null for a value that is not a time. */
function createTimeFormatter(lang: string): (cell: DataCell) => string | null {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (cell) => {
    const found = toTime(cell);
    if (!found) return null;
    const { time, hasTime, hasZone } = found;
    const key = `${String(hasTime)} ${String(hasZone)}`;
    const format =
      formats.get(key) ??
      new Intl.DateTimeFormat(lang, {
        dateStyle: 'medium',
        ...(hasTime && { timeStyle: 'medium' }),
        ...(!hasZone && { timeZone: 'UTC' }),
      });
    formats.set(key, format);
    return format.format(time);
  };
}
