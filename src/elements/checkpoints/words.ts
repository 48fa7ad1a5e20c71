import { html, type TemplateResult } from 'lit';
import type { Aftermath } from '../../controller/checkpoints/checkpoint-line.js';
import type { Locale } from '../../locales/locale.js';
import { renderContentText } from '../../message/content-lang.js';

/** What stands after a point, counted, in words; nothing where there is nothing. */
export function listAftermath(
  { messages, steps, tools }: Aftermath,
  { text }: Locale,
): readonly string[] {
  return [
    ...(messages > 0 ? [text('restoreMessages', { count: messages })] : []),
    ...(steps > 0 ? [text('restoreSteps', { count: steps })] : []),
    ...(tools > 0 ? [text('restoreToolCalls', { count: tools })] : []),
  ];
}

/** Most documents that are named. */
const MOST_NAMES = 5;

/** Names of others, one behind the other; of many the first ones. */
export function renderNames(names: readonly string[], locale: Locale): TemplateResult {
  const some = names.slice(0, MOST_NAMES);
  const comma = locale.text('comma', { words: '', more: '' });
  return html`${some.map((name, at) => html`${at > 0 ? comma : ''}${renderContentText(name, locale)}`)}${names.length > MOST_NAMES ? '…' : ''}`;
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
