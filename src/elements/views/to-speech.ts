/** Markdown without the signs that a voice would spell out. */
export function toSpeech(markdown: string): string {
  return markdown
    .replace(/\uE000[^\uE001]*\uE001?|^\s{0,3}(#+|>|[-+*]|\d+[.)])\s+|[*_`~|]+|:?-{3,}:?/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}
