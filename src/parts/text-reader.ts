import type { TextSource } from '../model/text.js';

/** What is new in a text. */
export interface TextChange {
  /** Up to where the text still stands as it was read. */
  readonly at: number;
  /** What comes after. */
  readonly text: string;
  /** Whether something that was read is gone. */
  readonly cut: boolean;
}

/** Remembers how far a growing text has been read. */
export class TextReader {
  #length = 0;
  #revision = 0;

  /** What has changed since the last call. Costs what is new. */
  read(text: TextSource | null): TextChange {
    const at = Math.min(this.#length, text?.kept(this.#revision) ?? 0);
    const cut = at < this.#length;
    const rest = text?.read(at) ?? '';
    this.#length = at + rest.length;
    this.#revision = text?.revision ?? 0;
    return { at, text: rest, cut };
  }
}
