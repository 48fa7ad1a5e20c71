import type { Change } from '../../../model/change.js';
import { commonPrefixLength } from '../../../model/common-prefix.js';
import type { Json, Key } from '../../../model/json.js';
import type { CitationMark, CitationMarks } from '../../../model/part.js';
import {
  CitationReader,
  equalReferences,
  type CitedText,
  type References,
} from './citation-reader.js';

/**
 * The text of one part: a string of the reply, with its citations as inline marks. Both strings are built by appending and are read only
 * when the text is replaced, because reading a concatenated string copies it.
 */
export class ProjectedText {
  /** The string in the reply. */
  source = '';
  /** The text that is shown. */
  shown = '';
  readonly #message: Key;
  readonly #part: Key;
  readonly #marks = new Map<Key, CitationMark>();
  #references: References;
  #reader: CitationReader;

  constructor(message: Key, part: Key, references: References) {
    this.#message = message;
    this.#part = part;
    this.#references = references;
    this.#reader = new CitationReader(references);
  }

  /** The marks as a field of the part; an empty object when there are none. */
  get marksField(): { readonly marks?: CitationMarks } {
    return this.#marks.size > 0 ? { marks: Object.fromEntries(this.#marks) } : {};
  }

  /** Appends a chunk. `source` is the string of the reply that ends with it. Takes time proportional to the length of the chunk. */
  append(chunk: string, source: string): Change[] {
    this.source = source;
    return this.#append(this.#reader.read(chunk));
  }

  /** Shows another string, or the same one with other sources. The changes keep the common prefix. */
  replace(source: string, references: References): Change[] {
    // A string that was changed by appending only is the same object, so the comparison takes constant time.
    if (source === this.source && equalReferences(references, this.#references)) return [];
    const changes: Change[] = [];
    if (this.#marks.size > 0) changes.push(this.#createMarkChange([], {}));
    this.#marks.clear();
    this.#references = references;
    this.#reader = new CitationReader(references);
    const { text, marks } = this.#reader.read(source);
    const at = commonPrefixLength(this.shown, text);
    const isCut = at < this.shown.length;
    this.source = source;
    this.shown = text.slice(0, at);
    if (isCut && at === text.length) changes.push(this.#createTextChange(''));
    return [...changes, ...this.#append({ text: text.slice(at), marks })];
  }

  /** Shows the withheld text, because the text is complete. */
  end(): Change[] {
    return this.#reader.isWithholding ? this.#append(this.#reader.end()) : [];
  }

  #append({ text, marks }: CitedText): Change[] {
    const changes: Change[] = [];
    for (const [key, mark] of marks) {
      this.#marks.set(key, mark);
      changes.push(this.#createMarkChange([key], { ...mark }));
    }
    if (text !== '') changes.push(this.#createTextChange(text));
    this.shown += text;
    return changes;
  }

  /** Truncates the text of the part in the model to the length of `shown`, and appends. */
  #createTextChange(text: string): Change {
    const { length: at } = this.shown;
    return { type: 'text', message: this.#message, part: this.#part, at, text };
  }

  #createMarkChange(path: readonly string[], value: Json): Change {
    return {
      type: 'set',
      message: this.#message,
      part: this.#part,
      path: ['marks', ...path],
      value,
    };
  }
}
