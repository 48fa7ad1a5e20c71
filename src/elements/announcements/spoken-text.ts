/** Markdown without the signs that a voice would spell out. The numbers of a list stay: a text refers to them. */
export function toSpokenText(markdown: string): string {
  return markdown
    .replace(/\uE000[^\uE001]*\uE001?|^\s{0,3}(#+|>|[-+*])\s+|[*_`~|]+|:?-{3,}:?/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}
