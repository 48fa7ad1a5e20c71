import { SURROGATE_PAIR } from '../dom/truncate.js';
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

/**
 * Creates a text node that `sync` synchronizes with a text, up to `pageLength` UTF-16 units and as many for each call of `showMore`; one more if
 * a surrogate pair would be split.
 */
export function createSyncedTextNode(pageLength = Infinity): {
  readonly node: Text;
  readonly sync: (text: TextSource | null) => void;
  readonly showMore: (text: TextSource | null) => void;
} {
  const node = document.createTextNode('');
  let limit = pageLength;
  const append = (text: string): void => {
    const left = Math.max(0, limit - node.length);
    const before = left > 0 ? text[left - 1] : node.substringData(node.length - 1, 1);
    const isPair = SURROGATE_PAIR.test(`${before}${text[left]}`);
    node.appendData(text.slice(0, left + Number(isPair)));
  };
  const sync = createTextSync({
    append,
    truncate: (at) => {
      node.data = node.data.slice(0, at);
    },
  });
  const showMore = (text: TextSource | null): void => {
    // The text may have grown since the last frame.
    sync(text);
    limit += pageLength;
    append(text?.read(node.length) ?? '');
  };
  return { node, sync, showMore };
}
