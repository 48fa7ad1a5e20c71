import type { Json, Key } from '../../../model/json.js';
import type { ContentFields, Mark, PartTree } from '../../../model/part.js';
import { createContentParser } from './content-parser.js';
import type { ChangingField, ContentSink } from './content-sink.js';
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

/** A tree builder without parts. */
export function createTreeBuilder(): TreeBuilder {
  return new Trees();
}

interface Node {
  fields: ContentFields;
  readonly key: Key;
  readonly texts: string[];
  readonly marks: Map<Key, Mark>;
  readonly children: Node[];
}

class Trees implements TreeBuilder {
  readonly #roots: Node[] = [];
  readonly #nodes = new Map<Key, Node>();

  open(key: Key, parent: Key | null, fields: ContentFields): void {
    const node: Node = { fields, key, texts: [], marks: new Map(), children: [] };
    this.#nodes.set(key, node);
    const around = parent === null ? undefined : this.#nodes.get(parent);
    (around ? around.children : this.#roots).push(node);
  }

  append(key: Key, text: string): void {
    this.#nodes.get(key)?.texts.push(text);
  }

  mark(key: Key, name: Key, mark: Mark): void {
    this.#nodes.get(key)?.marks.set(name, mark);
  }

  set(key: Key, field: ChangingField, value: Json): void {
    const node = this.#nodes.get(key);
    // The parser sets fields of a part's own kind only.
    if (node) node.fields = { ...node.fields, [field]: value };
  }

  trees(): PartTree[] {
    return this.#roots.map(toTree);
  }
}

function toTree(node: Node): PartTree {
  const text = node.texts.join('');
  return {
    ...node.fields,
    key: node.key,
    ...(node.marks.size > 0 ? { marks: Object.fromEntries(node.marks) } : {}),
    ...(text === '' ? {} : { text }),
    ...(node.children.length > 0 ? { parts: node.children.map(toTree) } : {}),
  };
}
