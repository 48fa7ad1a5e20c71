import type { Locale, StringName } from '../../locales/locale.js';
import { contentText, type ContentText } from '../parts/disclosure.js';
import { parseJson } from '../json-view.js';

/** What became of a question without an answer, by the type that stands in the place of one. */
const ENDINGS: ReadonlyMap<unknown, StringName> = new Map([
  ['declined', 'requestDeclined'],
  ['expired', 'requestExpired'],
]);

/** What was answered, as the service keeps it: in the words of the person, or in ours for what they chose or left. */
export function describeAnswer(stored: string | null, locale: Locale): string | ContentText {
  if (stored === null) return locale.text('requestAnswered');
  const value = parseJson(stored);
  if (typeof value !== 'object' || value === null) return contentText(stored, locale);
  const fields = new Map(Object.entries(value));
  const ending = ENDINGS.get(fields.get('type'));
  if (ending) return locale.text(ending);
  const input: unknown = fields.get('input') ?? value;
  if (typeof input === 'boolean') return locale.text(input ? 'yes' : 'no');
  return contentText(typeof input === 'string' ? input : JSON.stringify(input), locale);
}
