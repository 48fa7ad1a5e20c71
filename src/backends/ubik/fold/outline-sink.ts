import type { Key } from '../../../model/json.js';
import type { ContentSink } from '../tags/content-sink.js';
import type { Outline } from './outline.js';
import type { ToolBook } from './tool-book.js';

/** What a sink tells beside the outline. */
export interface OutlineSinkOptions {
  readonly outline: Outline;
  readonly tools: ToolBook;
  /** The part that the text stands in; null for the message. */
  readonly parent: Key | null;
  /** A card's end came in the text. */
  readonly onToolDone: (execution: string) => void;
}

/** Makes changes of what a parser reads. */
export function createOutlineSink(options: OutlineSinkOptions): ContentSink {
  const { outline, tools, parent: base } = options;
  return {
    open: (key, parent, fields) => {
      outline.put(key, parent ?? base, fields);
      if (fields.kind === 'tool') tools.cardOpened(key, fields);
    },
    append: (key, text) => outline.append(key, text),
    mark: (key, name, mark) => outline.setMark(key, name, mark),
    set: (key, field, value) => {
      outline.set(key, field, value);
      if (field !== 'state' || outline.get(key)?.fields.kind !== 'tool') return;
      const execution = tools.cardClosed(key);
      if (execution !== null && value === 'done') options.onToolDone(execution);
    },
  };
}
