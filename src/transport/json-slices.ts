import { UbikError } from '../errors.js';
import type { SliceYield } from './slice-yield.js';

/** How much text is read before each `yieldSlice` and, by default, parsed at once, in UTF-16 units. Takes less than a millisecond. */
const BATCH_LENGTH = 65_536;
/** Structural characters, and the beginning of a string. */
const STRUCTURE = /["[\]{},]/g;
/** The end of a string, and the beginning of an escape sequence in it. */
const STRING_END = /["\\]/g;

/**
 * Reads JSON in slices. The text begins with `first` and continues with the pieces that `rest` yields. `rest` returns whether the text is
 * whole.
 *
 * @returns the value; undefined for an invalid text
 * @throws {UbikError} `too-large` when the text is not whole
 */
export async function readInSlices(
  first: string,
  rest: AsyncGenerator<string, boolean>,
  yieldSlice: SliceYield,
): Promise<unknown> {
  const slices = new JsonSlices();
  for (let text = first; ;) {
    for (let at = 0; at < text.length; at += BATCH_LENGTH) {
      slices.push(text.slice(at, at + BATCH_LENGTH));
      const yielding = yieldSlice();
      if (yielding) await yielding;
    }
    const { done, value } = await rest.next();
    if (done && !value) throw new UbikError('too-large');
    if (done) return slices.end();
    text = value;
  }
}

/**
 * Parses a long JSON text as it arrives, so that no step blocks the page: the elements of a list are parsed in batches. A list is the value
 * itself, or a value in the outermost object. Everything else is parsed at the end. The result equals that of `JSON.parse`.
 */
export class JsonSlices {
  /** The text without the elements of lists. In place of its elements, a list contains its index in `#lists`. */
  #frame = '';
  /** The elements of each list, in batches. */
  readonly #lists: unknown[][] = [];
  /** Elements of the open list that are not parsed yet. */
  #batch = '';
  /** Whether the batch follows a comma. */
  #followsComma = false;
  #isInString = false;
  /** Whether the next character is escaped. */
  #isEscaped = false;
  /** Number of open arrays and objects outside of the open list. */
  #outerDepth = 0;
  /** Number of open arrays and objects in the open list. */
  #depth = 0;
  #isInList = false;
  #isInvalid = false;
  readonly #batchLength: number;

  /** `batchLength`: number of UTF-16 units of list elements that are parsed at once. */
  constructor(batchLength = BATCH_LENGTH) {
    this.#batchLength = batchLength;
  }

  /** Parses the next piece. Takes time proportional to its length, and to that of the batch that it completes. */
  push(text: string): void {
    let start = 0;
    let at = 0;
    while (at < text.length && !this.#isInvalid) {
      if (this.#isInString) {
        at = this.#skipString(text, at);
        continue;
      }
      STRUCTURE.lastIndex = at;
      const found = STRUCTURE.exec(text);
      if (!found) break;
      at = STRUCTURE.lastIndex;
      const [unit] = found;
      if (unit === '"') this.#isInString = true;
      else if (this.#isInList) start = this.#readInList(unit, text, start, at);
      else if (unit === '[' && this.#outerDepth < 2) {
        this.#frame += text.slice(start, at) + String(this.#lists.push([]) - 1);
        start = at;
        this.#isInList = true;
      } else if (unit !== ',') this.#outerDepth += unit === '{' || unit === '[' ? 1 : -1;
    }
    this.#append(text.slice(start));
  }

  /** Returns the value; undefined for an invalid text. */
  end(): unknown {
    if (this.#isInvalid || this.#isInList) return undefined;
    const value = parse(this.#frame);
    if (Array.isArray(value)) return this.#listOf(value);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, member]: [string, unknown]) => [
      name,
      Array.isArray(member) ? this.#listOf(member) : member,
    ]);
    return Object.fromEntries(entries) as unknown;
  }

  /** Returns the elements of a list, given the list in the frame, whose only element is its index in `#lists`. */
  #listOf([index]: readonly unknown[]): unknown[] | undefined {
    return this.#lists[Number(index)];
  }

  /** Skips to the end of a string, or to the end of the text. */
  #skipString(text: string, from: number): number {
    if (this.#isEscaped) {
      this.#isEscaped = false;
      return from + 1;
    }
    STRING_END.lastIndex = from;
    const found = STRING_END.exec(text);
    if (!found) return text.length;
    if (found[0] === '"') this.#isInString = false;
    else this.#isEscaped = true;
    return STRING_END.lastIndex;
  }

  /** Handles the structural character `unit` that ends at `at`. Returns the start of the text that was not appended yet. */
  #readInList(unit: string, text: string, start: number, at: number): number {
    if (unit === '{' || unit === '[') this.#depth += 1;
    else if (unit !== ',') this.#depth -= 1;
    const isEnd = this.#depth < 0;
    const isBatch =
      unit === ',' && this.#depth === 0 && this.#batch.length + at - start > this.#batchLength;
    if (!isEnd && !isBatch) return start;
    this.#append(text.slice(start, at - 1));
    this.#parseBatch(isBatch);
    this.#followsComma = isBatch;
    if (isBatch) return at;
    this.#isInList = false;
    this.#depth = 0;
    // The closing bracket is part of the frame, where a wrong one is invalid.
    return at - 1;
  }

  #parseBatch(precedesComma: boolean): void {
    const elements = parse(`[${this.#batch}]`);
    // JSON requires an element before a comma, and after it.
    const isMissing = (this.#followsComma || precedesComma) && this.#batch.trim() === '';
    if (!Array.isArray(elements) || isMissing) this.#isInvalid = true;
    else for (const element of elements) this.#lists.at(-1)?.push(element);
    this.#batch = '';
  }

  #append(text: string): void {
    if (this.#isInList) this.#batch += text;
    else this.#frame += text;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
