/** Removes Markdown markup that a screen reader would read out. Keeps the numbers of list items, because texts refer to them. */
export function toSpokenText(markdown: string): string {
  // First: backslashes that escape; citation marks; markers of headings, quotes, bullets, emphasis, strikethrough, code and tables, but not
  // a sign of multiplication or power; thematic breaks and delimiter rows of tables; underscores, except those within words. Then: links and
  // images, of which the text remains. No expression searches the same characters from several starts, which would take quadratic time.
  return markdown
    .replace(
      /\\([!-/:-@[-`{-~])|\uE000[^\uE001]*\uE001?|^\s{0,3}(?:#+|>|[-+*])\s+|(?<=\d)(\*\*?)(?=\d)|(?<=[\p{L}\p{N})*_`] )(\*\*?)(?= [\p{L}\p{N}(])|[*`|]+|~~+|:?-{3,}:?|(?<![\p{L}\p{M}\p{N}_])_+|(?<!_)_+(?![\p{L}\p{M}\p{N}_])/gmu,
      '$1$2$3',
    )
    .replace(/!?\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}
