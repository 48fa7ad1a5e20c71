import type { Aftermath } from '../../conversation/ways/checkpoint-line.js';
import type { Locale } from '../../locales/locale.js';

/** What stands after a point, counted, in words; nothing where there is nothing. */
export function countThings(
  { messages, steps, tools }: Aftermath,
  { text }: Locale,
): readonly string[] {
  return [
    ...(messages > 0 ? [text('leftMessages', { count: messages })] : []),
    ...(steps > 0 ? [text('leftSteps', { count: steps })] : []),
    ...(tools > 0 ? [text('leftTools', { count: tools })] : []),
  ];
}

/** Units of time and their length in ms, the longest first. */
const UNITS = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How long ago something was: "5 minutes ago", "yesterday". What is younger than a minute, or not yet, is now. */
export function formatAge(ms: number, { lang }: Locale): string {
  const format = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' });
  const [unit, length] = UNITS.find(([, size]) => ms >= size) ?? (['second', Infinity] as const);
  return format.format(-Math.floor(Math.max(0, ms) / length), unit);
}
