import { withoutForgedMarks } from './citation.js';
import { createCodeState } from './code-state.js';
import type { ContentParser, ContentParserOptions } from './content-parser-types.js';
import { closeTools, stand, tellHeld } from './content-writer.js';
import { cloneState, createReader } from './reader.js';
import { breakText, closeAll } from './tag-acts.js';
import { flushText, readText } from './text-reader.js';

/**
 * A parser of UBIK message content (`ubik.md` section 7), for one text: stored content, the main text of a live message, or the text
 * of one live step. Stored content read whole, read in pieces, and `parseContent` are this one implementation.
 */
export function createContentParser(options: ContentParserOptions): ContentParser {
  const reader = createReader(options);
  return {
    push: (text) => readText(reader, withoutForgedMarks(text)),
    place: (open) => {
      flushText(reader, true);
      breakText(reader);
      stand(reader, open());
    },
    closeOpen: () => {
      flushText(reader);
      breakText(reader);
      closeTools(reader);
      reader.base.code = createCodeState();
    },
    end: () => {
      flushText(reader);
      tellHeld(reader);
      closeAll(reader);
    },
    snapshot: () => {
      const { options: _, ...state } = reader;
      return { state: cloneState(state) };
    },
    restore: ({ state }) => void Object.assign(reader, cloneState(state)),
    get work() {
      return reader.work;
    },
  };
}
