/** Returns the length of the common prefix of two texts, in UTF-16 units. */
export function commonPrefixLength(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  return at;
}
