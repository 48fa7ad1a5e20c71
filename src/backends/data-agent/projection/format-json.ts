import { asFields, asList, type Fields } from '../../fields.js';

/**
 * Serializes a value as JSON; empty for a value that is nested too deeply. The keys of objects are sorted, because patches may build the
 * same object in any order. Objects inside arrays are not sorted: most are records, whose keys are shown in the order of the service.
 */
export function formatJson(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(sortNames(value), null, indent) ?? '';
  } catch {
    // A few thousand levels exceed the stack of `JSON.stringify`, but not that of `JSON.parse`.
    return '';
  }
}

function sortNames(value: unknown): unknown {
  const fields: Fields | null = asFields(value);
  if (!fields) return value;
  const names = Object.keys(fields).sort();
  return Object.fromEntries(names.map((name) => [name, sortNames(fields[name])]));
}

/**
 * Converts a value to Markdown: a string is returned unchanged, an array of strings becomes a list, anything else a code block of JSON.
 * Empty for null.
 */
export function toMarkdown(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  const items = asList(value);
  if (items.length > 0 && items.every((item) => typeof item === 'string')) {
    return items.map((item) => `- ${item.replaceAll('\n', '\n  ')}`).join('\n');
  }
  const json = formatJson(value, 2);
  const runs = [...json.matchAll(/`{3,}/g)].map(([run]) => run.length);
  // Longer than any run of backticks in the JSON.
  const fence = '`'.repeat(Math.max(2, ...runs) + 1);
  return `${fence}json\n${json}\n${fence}`;
}
