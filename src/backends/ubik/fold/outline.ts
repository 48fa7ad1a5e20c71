import type { Change } from '../../../model/change.js';
import type { Json, Key } from '../../../model/json.js';
import type { Mark, PartFields, PartTree } from '../../../model/part.js';
import { fieldsOf, isContent } from '../../../model/part-tree.js';

/** What is remembered of a part: everything but its text, of which only the length is known. */
export interface OutlineEntry {
  readonly key: Key;
  readonly parent: Key | null;
  readonly fields: PartFields;
  readonly length: number;
}

/** A state of an outline. */
export interface OutlineState {
  readonly entries: ReadonlyMap<Key, OutlineEntry>;
  readonly children: ReadonlyMap<Key | null, Key[]>;
  readonly textLength: number;
}

/**
 * The parts of one message without their texts: cursors to go on from. Every act is told as a {@link Change}; an act that changes
 * nothing is told to nobody.
 */
export class Outline {
  readonly #message: Key;
  #entries = new Map<Key, OutlineEntry>();
  #children = new Map<Key | null, Key[]>();
  /** Lists that stand in no snapshot and may be written to. */
  #own = new Set<Key | null>();
  #textLength = 0;
  #changes: Change[] = [];

  constructor(message: Key) {
    this.#message = message;
  }

  /** Number of parts. */
  get size(): number {
    return this.#entries.size;
  }

  /** Units of all texts of the content, with inputs and results of tools; activity is not counted. */
  get textLength(): number {
    return this.#textLength;
  }

  get(key: Key): OutlineEntry | undefined {
    return this.#entries.get(key);
  }

  /** Keys in a container, in order. */
  children(parent: Key | null): readonly Key[] {
    return this.#children.get(parent) ?? [];
  }

  /** All parts, oldest first. */
  entries(): IterableIterator<OutlineEntry> {
    return this.#entries.values();
  }

  /** Adds a part at the end of its parent, or gives a known one new fields. */
  put(key: Key, parent: Key | null, fields: PartFields): void {
    const known = this.#entries.get(key);
    if (!known) this.#ownChildren(parent).push(key);
    this.#entries.set(key, {
      key,
      parent: known?.parent ?? parent,
      fields,
      length: known?.length ?? 0,
    });
    this.#tell({
      do: 'part',
      message: this.#message,
      part: key,
      parent: known ? known.parent : parent,
      before: null,
      value: fields,
    });
  }

  /** Adds to a part's text. */
  append(key: Key, text: string): void {
    const entry = this.#entries.get(key);
    if (!entry || text === '') return;
    this.#entries.set(key, { ...entry, length: entry.length + text.length });
    if (isContent(entry.fields)) this.#textLength += text.length;
    this.#tellText(key, entry.length, text);
  }

  /** Sets one field of a part. */
  set(key: Key, name: string, value: Json): void {
    const entry = this.#entries.get(key);
    if (!entry || read(entry.fields, name) === value) return;
    const fields = Object.fromEntries([...Object.entries(entry.fields), [name, value]]);
    // The caller gives a value of the field's type; what comes from the network was read by its type.
    this.#entries.set(key, { ...entry, fields: fields as unknown as PartFields });
    if ((name === 'input' || name === 'result') && typeof value === 'string') {
      this.#textLength += value.length;
    }
    this.#tell({ do: 'set', message: this.#message, part: key, path: [name], value });
  }

  /** Gives a text the data of an inline mark. */
  setMark(key: Key, name: Key, mark: Mark): void {
    const entry = this.#entries.get(key);
    if (!entry || (entry.fields.kind !== 'text' && entry.fields.kind !== 'thinking')) return;
    const marks = { ...entry.fields.marks, [name]: mark };
    this.#entries.set(key, { ...entry, fields: { ...entry.fields, marks } });
    const value: Json = { ...mark };
    this.#tell({ do: 'set', message: this.#message, part: key, path: ['marks', name], value });
  }

  /** Sets one field of the message itself. */
  setMessage(name: string, value: Json): void {
    this.#tell({ do: 'set', message: this.#message, part: null, path: [name], value });
  }

  /** Tells a change of something else than parts. */
  tell(change: Change): void {
    this.#tell(change);
  }

  /** This is all the content; activity stays. */
  replaceContent(trees: readonly PartTree[]): void {
    for (const [key, entry] of [...this.#entries]) {
      if (isContent(entry.fields)) this.#entries.delete(key);
    }
    for (const parent of [...this.#children.keys()]) {
      if (!parent?.startsWith('@')) this.#children.delete(parent);
    }
    this.#textLength = 0;
    this.#adopt(null, trees);
    this.#tell({ do: 'content', message: this.#message, parts: trees });
  }

  /** What has happened since the last call. */
  takeChanges(): Change[] {
    const changes = this.#changes;
    this.#changes = [];
    return changes;
  }

  /** Costs the number of parts, not their texts. */
  snapshot(): OutlineState {
    this.#own.clear();
    return {
      entries: new Map(this.#entries),
      children: new Map(this.#children),
      textLength: this.#textLength,
    };
  }

  /** Goes back to a state, telling nothing. */
  restore(state: OutlineState): void {
    this.#entries = new Map(state.entries);
    this.#children = new Map(state.children);
    this.#own.clear();
    this.#textLength = state.textLength;
  }

  #adopt(parent: Key | null, trees: readonly PartTree[]): void {
    this.#children.set(
      parent,
      trees.map((tree) => tree.key),
    );
    this.#own.add(parent);
    for (const tree of trees) {
      const length = tree.text?.length ?? 0;
      this.#entries.set(tree.key, { key: tree.key, parent, fields: fieldsOf(tree), length });
      this.#textLength += length;
      if (tree.kind === 'tool') {
        this.#textLength += (tree.input?.length ?? 0) + (tree.result?.length ?? 0);
      }
      if (tree.parts) this.#adopt(tree.key, tree.parts);
    }
  }

  #ownChildren(parent: Key | null): Key[] {
    const known = this.#children.get(parent);
    if (known && this.#own.has(parent)) return known;
    const copy = [...(known ?? [])];
    this.#children.set(parent, copy);
    this.#own.add(parent);
    return copy;
  }

  #tell(change: Change): void {
    this.#changes.push(change);
  }

  /** Appends to the same part become one change: joining two strings copies neither. */
  #tellText(part: Key, at: number, text: string): void {
    const last = this.#changes.at(-1);
    if (last?.do === 'text' && last.part === part && last.at + last.text.length === at) {
      this.#changes[this.#changes.length - 1] = { ...last, text: last.text + text };
    } else this.#tell({ do: 'text', message: this.#message, part, at, text });
  }
}

function read(fields: PartFields, name: string): unknown {
  return new Map<string, unknown>(Object.entries(fields)).get(name);
}
