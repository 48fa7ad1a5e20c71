import { asFields, asList, type Fields } from '../../fields.js';

/** The value at a path of names and indexes; undefined where the path leads nowhere. */
export function readAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (at, step) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, step)
        ? (at as Readonly<Record<string | number, unknown>>)[step]
        : undefined,
    value,
  );
}

/** The value as a string; empty when it is not one. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The first of these fields that is a text with something in it; empty when none is. */
export function findText(value: unknown, ...names: readonly string[]): string {
  return names.map((name) => asText(readAt(value, name))).find((text) => !isBlank(text)) ?? '';
}

/** Longer texts are not looked at: that would copy a text that was built by appending. */
const MAX_BLANK = 200;

/** Whether a value is null, undefined, white space, or a container of nothing but null and empty strings. */
export function isBlank(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= MAX_BLANK && value.trim() === '';
  if (typeof value !== 'object' || value === null) return value === null || value === undefined;
  return Object.values(value).every((each) => each === null || each === undefined || each === '');
}

/**
 * A value as JSON; empty for a value that is nested too deeply. Names are sorted except inside arrays, because patches may build the
 * same object in any order.
 */
export function printJson(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(sortNames(value), null, indent) ?? '';
  } catch {
    // A few thousand levels exceed the stack of `JSON.stringify`, though not of `JSON.parse`.
    return '';
  }
}

function sortNames(value: unknown): unknown {
  const fields: Fields | null = asFields(value);
  if (!fields) return value;
  const names = Object.keys(fields).sort();
  return Object.fromEntries(names.map((name) => [name, sortNames(fields[name])]));
}

/** A value as Markdown: a string as it is, a list of strings as a list, anything else as a block of JSON; empty for null. */
export function toMarkdown(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  const items = asList(value);
  if (items.length > 0 && items.every((item) => typeof item === 'string')) {
    return items.map((item) => `- ${item.replaceAll('\n', '\n  ')}`).join('\n');
  }
  const json = printJson(value, 2);
  const rows = [...json.matchAll(/`{3,}/g)].map(([row]) => row.length);
  // Longer than any row of backticks in it.
  const fence = '`'.repeat(Math.max(2, ...rows) + 1);
  return `${fence}json\n${json}\n${fence}`;
}

/** The string at a path whose steps are joined by `/`, from the value itself for the empty path; empty when there is none. */
export function readString(value: unknown, path: string): string {
  return asText(path === '' ? value : readAt(value, ...path.split('/')));
}
