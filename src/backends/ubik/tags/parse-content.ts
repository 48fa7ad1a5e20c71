import type { Key } from '../../../model/json.js';
import type { ContentFields, Mark, PartTree } from '../../../model/part.js';
import { createContentParser } from './content-parser.js';
import type { ContentSink } from './content-sink.js';
import { createKeyMaker } from './keys.js';

/**
 * Reads stored content: the text of an assistant's message as the service keeps it. Never throws; what is no construct is text.
 *
 * @example
 * const parts = parseContent('<<thinking>>Hm.<</thinking>>\nHello.');
 */
export function parseContent(text: string): PartTree[] {
  const builder = createTreeBuilder();
  const parser = createContentParser({ mode: 'stored', sink: builder, keys: createKeyMaker() });
  parser.push(text);
  parser.end();
  return builder.trees();
}

/** A sink that builds trees. */
export interface TreeBuilder extends ContentSink {
  /** What has been told so far. */
  trees(): PartTree[];
}

interface Node {
  fields: ContentFields;
  readonly key: Key;
  readonly texts: string[];
  readonly marks: Map<Key, Mark>;
  readonly children: Node[];
}

/** A tree builder without parts. */
export function createTreeBuilder(): TreeBuilder {
  const roots: Node[] = [];
  const nodes = new Map<Key | null, Node>();
  return {
    open: (key, parent, fields) => {
      const node: Node = { fields, key, texts: [], marks: new Map(), children: [] };
      nodes.set(key, node);
      (nodes.get(parent)?.children ?? roots).push(node);
    },
    append: (key, text) => void nodes.get(key)?.texts.push(text),
    mark: (key, name, mark) => void nodes.get(key)?.marks.set(name, mark),
    set: (key, field, value) => {
      const node = nodes.get(key);
      // The parser sets fields of a part's own kind only.
      if (node) node.fields = { ...node.fields, [field]: value };
    },
    trees: () => roots.map(toTree),
  };
}

function toTree({ fields, key, texts, marks, children }: Node): PartTree {
  const text = texts.join('');
  return {
    ...fields,
    key,
    ...(marks.size > 0 ? { marks: Object.fromEntries(marks) } : {}),
    ...(text ? { text } : {}),
    ...(children.length > 0 ? { parts: children.map(toTree) } : {}),
  };
}
