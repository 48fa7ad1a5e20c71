import { MARK_END, MARK_START, type Mark } from '../../../model/part.js';
import type { Key } from '../../../model/json.js';

/** A source that citations of a text refer to. */
export interface Reference {
  /** Title or file name; empty when the service gives none. */
  readonly title: string;
  /** Address on the web; empty when there is none. */
  readonly url: string;
}

/** The sources that the two kinds of citations count. */
export interface References {
  /** Those of `<i index=…>`, which counts from 0. */
  readonly byIndex: readonly Reference[];
  /** Those of `<i slice_idx=…>`, whose content counts from 1. */
  readonly bySlice: readonly Reference[];
}

/** No sources. */
export const NO_REFERENCES: References = { byIndex: [], bySlice: [] };

/** Text that was read, with the inline marks in it. */
export interface CitedText {
  readonly text: string;
  /** New marks by their key. */
  readonly marks: ReadonlyMap<Key, Mark>;
}

/** A complete citation. The bounds keep what has to be withheld short. */
const CITATION = /<i\b([^<>]{0,256})>([^<>]{0,64})<\/i>/y;
/** The beginning of a citation, up to the end of the text. */
const INCOMPLETE = /<(?:i(?:\s[^<>]{0,256}(?:>[^<>]{0,64}(?:<(?:\/i?)?)?)?)?)?$/y;
const INDEX = /(?:^|\s)index\s*=\s*["']?(\d{1,4})\b/;
const SLICE_INDEX = /(?:^|\s)slice_idx\s*=/;

/**
 * Turns the citations of a growing text into inline marks: `<i index=n>n</i>` and `<i slice_idx=n>n</i>`. Any other `<i>` stays text.
 * A citation that is incomplete is withheld until the next piece.
 */
export class CitationReader {
  readonly #references: References;
  #withheld = '';
  #count = 0;

  constructor(references: References) {
    this.#references = references;
  }

  /** Whether text is withheld. */
  get isWithholding(): boolean {
    return this.#withheld !== '';
  }

  /** Reads the next piece. Costs its length. */
  read(piece: string): CitedText {
    return this.#read(this.#withheld + piece, false);
  }

  /** Returns the withheld text as it is, because no more text comes. */
  end(): CitedText {
    return this.#read(this.#withheld, true);
  }

  #read(input: string, isEnd: boolean): CitedText {
    const marks = new Map<Key, Mark>();
    let text = '';
    let from = 0;
    this.#withheld = '';
    for (let at = input.indexOf('<'); at >= 0; at = input.indexOf('<', at + 1)) {
      if (at < from) continue;
      INCOMPLETE.lastIndex = at;
      if (!isEnd && INCOMPLETE.test(input)) {
        this.#withheld = input.slice(at);
        input = input.slice(0, at);
        break;
      }
      CITATION.lastIndex = at;
      const [source, attributes = '', label = ''] = CITATION.exec(input) ?? [];
      const mark = source && this.#toMark(source, attributes, label);
      if (!mark) continue;
      this.#count += 1;
      const key = `c${String(this.#count)}`;
      marks.set(key, mark);
      text += `${replaceMarkCharacters(input.slice(from, at))}${MARK_START}${key}${MARK_END}`;
      from = at + source.length;
    }
    return { text: text + replaceMarkCharacters(input.slice(from)), marks };
  }

  #toMark(source: string, attributes: string, label: string): Mark | null {
    const [, index] = INDEX.exec(attributes) ?? [];
    const isSlice = SLICE_INDEX.test(attributes);
    if (index === undefined && !isSlice) return null;
    const { byIndex, bySlice } = this.#references;
    const reference = isSlice ? bySlice[Number(label) - 1] : byIndex[Number(index)];
    const url = toWebUrl(reference?.url ?? '');
    return {
      kind: 'citation',
      label: `[${replaceMarkCharacters(label.trim() || (index ?? ''))}]`,
      ...(reference?.title && { title: replaceMarkCharacters(reference.title) }),
      ...(url && { url }),
      source: replaceMarkCharacters(source),
    };
  }
}

/** Replaces the characters that delimit inline marks, so that a text of the service cannot forge one. */
export function replaceMarkCharacters(text: string): string {
  return text.replace(/[\uE000\uE001]/g, '\uFFFD');
}

/** The address if it is http or https without credentials; otherwise empty. */
export function toWebUrl(address: string): string {
  if (!URL.canParse(address)) return '';
  const { protocol, username, password, href } = new URL(address);
  return /^https?:$/.test(protocol) && username === '' && password === '' ? href : '';
}
