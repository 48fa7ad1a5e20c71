import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { UbikError } from '../errors.js';
import { createRecordMeter, type RecordMeter } from './record-meter.js';

/** One server-sent event. */
export interface ServerSentEvent {
  /** Its type; `message` when the server named none. */
  readonly event: string;
  /** Its data lines, joined by LF. */
  readonly data: string;
  /** The id that stands in this very record; null when there is none. Ids of earlier records are not carried over. */
  readonly id: string | null;
  /** Reconnection time that the server has named since the event before, in ms. */
  readonly retry?: number;
}

/** Bounds and listeners of a reader or parser of server-sent events. */
export interface EventParserOptions {
  /** Raw bytes of one record (what stands between two blank lines), comments not counted: 16 MiB. */
  readonly maxEventBytes?: number | undefined;
  /** The server named a reconnection time, in ms. */
  onRetry?(ms: number): void;
}

/** Takes bytes however the network cut them, gives events. */
export interface EventParser {
  /** Why it stopped; null while it works. The events before the fault were given. */
  readonly failure: UbikError | null;
  /** The events that these bytes complete, in order. Nothing once it has failed. */
  feed(bytes: Uint8Array): ServerSentEvent[];
  /** Forgets everything, the failure too, for a new stream. */
  reset(): void;
}

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A push parser for server-sent events by the rules of the WHATWG standard, whatever the cuts. A record over the bound ends it
 * with `event-too-large`, before the record is decoded. What the end of the stream leaves incomplete is no event.
 */
export function createEventParser(options: EventParserOptions = {}): EventParser {
  return new DecodingParser(options);
}

class DecodingParser implements EventParser {
  readonly #meter: RecordMeter;
  readonly #onRetry: (ms: number) => void;
  #failure: UbikError | null = null;
  #decoder = createDecoder();
  /** The decoder keeps a byte order mark; the first one of a stream is ours to drop, a second one is text. */
  #atStart = true;
  /** The last character was a CR: an LF that follows belongs to it. */
  #afterCarriageReturn = false;
  #retry: number | null = null;
  #events: ServerSentEvent[] = [];
  readonly #parser = createParser({
    onEvent: (event) => this.#take(event),
    onRetry: (ms) => this.#takeRetry(ms),
  });

  constructor({ maxEventBytes = 1 << 24, onRetry }: EventParserOptions) {
    this.#meter = createRecordMeter(maxEventBytes);
    this.#onRetry = (ms) => onRetry?.(ms);
    this.reset();
  }

  get failure(): UbikError | null {
    return this.#failure;
  }

  feed(bytes: Uint8Array): ServerSentEvent[] {
    if (this.#failure) return [];
    const usable = this.#meter.measure(bytes);
    this.#parse(this.#decoder.decode(bytes.subarray(0, usable), { stream: true }));
    if (usable < bytes.length) {
      this.#failure = new UbikError(
        'event-too-large',
        'The service sent an event that is too large.',
      );
    }
    const events = this.#events;
    this.#events = [];
    return events;
  }

  reset(): void {
    this.#meter.reset();
    this.#failure = null;
    this.#decoder = createDecoder();
    this.#atStart = true;
    this.#afterCarriageReturn = false;
    this.#retry = null;
    this.#events = [];
    this.#parser.reset();
    // The parser takes the characters U+00EF U+00BB U+00BF at the start for the bytes of a mark. After an empty piece it does not.
    this.#parser.feed('');
  }

  #parse(decoded: string): void {
    let text = decoded;
    if (this.#atStart && text !== '') {
      this.#atStart = false;
      if (text.startsWith(BYTE_ORDER_MARK)) text = text.slice(1);
    }
    this.#parser.feed(this.#unifyLineEnds(text));
  }

  /** LF alone: the parser would hold a CR at the end of a piece back until more comes, and with it a finished event. */
  #unifyLineEnds(text: string): string {
    if (text === '') return text;
    const rest = this.#afterCarriageReturn && text.startsWith('\n') ? text.slice(1) : text;
    this.#afterCarriageReturn = text.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  }

  #take({ event, data, id }: EventSourceMessage): void {
    const retry = this.#retry === null ? {} : { retry: this.#retry };
    this.#retry = null;
    this.#events.push({ event: event ?? 'message', data, id: id ?? null, ...retry });
  }

  #takeRetry(ms: number): void {
    if (!Number.isFinite(ms)) return;
    this.#retry = ms;
    this.#onRetry(ms);
  }
}

/** `ignoreBOM` keeps the mark: by default a decoder drops one of its own, so that of two marks none would be left. */
function createDecoder(): TextDecoder {
  return new TextDecoder('utf-8', { ignoreBOM: true });
}
