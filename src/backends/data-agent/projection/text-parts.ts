import type { Key } from '../../../model/json.js';
import type { References } from './citation-reader.js';
import { toMarkdown } from './format-json.js';
import type { PartSpec, TextSpec } from './projected-section.js';
import { isBlank } from './read-json.js';

/** Creates a thinking part; none when the text is blank. */
export function toThinking(
  value: unknown,
  path: string,
  options: { readonly key: Key; readonly isOpen: boolean; readonly references: References },
): PartSpec[] {
  const { key, isOpen, references } = options;
  const text = toText(value, path, references);
  return text
    ? [{ key, fields: { kind: 'thinking', state: isOpen ? 'open' : 'closed' }, text }]
    : [];
}

/**
 * Describes a text of the reply; null when it is blank. `path` is the path of the text in its section, so that chunks can be appended to it;
 * without a path, each change replaces the whole text, which is fast enough for short texts only.
 */
export function toText(
  value: unknown,
  path: string | null,
  references: References,
): TextSpec | null {
  const source = toMarkdown(value);
  if (isBlank(source)) return null;
  return { path: typeof value === 'string' ? path : null, source, references };
}

/** Creates a text part; none for null. */
export function toTextParts(key: Key, text: TextSpec | null): PartSpec[] {
  return text ? [{ key, fields: { kind: 'text' }, text }] : [];
}
