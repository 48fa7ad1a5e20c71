/** No name left out. */
const NOTHING: ReadonlySet<string> = new Set();

/**
 * A JSON value as text with the names of every object in one fixed order, so that equal values give equal texts. `without`: names
 * left out of the outermost object. For values of bounded depth, see {@link isDeeperThan}. Not meant to be parsed.
 */
export function canonicalText(value: unknown, without = NOTHING): string {
  const sort = (_name: string, inner: unknown): unknown => {
    if (!isContainer(inner) || Array.isArray(inner)) return inner;
    const entries = Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1));
    // Defines names and assigns none, so that `__proto__` is a name like any other.
    return Object.fromEntries(
      inner === value ? entries.filter(([name]) => !without.has(name)) : entries,
    );
  };
  return JSON.stringify(value, sort);
}

/** Whether a JSON value holds lists or objects nested deeper than `levels` (a plain value has none, `[]` has one). */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let layer = [value].filter(isContainer);
  for (let depth = 0; layer.length > 0; depth++) {
    if (depth === levels) return true;
    layer = layer.flatMap((container) => Object.values(container) as unknown[]).filter(isContainer);
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
