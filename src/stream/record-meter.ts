/** Measures the records of a stream of server-sent events while it is still bytes. */
export interface RecordMeter {
  /**
   * How many of these bytes may be used: all, or those before the record that passes the bound (the start of that record may lie
   * in earlier bytes; then 0).
   */
  measure(bytes: Uint8Array): number;
  /** Forgets everything, for a new stream. */
  reset(): void;
}

const LF = 10;
const CR = 13;
const COLON = 58;

/**
 * A meter for records of up to `limit` bytes. Comment lines do not add up: a stream may bring heartbeats for days without one
 * blank line. Counting stands before the parser because the parser's own bound counts characters, and not those of a record
 * that comes in one piece.
 */
export function createRecordMeter(limit: number): RecordMeter {
  return new ByteRecordMeter(limit);
}

class ByteRecordMeter implements RecordMeter {
  readonly #limit: number;
  /** Bytes of the finished lines of the record, comments left out. */
  #record = 0;
  /** Bytes of the line so far, its end not counted. */
  #line = 0;
  #isComment = false;
  #afterCarriageReturn = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  measure(bytes: Uint8Array): number {
    let recordStart = 0;
    for (let at = 0; at < bytes.length;) {
      const end = findLineEnd(bytes, at);
      this.#takeLinePart(bytes, at, end);
      if (this.#record + this.#line > this.#limit) return recordStart;
      if (end === bytes.length) break;
      if (this.#finishLine(bytes[end] === CR, end === at)) recordStart = end + 1;
      at = end + 1;
    }
    return bytes.length;
  }

  reset(): void {
    this.#record = 0;
    this.#line = 0;
    this.#isComment = false;
    this.#afterCarriageReturn = false;
  }

  #takeLinePart(bytes: Uint8Array, start: number, end: number): void {
    if (end === start) return;
    if (this.#line === 0) this.#isComment = bytes[start] === COLON;
    this.#line += end - start;
    this.#afterCarriageReturn = false;
  }

  /** Whether the line end was one more that ended a record. An LF after a CR is no end of its own. */
  #finishLine(isCarriageReturn: boolean, emptyHere: boolean): boolean {
    if (!isCarriageReturn && emptyHere && this.#afterCarriageReturn) {
      this.#afterCarriageReturn = false;
      return this.#record === 0;
    }
    this.#afterCarriageReturn = isCarriageReturn;
    const blank = this.#line === 0;
    if (blank) this.#record = 0;
    else if (!this.#isComment) this.#record += this.#line;
    this.#line = 0;
    this.#isComment = false;
    return blank;
  }
}

/** The next LF or CR, or the length. */
function findLineEnd(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === LF || byte === CR) return at;
  }
  return bytes.length;
}
