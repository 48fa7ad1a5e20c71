import { UbikError } from '../errors.js';

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
}

const LF = 10;
const CR = 13;

/**
 * A push parser for server-sent events by the rules of the WHATWG standard, whatever the cuts. A record over the bound ends it
 * with `event-too-large`, before the record is decoded: comment lines do not add up in it, for a stream may bring heartbeats for
 * days without one blank line. What the end of the stream leaves incomplete is no event.
 */
export function createEventParser(options: EventParserOptions = {}): EventParser {
  const { maxEventBytes = 1 << 24 } = options;
  // A byte order mark is one at the very start only.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const record = createRecord(options);
  let failure: UbikError | null = null;
  let isFirstLine = true;
  /** The line so far: what is decoded of it, and its bytes. */
  let line = '';
  let length = 0;
  /** Bytes of the finished lines of the record, without ends and comments. */
  let size = 0;
  /** The last byte was a CR: an LF that follows belongs to it. */
  let isAfterReturn = false;

  const takeLine = (bytes: Uint8Array) => {
    if (length > 0) line += decoder.decode(bytes);
    const text = isFirstLine && line.startsWith('\uFEFF') ? line.slice(1) : line;
    if (text === '') size = 0;
    else if (!text.startsWith(':')) size += length;
    isFirstLine = false;
    line = '';
    length = 0;
    return record(text);
  };

  return {
    get failure() {
      return failure;
    },
    feed(bytes) {
      const events: ServerSentEvent[] = [];
      let start = 0;
      for (let at = 0; at < bytes.length && !failure; at++) {
        const byte = bytes[at];
        const isRest = isAfterReturn && byte === LF;
        isAfterReturn = byte === CR;
        if (isRest) start = at + 1;
        else if (byte === LF || byte === CR) {
          const event = takeLine(bytes.subarray(start, at));
          if (event) events.push(event);
          start = at + 1;
        } else if (size + ++length > maxEventBytes) failure = new UbikError('event-too-large');
      }
      if (!failure) line += decoder.decode(bytes.subarray(start), { stream: true });
      return events;
    },
  };
}

/** Takes the lines of a stream, one by one; gives the event that a blank one completes. */
function createRecord({ onRetry }: EventParserOptions): (line: string) => ServerSentEvent | null {
  let data: string[] = [];
  let type = '';
  let id: string | null = null;
  let retry: number | undefined;

  const complete = (): ServerSentEvent | null => {
    const named = { event: type || 'message', data: data.join('\n'), id };
    const event = retry === undefined ? named : { ...named, retry };
    const isEvent = data.length > 0;
    if (isEvent) retry = undefined;
    data = [];
    type = '';
    id = null;
    return isEvent ? event : null;
  };

  return (line) => {
    if (line === '') return complete();
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (name === 'data') data.push(value);
    else if (name === 'event') type = value;
    else if (name === 'id' && !value.includes('\0')) id = value;
    else if (name === 'retry' && /^\d{1,15}$/.test(value)) {
      retry = Number(value);
      onRetry?.(retry);
    }
    return null;
  };
}
