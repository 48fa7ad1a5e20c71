import type { Locale, StringName } from '../../locales/locale.js';
import { quote, type Quoted } from '../disclosure.js';
import { parseJson } from '../tool/json-tree.js';

/** What became of a question without an answer, by the type that stands in the place of one. */
const ENDINGS: ReadonlyMap<unknown, StringName> = new Map([
  ['declined', 'requestDeclined'],
  ['expired', 'requestExpired'],
]);

/** What was answered, as the service keeps it: in the words of the person, or in ours for what they chose or left. */
export function readAnswer(stored: string | null, locale: Locale): string | Quoted {
  if (stored === null) return locale.text('requestAnswered');
  const value = parseJson(stored);
  if (typeof value !== 'object' || value === null) return quote(stored, locale);
  const fields = new Map(Object.entries(value));
  const ending = ENDINGS.get(fields.get('type'));
  if (ending) return locale.text(ending);
  const input: unknown = fields.get('input') ?? value;
  if (typeof input === 'boolean') return locale.text(input ? 'yes' : 'no');
  return quote(typeof input === 'string' ? input : JSON.stringify(input), locale);
}
