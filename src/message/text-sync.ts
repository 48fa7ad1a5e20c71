import type { TextSource } from '../model/text.js';

/** The target that a growing text is written to. */
export interface TextSink {
  append(text: string): void;
  /** Removes everything from position `at` on. */
  truncate(at: number): void;
}

/** Returns a function that synchronizes the sink with a text. A call takes time proportional to the length of the new part. */
export function createTextSync(sink: TextSink): (text: TextSource | null) => void {
  let length = 0;
  let revision = 0;
  return (text) => {
    const at = Math.min(length, text?.unchangedLength(revision) ?? 0);
    if (at < length) sink.truncate(at);
    const added = text?.read(at) ?? '';
    if (added) sink.append(added);
    length = at + added.length;
    revision = text?.revision ?? 0;
  };
}

/** Creates a text node that `sync` synchronizes with a text, up to `pageLength` UTF-16 units and as many for each call of `showMore`. */
export function createSyncedTextNode(pageLength = Infinity): {
  readonly node: Text;
  readonly sync: (text: TextSource | null) => void;
  readonly showMore: (text: TextSource | null) => void;
} {
  const node = document.createTextNode('');
  let limit = pageLength;
  const sync = createTextSync({
    append: (text) => {
      node.appendData(text.slice(0, limit - node.length));
    },
    truncate: (at) => {
      node.data = node.data.slice(0, at);
    },
  });
  const showMore = (text: TextSource | null): void => {
    // The text may have grown since the last frame.
    sync(text);
    limit += pageLength;
    node.appendData(text?.read(node.length).slice(0, pageLength) ?? '');
  };
  return { node, sync, showMore };
}
