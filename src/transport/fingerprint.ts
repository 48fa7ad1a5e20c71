/** The default of `without`. */
const NO_NAMES: ReadonlySet<string> = new Set();

/**
 * Serializes a JSON value with sorted names, so that equal values give equal strings. Omits the names in `without` from the outermost
 * object. The depth of the value must be bounded, see {@link isDeeperThan}. The result is not meant to be parsed.
 */
export function canonicalJson(value: unknown, without = NO_NAMES): string {
  if (!isContainer(value)) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((inner) => canonicalJson(inner)).join()}]`;
  const entries = Object.entries(value).filter(([name]) => !without.has(name));
  const lines = entries.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`);
  return `{${lines.sort().join()}}`;
}

/** Whether a JSON value has more than `levels` levels of arrays and objects (a primitive has none, `[]` has one). */
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

/** Texts up to this length are their own fingerprints. */
const MAX_VERBATIM_LENGTH = 64;

/**
 * Returns a short fingerprint of a text for comparison: its length and a 64-bit hash, so that accidental collisions are negligible. Not
 * cryptographic: an author who constructs colliding texts affects only the author's own stream.
 */
export function fingerprint(text: string): string {
  const { length } = text;
  if (length <= MAX_VERBATIM_LENGTH) return text;
  let left = length;
  let right = ~length;
  for (let at = 0; at < length; at += 1) {
    const unit = text.charCodeAt(at);
    // Each step is invertible (the multipliers are odd), so that a difference in the state never disappears.
    left = Math.imul(left ^ unit, 0x9e3779b1);
    left ^= left >>> 15;
    right = Math.imul(right ^ unit, 0x85ebca6b);
    right ^= right >>> 13;
  }
  // No slice of the text is returned: engines keep the whole text in memory for a slice.
  return `#${length} ${left} ${right}`;
}
