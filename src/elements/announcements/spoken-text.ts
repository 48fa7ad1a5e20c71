/** Removes Markdown markup that a screen reader would read out. Keeps the numbers of list items, because texts refer to them. */
export function toSpokenText(markdown: string): string {
  return markdown
    .replace(/\uE000[^\uE001]*\uE001?|^\s{0,3}(#+|>|[-+*])\s+|[*_`~|]+|:?-{3,}:?/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}
