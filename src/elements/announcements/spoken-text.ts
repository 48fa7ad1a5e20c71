/** Removes Markdown markup that a screen reader would read out. Keeps the numbers of list items, because texts refer to them. */
export function toSpokenText(markdown: string): string {
  // First: citation marks; markers of headings, quotes, bullets, emphasis, code and tables; thematic breaks and delimiter rows of tables.
  // Then: underscores, except those within words. Then: links and images, of which the text remains. No expression searches the same
  // characters from several starts, which would take quadratic time.
  return markdown
    .replace(/\uE000[^\uE001]*\uE001?|^\s{0,3}(#+|>|[-+*])\s+|[*`~|]+|:?-{3,}:?/gm, '')
    .replace(/(?<![\p{L}\p{M}\p{N}_])_+|(?<!_)_+(?![\p{L}\p{M}\p{N}_])/gu, '')
    .replace(/!?\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}
