/** No name left out. */
const NO_NAMES: ReadonlySet<string> = new Set();

/**
 * A JSON value as text with the names of every object in one fixed order, so that equal values give equal texts. `without`: names
 * left out of the outermost object. For values of bounded depth, see {@link isDeeperThan}. Not meant to be parsed.
 */
export function canonicalJson(value: unknown, without = NO_NAMES): string {
  if (!isContainer(value)) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((inner) => canonicalJson(inner)).join()}]`;
  const entries = Object.entries(value).filter(([name]) => !without.has(name));
  const lines = entries.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`);
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

/** Texts up to this length are their own fingerprint. */
const MAX_VERBATIM_LENGTH = 64;

/**
 * A short stand-in for a text, for comparing: equal texts give equal fingerprints, and two different texts of real traffic do not
 * meet (64 bits and the length). Not cryptographic: whoever writes both texts can make them meet, and harms only their own.
 */
export function fingerprint(text: string): string {
  const { length } = text;
  if (length <= MAX_VERBATIM_LENGTH) return text;
  let left = length;
  let right = ~length;
  for (let at = 0; at < length; at += 1) {
    const unit = text.charCodeAt(at);
    // Each step can be turned back, so that no difference is ever lost again in its lane.
    left = Math.imul(left ^ unit, 0x9e3779b1);
    left ^= left >>> 15;
    right = Math.imul(right ^ unit, 0x85ebca6b);
    right ^= right >>> 13;
  }
  // Nothing is cut out of the text: a piece of it would keep all of it in memory.
  return `#${length} ${left} ${right}`;
}
