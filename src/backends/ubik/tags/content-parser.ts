import { withoutForgedMarks } from './citation.js';
import { createCodeState } from './code-state.js';
import type { ContentParser, ContentParserOptions, HeldText } from './content-parser-types.js';
import { closeTools, stand, tellHeld } from './content-writer.js';
import { isBlankText, trimBlanks } from './payload.js';
import { cloneState, createReader, type Reader } from './reader.js';
import { breakText, closeAll } from './tag-handlers.js';
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
    get held() {
      return readHeld(reader);
    },
    get work() {
      return reader.work;
    },
  };
}

const PAYLOADS = new Map([
  ['TOOL_STEP_INPUT', 'input'],
  ['TOOL_STEP_RESULT', 'result'],
] as const);

function readHeld({ zone, pending }: Reader): HeldText | null {
  const isEndTag = zone && `<<${zone.name}_END>>`.startsWith(pending);
  const text = trimBlanks((zone?.text ?? '') + (isEndTag ? '' : pending));
  if (isBlankText(text)) return null;
  const payload = (PAYLOADS as ReadonlyMap<string, HeldText['payload']>).get(zone?.name ?? '');
  return { text, tool: zone?.tool || null, payload: payload ?? null };
}
