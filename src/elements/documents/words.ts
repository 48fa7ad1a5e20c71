import type { UploadLimits } from '../../backends/backend.js';
import type { Locale } from '../../locales/locale.js';

/** A size as files have it: "820 kB", "2.5 MB". */
export function formatSize(bytes: number, { lang }: Locale): string {
  const [unit, one] =
    bytes < 1e6 ? ['kilobyte', 1e3] : bytes < 1e9 ? ['megabyte', 1e6] : ['gigabyte', 1e9];
  const digits = bytes < 1e6 ? 0 : 1;
  return new Intl.NumberFormat(lang, {
    style: 'unit',
    unit: unit,
    maximumFractionDigits: digits,
  }).format(bytes < 1e3 ? Math.ceil(bytes / 1e3) : bytes / one);
}

/** A day, given in ms since the epoch. */
export function formatDay(time: number, { lang }: Locale): string {
  return new Intl.DateTimeFormat(lang, { dateStyle: 'medium' }).format(time);
}

/** What may be added, in words, as far as anybody has said; empty when nobody has. */
export function describeLimits(
  { maxFiles, maxBytes, types }: UploadLimits,
  locale: Locale,
): string {
  const words: string[] = [];
  if (maxFiles !== undefined) words.push(locale.text('limitFiles', { count: maxFiles }));
  if (maxBytes !== undefined)
    words.push(locale.text('limitSize', { size: formatSize(maxBytes, locale) }));
  if (types?.length) {
    const list = new Intl.ListFormat(locale.lang, { type: 'conjunction', style: 'narrow' });
    words.push(locale.text('limitTypes', { types: list.format(types) }));
  }
  return words.join(' ');
}
