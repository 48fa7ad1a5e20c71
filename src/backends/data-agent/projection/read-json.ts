/** Returns the value at a path of names and indexes; undefined if the path does not exist. */
export function readAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, name)
        ? (at as Readonly<Record<string | number, unknown>>)[name]
        : undefined,
    value,
  );
}

/** Returns the value if it is a string; otherwise an empty string. */
export function asString(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns the first of these fields that is a string and not blank; empty when there is none. */
export function readFirstNonBlank(value: unknown, ...names: readonly string[]): string {
  return names.map((name) => asString(readAt(value, name))).find((text) => !isBlank(text)) ?? '';
}

/** A string with more UTF-16 units counts as not blank, because `trim()` would flatten a concatenated string, which copies all of it. */
const MAX_BLANK = 200;

/** Whether a value is null, undefined, white space, or a container of nulls and empty strings only. */
export function isBlank(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= MAX_BLANK && value.trim() === '';
  if (typeof value !== 'object' || value === null) return value === null || value === undefined;
  return Object.values(value).every((each) => each === null || each === undefined || each === '');
}

/**
 * Joins a path by `/`. Slashes and tildes in names are escaped as in a JSON Pointer. The path of one empty name equals the empty path.
 */
export function joinPath(path: readonly (string | number)[]): string {
  return path.map((name) => String(name).replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
}

/** Returns the names of a joined path; indexes as strings. */
export function splitPath(path: string): string[] {
  if (path === '') return [];
  return path.split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns the string at a joined path; the empty path is the value itself. Empty when there is no string. */
export function readStringAt(value: unknown, path: string): string {
  return asString(readAt(value, ...splitPath(path)));
}
