/** Texts up to this length are their own fingerprint. */
const SHORT = 64;

/**
 * A short stand-in for a text, for comparing: equal texts give equal fingerprints, and two different texts of real traffic do not
 * meet (64 bits and the length). Not cryptographic: whoever writes both texts can make them meet, and harms only their own.
 */
export function fingerprint(text: string): string {
  const { length } = text;
  if (length <= SHORT) return text;
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
