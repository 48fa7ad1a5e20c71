import type { Change } from '../../../model/change.js';
import { equalJson, type Json, type Key } from '../../../model/json.js';
import type { ContentFields, PartTree } from '../../../model/part.js';
import { NO_REFERENCES, type References } from './citation-reader.js';
import { readStringAt } from './read-json.js';
import { findAppended, type SectionChange } from './changed-sections.js';
import { ProjectedText } from './projected-text.js';

/** A part that is derived from the reply. */
export interface PartSpec {
  readonly key: Key;
  readonly fields: ContentFields;
  readonly text?: TextSpec;
  readonly parts?: readonly PartSpec[];
}

/** A text of the reply that a part shows. */
export interface TextSpec {
  /** Path of the string in its section, as in {@link SectionChange}; null when the text is not one string of the reply. */
  readonly path: string | null;
  readonly source: string;
  /** Sources that the text cites; none by default. */
  readonly references?: References;
}

/** Chunks by which the texts of a section have grown, by the paths of the texts. */
export type Growth = ReadonlyMap<string, string>;

const NO_GROWTH: Growth = new Map();

/** A part that is shown. */
interface ShownPart {
  readonly key: Key;
  fields: ContentFields;
  text: ProjectedText | null;
  parts: readonly ShownPart[];
}

/** The parts that are derived from one section of the reply, and the changes from one derivation to the next. */
export class ProjectedSection {
  readonly #message: Key;
  readonly #changes: Change[];
  #parts: readonly ShownPart[] = [];
  /** Texts by their paths in the section. */
  #texts = new Map<string, ProjectedText>();

  /** @param changes the list to which changes are appended, in the order in which they must be applied */
  constructor(message: Key, changes: Change[]) {
    this.#message = message;
    this.#changes = changes;
  }

  /** Key of the first part; null when there is none. */
  get firstKey(): Key | null {
    return this.#parts[0]?.key ?? null;
  }

  /** The parts as plain data. */
  get trees(): PartTree[] {
    return this.#parts.map(toTree);
  }

  /** Returns the text that shows a string of the section; undefined when no part shows it. */
  textAt(path: string): ProjectedText | undefined {
    return this.#texts.get(path);
  }

  /**
   * Appends to the texts that have grown. `node` is the section in the reply. Returns the appended chunks; all other changes require a new
   * derivation.
   */
  append(sectionChanges: readonly SectionChange[], node: unknown): Growth {
    let growth: Map<string, string> | null = null;
    for (const { path, appended } of sectionChanges) {
      const text = appended === null || growth?.has(path) ? undefined : this.#texts.get(path);
      if (!text) continue;
      const source = readStringAt(node, path);
      const chunk = findAppended(sectionChanges, path, text.source, source);
      if (chunk === null) continue;
      this.#changes.push(...text.append(chunk, source));
      growth ??= new Map<string, string>();
      growth.set(path, chunk);
    }
    return growth ?? NO_GROWTH;
  }

  /** Appends to the texts that have grown, and derives the parts again if anything else has changed. `node` is the section in the reply. */
  update(
    sectionChanges: readonly SectionChange[],
    node: unknown,
    derive: () => readonly PartSpec[],
    findNextKey: () => Key | null,
  ): void {
    const growth = this.append(sectionChanges, node);
    if (sectionChanges.some((change) => !isGrowth(change, growth)))
      this.replace(derive(), findNextKey);
  }

  /**
   * Replaces the parts. Those that stay keep their order and their text, because their keys are made of indexes, which never move
   * (Data Agent 7). `findNextKey` returns the key of the part before which new ones are inserted; null for the end of the message.
   */
  replace(specs: readonly PartSpec[], findNextKey: () => Key | null): void {
    if (specs.length === 0 && this.#parts.length === 0) return;
    this.#texts = new Map();
    this.#parts = this.#replaceIn(null, this.#parts, specs, findNextKey);
  }

  /** Shows the withheld text, because the texts are complete. */
  endTexts(): void {
    const endText = ({ text, parts }: ShownPart): void => {
      if (text) this.#changes.push(...text.end());
      parts.forEach(endText);
    };
    this.#parts.forEach(endText);
  }

  #replaceIn(
    parent: Key | null,
    shown: readonly ShownPart[],
    specs: readonly PartSpec[],
    findNextKey: () => Key | null,
  ): ShownPart[] {
    const message = this.#message;
    const known = new Map(shown.map((part) => [part.key, part]));
    const isKept = ({ key, fields }: PartSpec): boolean =>
      known.get(key)?.fields.kind === fields.kind;
    const keptKeys = new Set(specs.filter(isKept).map(({ key }) => key));
    for (const { key: part } of shown) {
      if (!keptKeys.has(part)) this.#changes.push({ type: 'remove', message, part });
    }
    return specs.map((spec, index) => {
      const { key: part, fields, text } = spec;
      const old = keptKeys.has(part) ? known.get(part) : undefined;
      const shownPart: ShownPart = old ?? { key: part, fields, text: null, parts: [] };
      if (old) this.#setFields(old, fields);
      else {
        const next =
          specs.slice(index + 1).find(({ key }) => keptKeys.has(key))?.key ?? findNextKey();
        this.#changes.push({ type: 'part', message, part, parent, before: next, value: fields });
      }
      if (text) this.#setText(shownPart, text);
      shownPart.parts = this.#replaceIn(part, shownPart.parts, spec.parts ?? [], () => null);
      return shownPart;
    });
  }

  #setFields(part: ShownPart, fields: ContentFields): void {
    const before: Readonly<Record<string, unknown>> = { ...part.fields };
    const after: Readonly<Record<string, unknown>> = { ...fields };
    for (const name of Object.keys({ ...before, ...after })) {
      if (equalJson(before[name], after[name])) continue;
      const change = { type: 'set', message: this.#message, part: part.key, path: [name] } as const;
      this.#changes.push(name in after ? { ...change, value: after[name] as Json } : change);
    }
    part.fields = fields;
  }

  #setText(part: ShownPart, { path, source, references = NO_REFERENCES }: TextSpec): void {
    part.text ??= new ProjectedText(this.#message, part.key, references);
    this.#changes.push(...part.text.replace(source, references));
    if (path !== null) this.#texts.set(path, part.text);
  }
}

function toTree({ key, fields, text, parts }: ShownPart): PartTree {
  return {
    ...fields,
    ...text?.marksField,
    key,
    ...(text && text.shown !== '' && { text: text.shown }),
    ...(parts.length > 0 && { parts: parts.map(toTree) }),
  };
}

/** Whether a text has grown by this change. */
export function isGrowth({ path, appended }: SectionChange, growth: Growth): boolean {
  return appended !== null && growth.has(path);
}
