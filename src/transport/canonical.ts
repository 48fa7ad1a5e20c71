/** No name left out. */
const NOTHING: ReadonlySet<string> = new Set();

/**
 * A JSON value as text with the names of every object in one fixed order, so that equal values give equal texts. `without`: names
 * left out of the outermost object. For values of bounded depth, see {@link isDeeperThan}. Not meant to be parsed.
 */
export function canonicalText(value: unknown, without = NOTHING): string {
  if (!isContainer(value)) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((inner) => canonicalText(inner)).join()}]`;
  const entries = Object.entries(value).filter(([name]) => !without.has(name));
  const lines = entries.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalText(inner)}`);
  return `{${lines.sort().join()}}`;
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
