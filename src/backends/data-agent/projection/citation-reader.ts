import { CITATION_MARK_END, CITATION_MARK_START, type CitationMark } from '../../../model/part.js';
import type { Key } from '../../../model/json.js';
import { replaceMarkCharacters, toWebUrl } from '../../untrusted-text.js';

/** A source that citations of a text refer to. */
export interface Reference {
  /** Title or file name; empty when the service gives none. */
  readonly title: string;
  /** URL of a web page; empty when there is none. */
  readonly url: string;
}

/** The sources of the two kinds of citations. */
export interface References {
  /** Sources of `<i index=…>` and of numbers in brackets, which count from 0. */
  readonly byIndex: readonly Reference[];
  /** Sources of `<i slice_idx=…>`, whose content counts from 1. When `byIndex` is empty, numbers in brackets refer to these and count from 1. */
  readonly bySlice: readonly Reference[];
}

/** No sources. */
export const NO_REFERENCES: References = { byIndex: [], bySlice: [] };

/** Whether citations refer to the same sources in both. Lists that were not derived again are the same objects and need no comparison. */
export function equalReferences(left: References, right: References): boolean {
  return equalLists(left.byIndex, right.byIndex) && equalLists(left.bySlice, right.bySlice);
}

function equalLists(left: readonly Reference[], right: readonly Reference[]): boolean {
  if (left === right) return true;
  const isEqual = ({ title, url }: Reference, index: number): boolean =>
    title === right[index]?.title && url === right[index].url;
  return left.length === right.length && left.every(isEqual);
}

/** Text that was read, and the citations in it as inline marks. */
export interface CitedText {
  readonly text: string;
  /** New marks by their key. */
  readonly marks: ReadonlyMap<Key, CitationMark>;
}

/** Characters at which a citation or code may start or end. */
const SPECIAL = /[<[\n]|`+|~+/g;
/** A citation as an element. The bounds limit how much text is withheld. */
const ELEMENT = /<i\b([^<>]{0,256})>([^<>]{0,64})<\/i>/y;
/** The start of an element that the end of the text cuts off. */
const INCOMPLETE_ELEMENT = /<(?:i(?:\s[^<>]{0,256}(?:>[^<>]{0,64}(?:<(?:\/i?)?)?)?)?)?$/y;
/** A number in brackets that does not start a link or a definition. */
const NUMBER = /\[(\d{1,3})\](?![(:]|\[(?!\d{1,3}\]))/y;
/** A number in brackets at the end of the text that is incomplete, or that may be the start of a link, depending on what follows. */
const INCOMPLETE_NUMBER = /\[\d{0,3}(?:\](?:\[\d{0,3})?)?$/y;
/** Characters after which brackets are an index or part of a link. */
const INDEXED = /[\w\])!]/;
/** The attributes of an element: `index`, which counts from 0, or `slice_idx`, which marks an element whose content is the number. */
const INDEX = /(?:^|\s)index\s*=\s*["']?(\d{1,4})\b/;
const SLICE_INDEX = /(?:^|\s)slice_idx\s*=/;
/** Matches a character that cannot precede a fence in its line. Only blanks and the markers of quotes and lists can. */
const HAS_TEXT = /[^\s>*+\-\d.)]/;
/** Minimum number of backticks or tildes around a code block; fewer backticks enclose a code span. */
const FENCE_LENGTH = 3;
/** Number of UTF-16 units at the beginning of a line from which indented code and list items are recognized. */
const HEAD_LENGTH = 16;
/** An item of a list or a footnote, whose further paragraphs are indented. */
const LIST_ITEM = /^ {0,3}(?:(?:[-+*]|\d{1,9}[.)])(?:\s|$)|\[\^)/;
/** The beginning of a line of indented code. */
const INDENTED = /^(?: {4}| {0,3}\t)/;

/**
 * Converts the citations of a growing Markdown text to inline marks: `<i index=n>n</i>`, `<i slice_idx=n>k</i>`, and `[n]` if there is a
 * source with this number. Everything else stays text, and so do citations in code. An incomplete citation is withheld until the next
 * chunk.
 */
export class CitationReader {
  readonly #references: References;
  #withheld = '';
  /** Number of citations read so far. */
  #count = 0;
  /** The character before the next one to be read; empty at the start and after a citation. */
  #previous = '';
  /** Number of backticks or tildes that close the current code; 0 outside code. */
  #code = 0;
  /** The character around the current code. */
  #codeTick = '';
  /** Whether the current code is a block. It is not a block if further backticks follow in the line that has opened it. */
  #fence: 'none' | 'possible' | 'open' = 'none';
  /** Backticks or tildes at the end of the text read so far; the next chunk may add more. */
  #openTicks = 0;
  /** The character of the last run of backticks or tildes. */
  #tick = '';
  /** Whether this run begins its line. Only blanks and the markers of quotes and lists may precede it. */
  #startsLine = false;
  /** Whether the line contains anything but blanks and these markers. */
  #hasText = false;
  /** The beginning of the line. */
  #head = '';
  /** Whether an indented line is code: at the start, after a blank line, and after such code. */
  #isAfterBlank = true;
  /** Whether the text is in a list, where indented lines belong to an item. */
  #isInList = false;

  constructor(references: References) {
    this.#references = references;
  }

  /** Whether text is withheld. */
  get isWithholding(): boolean {
    return this.#withheld !== '';
  }

  /** Reads the next chunk. Takes time proportional to its length. */
  read(chunk: string): CitedText {
    return this.#read(this.#withheld + chunk, false);
  }

  /** Reads the withheld text as the end of the text: a complete citation becomes a mark, anything else stays text. */
  end(): CitedText {
    return this.#read(this.#withheld, true);
  }

  #read(input: string, isEnd: boolean): CitedText {
    const marks = new Map<Key, CitationMark>();
    let text = '';
    let from = 0;
    let lineFrom = 0;
    let end = input.length;
    if (input !== '' && !input.startsWith(this.#tick)) this.#endTicks();
    for (const { index: at, 0: special } of input.matchAll(SPECIAL)) {
      if (at < from) continue;
      const head = this.#readHead(input, lineFrom, at);
      const isCode = this.#code > 0 || this.#isIndentedCode(head);
      if (!isEnd && !isCode && this.#isIncomplete(input, at, special)) {
        end = at;
        break;
      }
      if (special === '\n') {
        this.#endLine(head);
        lineFrom = at + 1;
      }
      if (/^[`~]/.test(special) && (this.#code > 0 || !isCode)) {
        if (this.#openTicks === 0) this.#startTicks(special.charAt(0), input.slice(lineFrom, at));
        this.#openTicks += special.length;
        if (at + special.length < input.length) this.#endTicks();
      }
      const previous = at > from ? input.charAt(at - 1) : this.#previous;
      const mark = isCode ? null : this.#readMark(input, at, previous);
      if (!mark) continue;
      this.#count += 1;
      const key = `c${String(this.#count)}`;
      marks.set(key, mark);
      text += `${replaceMarkCharacters(input.slice(from, at))}${CITATION_MARK_START}${key}${CITATION_MARK_END}`;
      from = at + mark.source.length;
      this.#previous = '';
    }
    this.#hasText ||= HAS_TEXT.test(input.slice(lineFrom, end));
    this.#head = this.#readHead(input, lineFrom, end);
    this.#withheld = input.slice(end);
    if (end > from) this.#previous = input.charAt(end - 1);
    return { text: text + replaceMarkCharacters(input.slice(from, end)), marks };
  }

  /** Whether only the next chunk shows if a citation starts at a special character. */
  #isIncomplete(input: string, at: number, special: string): boolean {
    if (special === '<') return testAt(INCOMPLETE_ELEMENT, input, at);
    return special === '[' && this.#hasReferences && testAt(INCOMPLETE_NUMBER, input, at);
  }

  /** Returns the beginning of the line up to a position. The line, or its rest, starts at `from`. */
  #readHead(input: string, from: number, to: number): string {
    const rest = input.slice(from, Math.min(to, from + HEAD_LENGTH));
    return (this.#head + rest).slice(0, HEAD_LENGTH);
  }

  /** Whether a line is indented code. */
  #isIndentedCode(head: string): boolean {
    return this.#isAfterBlank && !this.#isInList && INDENTED.test(head);
  }

  #endLine(head: string): void {
    if (this.#fence === 'open') this.#isAfterBlank = false;
    else if (head.trim() === '') this.#isAfterBlank = true;
    else if (!this.#isIndentedCode(head)) {
      if (LIST_ITEM.test(head)) this.#isInList = true;
      else if (this.#isAfterBlank && /^\S/.test(head)) this.#isInList = false;
      this.#isAfterBlank = false;
    }
    if (this.#fence === 'possible') this.#fence = 'open';
    // A span of fewer backticks than a fence ends with its line, because a single backtick is often just a character. No span continues after
    // a blank line.
    if (this.#fence === 'none' && (this.#code < FENCE_LENGTH || head.trim() === '')) this.#code = 0;
    this.#head = '';
    this.#hasText = false;
  }

  /** Handles the first character of a run. `before` is the text of its line in this chunk. */
  #startTicks(tick: string, before: string): void {
    this.#hasText ||= HAS_TEXT.test(before);
    this.#startsLine = !this.#hasText;
    this.#hasText = true;
    this.#tick = tick;
  }

  /**
   * Handles a complete run of backticks or tildes: it opens code, or closes code that was opened by the same number. A block of code is closed
   * by a fence of at least that length only, and tildes are code only where they are a fence.
   */
  #endTicks(): void {
    const ticks = this.#openTicks;
    const isFence = this.#startsLine && ticks >= FENCE_LENGTH;
    this.#openTicks = 0;
    if (ticks === 0 || (this.#tick === '~' && !isFence)) return;
    // A fence also opens a block after an earlier line with an unclosed span, which is then no code.
    if (this.#code === 0 || (isFence && this.#fence === 'none')) {
      this.#code = ticks;
      this.#codeTick = this.#tick;
      this.#fence = isFence ? 'possible' : 'none';
    } else if (this.#tick === this.#codeTick) {
      const isEnd = this.#fence === 'open' ? isFence && ticks >= this.#code : ticks === this.#code;
      if (isEnd) this.#code = 0;
      if (isEnd || this.#fence === 'possible') this.#fence = 'none';
    }
  }

  get #hasReferences(): boolean {
    const { byIndex, bySlice } = this.#references;
    return byIndex.length + bySlice.length > 0;
  }

  #readMark(input: string, at: number, previous: string): CitationMark | null {
    const { byIndex, bySlice } = this.#references;
    if (input[at] === '[') {
      const [source, index] = (!INDEXED.test(previous) && execAt(NUMBER, input, at)) || [];
      const number = Number(index);
      const reference = byIndex.length > 0 ? byIndex[number] : bySlice[number - 1];
      return source !== undefined && reference ? createMark(source, index ?? '', reference) : null;
    }
    const [source, attributes = '', label = ''] = execAt(ELEMENT, input, at) ?? [];
    const [, index] = INDEX.exec(attributes) ?? [];
    const isSlice = SLICE_INDEX.test(attributes);
    if (source === undefined || (index === undefined && !isSlice)) return null;
    const reference = isSlice ? bySlice[Number(label) - 1] : byIndex[Number(index)];
    return createMark(source, label.trim() || (index ?? ''), reference);
  }
}

function createMark(source: string, label: string, reference: Reference | undefined): CitationMark {
  const url = toWebUrl(reference?.url ?? '');
  return {
    kind: 'citation',
    label: `[${replaceMarkCharacters(label)}]`,
    ...(reference?.title && { title: replaceMarkCharacters(reference.title) }),
    ...(url && { url }),
    source: replaceMarkCharacters(source),
  };
}

function execAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function testAt(pattern: RegExp, text: string, at: number): boolean {
  return execAt(pattern, text, at) !== null;
}
