import type { Change } from '../../../model/change.js';
import type { Json, Key } from '../../../model/json.js';
import type {
  FieldsOf,
  CitationMark,
  PartFields,
  PartKind,
  PartTree,
} from '../../../model/part.js';
import { isContent } from '../../../model/part-tree.js';

/** A part of a message that is being built. */
export interface BuiltPart {
  readonly parent: Key | null;
  readonly fields: PartFields;
  readonly text: string;
}

/**
 * Builds the parts of an answer for a reducer, and keeps them in the order in which they were added. Records each modification as a
 * {@link Change}. Appending concatenates two strings, which copies neither.
 */
export class MessageBuilder {
  readonly message: Key;
  /** Set while the whole content is replaced: changes are not recorded then, because the caller records one that contains them all. */
  isReplacingContent = false;
  /** Number of UTF-16 units of all texts of the content, with inputs and results of tools, without activity. */
  textLength: number;
  /** Number of received UTF-16 units: `content` with tags and withheld text, `output` of tools, `reports` as `measureJson` counts them. */
  readonly usage: { content: number; output: number; reports: number };
  readonly content: Map<Key, BuiltPart>;
  /** Activity, in the order in which it was added. */
  readonly activity: Map<Key, BuiltPart>;
  #changes: Change[] = [];

  /** @param from a builder to copy. Texts are shared, so that the cost is proportional to the number of parts */
  constructor(message: Key, from?: MessageBuilder) {
    this.message = message;
    this.textLength = from?.textLength ?? 0;
    this.usage = { content: 0, output: 0, reports: 0, ...from?.usage };
    this.content = new Map(from?.content);
    this.activity = new Map(from?.activity);
  }

  /** Number of parts, including activity. */
  get size(): number {
    return this.content.size + this.activity.size;
  }

  has(key: Key): boolean {
    return this.#mapOf(key).has(key);
  }

  /** Returns the fields of a part; undefined when there is no such part of this kind. */
  get<K extends PartKind>(key: Key | null, kind: K): FieldsOf<K> | undefined {
    const fields = key === null ? undefined : this.#mapOf(key).get(key)?.fields;
    return fields?.kind === kind ? (fields as FieldsOf<K>) : undefined;
  }

  /** Lists the parts of a kind, oldest first. */
  list<K extends PartKind>(kind: K): (readonly [Key, FieldsOf<K>])[] {
    const entries = kind.endsWith('-activity') ? this.activity : this.content;
    return [...entries.keys()].flatMap((key) => {
      const fields = this.get(key, kind);
      return fields ? [[key, fields] as const] : [];
    });
  }

  /** Whether the content has parts that only the service writes, and never the language model. */
  get isStructured(): boolean {
    const kinds: readonly PartKind[] = ['step', 'checkpoint', 'input-request', 'error'];
    return [...this.content.values()].some(({ fields }) => kinds.includes(fields.kind));
  }

  /** Whether a part contains an open thinking part or tool. */
  hasOpenChild(parent: Key): boolean {
    return [...this.content.values()].some(
      ({ parent: around, fields }) =>
        around === parent &&
        ((fields.kind === 'thinking' && fields.state === 'open') ||
          (fields.kind === 'tool' && fields.state === 'running')),
    );
  }

  /** Adds a part at the end of its parent, or replaces the fields of an existing one. */
  put(key: Key, parent: Key | null, fields: PartFields): void {
    const text = this.#mapOf(key).get(key)?.text ?? '';
    this.#mapOf(key).set(key, { parent, fields, text });
    this.record({
      type: 'part',
      message: this.message,
      part: key,
      parent,
      before: null,
      value: fields,
    });
  }

  /** Appends to the text of a part. Does nothing for an unknown part. */
  append(key: Key, text: string): void {
    const entry = this.#mapOf(key).get(key);
    if (!entry || text === '') return;
    this.#mapOf(key).set(key, { ...entry, text: entry.text + text });
    if (isContent(entry.fields)) this.textLength += text.length;
    this.#recordText(key, entry.text.length, text);
  }

  /** Sets fields of a part, and records those that change. Does nothing for an unknown part. */
  set(key: Key, values: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(values)) {
      const entry = this.#mapOf(key).get(key);
      if (!entry || (entry.fields as unknown as typeof values)[name] === value) continue;
      // The caller passes values of the right type; values from the network were validated when they were read.
      const fields = { ...entry.fields, [name]: value };
      this.#mapOf(key).set(key, { ...entry, fields });
      if ((name === 'input' || name === 'result') && typeof value === 'string') {
        this.textLength += value.length;
      }
      this.#recordField(key, [name], value as Json);
    }
  }

  /** Adds the data of an inline mark to a text. */
  setMark(key: Key, name: Key, mark: CitationMark): void {
    const entry = this.content.get(key);
    if (!entry) return;
    const { marks } = entry.fields as FieldsOf<'text'>;
    const fields = { ...entry.fields, marks: { ...marks, [name]: mark } } as PartFields;
    this.content.set(key, { ...entry, fields });
    this.#recordField(key, ['marks', name], { ...mark });
  }

  /** Returns the content as trees. */
  toTrees(): PartTree[] {
    const roots: PartTree[] = [];
    const lists = new Map<Key | null, PartTree[]>([[null, roots]]);
    for (const [key, { parent, fields, text }] of this.content) {
      const parts: PartTree[] = [];
      lists.set(key, parts);
      if (isContent(fields)) lists.get(parent)?.push({ ...fields, key, text, parts });
    }
    return roots;
  }

  /** Removes the content, but not the activity. */
  clearContent(): void {
    this.content.clear();
    this.textLength = 0;
  }

  record(change: Change): void {
    if (!this.isReplacingContent) this.#changes.push(change);
  }

  /** Returns the changes since the last call. */
  drainChanges(): Change[] {
    const changes = this.#changes;
    this.#changes = [];
    return changes;
  }

  /** Keys of activity start with `@`; other keys do not. */
  #mapOf(key: Key): Map<Key, BuiltPart> {
    return key.startsWith('@') ? this.activity : this.content;
  }

  #recordField(part: Key, path: readonly string[], value: Json): void {
    this.record({ type: 'set', message: this.message, part, path, value });
  }

  /** Records an append. Merges consecutive appends to the same part into one change. */
  #recordText(part: Key, at: number, text: string): void {
    const last = this.#changes.at(-1);
    if (!this.isReplacingContent && last?.type === 'text' && last.part === part) {
      this.#changes[this.#changes.length - 1] = { ...last, text: last.text + text };
    } else this.record({ type: 'text', message: this.message, part, at, text });
  }
}
