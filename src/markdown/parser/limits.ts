/**
 * Bounds that keep the cost of any input linear and what is held back small. They are part of the grammar: a text given at
 * once and the same text in pieces meet the same bounds, so both come out the same.
 */

/** Containers (quotes, lists) inside one another. */
export const MAX_BLOCK_DEPTH = 100;
/** Inline constructs (emphasis, links) inside one another. */
export const MAX_INLINE_DEPTH = 32;
/** How far apart the two ends of an inline construct may be, in UTF-16 units. */
export const MAX_SPAN = 4096;
/** The same for an image whose picture stands in the text itself (`data:`). */
export const MAX_DATA_SPAN = 3_000_000;
/** A line longer than this is not a rule, an underline, a fence or a row of dashes, and no signs close it as a heading. */
export const MAX_MARKER_LINE = 1000;
/** Parentheses inside one another in a link's address. */
export const MAX_LINK_PARENTHESES = 32;
/** The name of a reference, as CommonMark has it. */
export const MAX_LABEL = 999;
/** Characters before the `@` of a bare address. */
export const MAX_MAIL_NAME = 256;
/** Columns of a table. */
export const MAX_TABLE_COLUMNS = 128;
/** How long an unfinished emphasis or code span is already shown as what it will most likely be. */
export const MAX_PREVIEW = 1000;
/** How long an unfinished link or image is held back. */
export const MAX_PENDING_LINK = 2048;
/** How long a bracket that may become a link is held back while its text grows. */
export const MAX_PENDING_BRACKET = 300;
