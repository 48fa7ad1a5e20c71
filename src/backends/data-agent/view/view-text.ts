import type { Change } from '../../../model/change.js';
import type { Json, Key } from '../../../model/json.js';
import type { Mark, Marks } from '../../../model/part.js';
import { CitationReader, type CitedText, type References } from './citation-reader.js';

/**
 * The text of one part: a string of the document, with its citations as inline marks. Both strings are kept as the engine has built
 * them, by appending; they are read only when the text is replaced.
 */
export class ViewText {
  /** The string of the document. */
  source = '';
  /** What is shown of it. */
  shown = '';
  readonly #message: Key;
  readonly #part: Key;
  readonly #marks = new Map<Key, Mark>();
  #reader: CitationReader;

  constructor(message: Key, part: Key, references: References) {
    this.#message = message;
    this.#part = part;
    this.#reader = new CitationReader(references);
  }

  /** The marks as a field of the part; no field when there are none. */
  get marksField(): { readonly marks?: Marks } {
    return this.#marks.size > 0 ? { marks: Object.fromEntries(this.#marks) } : {};
  }

  /** Appends a piece. `source` is the string of the document that ends with it. Costs the length of the piece. */
  append(piece: string, source: string): Change[] {
    this.source = source;
    return this.#append(this.#reader.read(piece));
  }

  /** Shows another string. The changes keep the beginning that both have in common. */
  replace(source: string, references: References): Change[] {
    // A string that only appending has changed is the same object, whose comparison costs nothing.
    if (source === this.source) return [];
    const changes: Change[] = [];
    if (this.#marks.size > 0) changes.push(this.#createMarkChange([], {}));
    this.#marks.clear();
    this.#reader = new CitationReader(references);
    const { text, marks } = this.#reader.read(source);
    const at = commonPrefixLength(this.shown, text);
    const isCut = at < this.shown.length;
    this.source = source;
    this.shown = text.slice(0, at);
    if (isCut && at === text.length) changes.push(this.#createTextChange(''));
    return [...changes, ...this.#append({ text: text.slice(at), marks })];
  }

  /** Shows the text that is withheld, because no more text comes. */
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

  /** Truncates what is shown at its present length, and appends. */
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

/** The number of leading UTF-16 units that two texts share. */
function commonPrefixLength(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  return at;
}
