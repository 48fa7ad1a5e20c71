import type { ContentParser, ContentParserOptions } from './content-parser-types.js';
import { LiveReader } from './live-reader.js';
import { TagReader } from './tag-reader.js';

/**
 * A parser of UBIK message content (`ubik.md` section 7), for one text: stored content, the main text of a live message, or the text
 * of one live step. Stored content read whole, read in pieces, and `parseContent` are this one implementation.
 */
export function createContentParser(options: ContentParserOptions): ContentParser {
  return options.mode === 'live' ? new LiveReader(options) : new TagReader(options);
}
