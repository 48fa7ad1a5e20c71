/**
 * Whose data something is, as a page says it. Null for what names nobody: nothing, or an empty text, as while nobody is signed in. A
 * whole number is an id, too.
 */
export function readUserKey(value: unknown): string | null {
  if (Number.isSafeInteger(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}
