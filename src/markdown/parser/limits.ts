/**
 * Limits that keep parsing linear for any input and bound the text that is withheld. They are part of the grammar, so that the result is
 * the same whether a text arrives in one piece or in chunks. Lengths are in UTF-16 units.
 */

/** Nesting depth of container blocks (quotes, `<details>`, footnotes, lists). An item counts twice, because its list is a block, too. */
export const MAX_BLOCK_DEPTH = 100;
/** Nesting depth of inline constructs (emphasis, links). */
export const MAX_INLINE_DEPTH = 32;
/** Length of an inline construct. */
export const MAX_SPAN = 4096;
/** Length of an image with a `data:` URL. */
export const MAX_DATA_SPAN = 3_000_000;
/**
 * A longer line is not a thematic break, setext underline, fence, alert, summary, lone HTML tag, header row or delimiter row, and has no closing
 * sequence of a heading.
 */
export const MAX_MARKER_LINE = 1000;
/** Nesting depth of parentheses in a link destination. */
export const MAX_LINK_PARENTHESES = 32;
/** Length of a link label (CommonMark 6.3). */
export const MAX_LABEL = 999;
/** Length of the local part of an extended email autolink. */
export const MAX_MAIL_NAME = 256;
/** Number of columns of a table. */
export const MAX_TABLE_COLUMNS = 128;
/** Length up to which an unclosed emphasis or code span is previewed as if it were closed. */
export const MAX_PREVIEW = 1000;
/** Length up to which an incomplete link or image is withheld. */
export const MAX_PENDING_LINK = 2048;
/** Length up to which an open bracket that may become a link is withheld. */
export const MAX_PENDING_BRACKET = 300;
