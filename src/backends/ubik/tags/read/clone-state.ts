/**
 * A copy of plain data: objects and arrays are copied, all other values shared. Texts cost nothing, so a state costs what is open, not
 * what has been read. (`structuredClone` would copy the texts.)
 */
export function cloneState<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => cloneState(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, field]) => [name, cloneState<unknown>(field)]);
  return Object.fromEntries(entries) as T;
}
