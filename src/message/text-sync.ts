import type { TextSource } from '../model/text.js';

/** What a growing text is written into. */
export interface TextSink {
  append(text: string): void;
  /** Drops what comes after `at`. */
  truncate(at: number): void;
}

/** Brings a sink in line with a text each time the returned function is called. Costs what is new. */
export function createTextSync(sink: TextSink): (text: TextSource | null) => void {
  let length = 0;
  let revision = 0;
  return (text) => {
    const at = Math.min(length, text?.unchangedLength(revision) ?? 0);
    if (at < length) sink.truncate(at);
    const more = text?.read(at) ?? '';
    if (more) sink.append(more);
    length = at + more.length;
    revision = text?.revision ?? 0;
  };
}

/** A text node that follows a text as it was written, up to a limit. */
export function createSyncedTextNode(limit = Infinity): {
  readonly node: Text;
  readonly follow: (text: TextSource | null) => void;
} {
  const node = document.createTextNode('');
  const follow = createTextSync({
    append: (text) => {
      node.appendData(text.slice(0, limit - node.length));
    },
    truncate: (at) => {
      node.data = node.data.slice(0, at);
    },
  });
  return { node, follow };
}
