import { createParser } from 'eventsource-parser';
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

/**
 * A push parser for server-sent events by the rules of the WHATWG standard, whatever the cuts. A record over the bound ends it
 * with `event-too-large`, before the record is decoded. What the end of the stream leaves incomplete is no event.
 */
export function createEventParser(options: EventParserOptions = {}): EventParser {
  const measure = createSizeLimiter(options.maxEventBytes ?? 1 << 24);
  const decoder = new TextDecoder();
  let failure: UbikError | null = null;
  let retry: number | undefined;
  let events: ServerSentEvent[] = [];
  /** The last character was a CR: an LF that follows belongs to it. */
  let isAfterReturn = false;
  const parser = createParser({
    onEvent({ event = 'message', data, id = null }) {
      events.push({ event, data, id, ...(retry === undefined ? {} : { retry }) });
      retry = undefined;
    },
    onRetry(ms) {
      if (!Number.isFinite(ms)) return;
      retry = ms;
      options.onRetry?.(ms);
    },
  });
  // The parser takes the characters U+00EF U+00BB U+00BF at the start for the bytes of a mark. After an empty piece it does not.
  parser.feed('');

  return {
    get failure() {
      return failure;
    },
    feed(bytes) {
      if (failure) return [];
      const usable = measure(bytes);
      const text = decoder.decode(bytes.subarray(0, usable), { stream: true });
      // LF alone: the parser would hold a CR at the end of a piece back until more comes, and with it a finished event.
      parser.feed(text.slice(Number(isAfterReturn && text[0] === '\n')).replace(/\r\n?/g, '\n'));
      if (text) isAfterReturn = text.endsWith('\r');
      if (usable < bytes.length) failure = new UbikError('event-too-large');
      const complete = events;
      events = [];
      return complete;
    },
  };
}

const LF = 10;
const CR = 13;
const COLON = 58;

/**
 * Measures the records of a stream while it is still bytes: how many of the bytes may be used, all or those before the record
 * that passes the bound (the start of that record may lie in earlier bytes; then 0). Comment lines do not add up: a stream may
 * bring heartbeats for days without one blank line. Counting stands before the parser because the parser's own bound counts
 * characters, and not those of a record that comes in one piece.
 */
function createSizeLimiter(limit: number): (bytes: Uint8Array) => number {
  /** Bytes of the finished lines of the record, comments left out; of the line so far, its end not counted. */
  let record = 0;
  let line = 0;
  let isComment = false;
  let isAfterReturn = false;
  return (bytes) => {
    let start = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      const isFeed = byte === LF;
      if (isFeed && isAfterReturn) {
        // No end of its own. The record that the CR ended ends behind it.
        if (record === 0) start = at + 1;
        isAfterReturn = false;
        continue;
      }
      isAfterReturn = byte === CR;
      if (isFeed || isAfterReturn) {
        if (line === 0) {
          record = 0;
          start = at + 1;
        } else if (!isComment) record += line;
        line = 0;
        continue;
      }
      if (line === 0) isComment = byte === COLON;
      if (record + ++line > limit) return start;
    }
    return bytes.length;
  };
}

/** Bounds and listeners of a reader of server-sent events. */
export interface ReadEventsOptions extends EventParserOptions {
  /** Bytes came, whether or not they complete an event: comments and heartbeats too. */
  onBytes?(count: number): void;
  /** Ends the reading with `aborted`, also while it waits for bytes. */
  readonly signal?: AbortSignal | undefined;
}

/** Larger pieces of the network are parsed in parts, so that the consumer can give the page its turn in between. */
const MAX_FEED_BYTES = 1 << 16;

/**
 * The server-sent events of a stream, in order, by the WHATWG rules. Leaving the iteration cancels the stream.
 *
 * @throws {UbikError} `event-too-large` after the events before the large one; `network` when the stream breaks; `aborted`.
 * @example
 * for await (const { event, data } of readServerSentEvents(response.body)) show(event, JSON.parse(data));
 */
export async function* readServerSentEvents(
  stream: ReadableStream<Uint8Array>,
  options: ReadEventsOptions = {},
): AsyncGenerator<ServerSentEvent, void, undefined> {
  for await (const events of readEventChunks(stream, options)) yield* events;
}

/**
 * The same events as lists: one for each piece of the network, and for each 64 KiB of a larger one. An empty list says that
 * bytes came which complete nothing.
 *
 * @throws {UbikError} As {@link readServerSentEvents}.
 */
export async function* readEventChunks(
  stream: ReadableStream<Uint8Array>,
  options: ReadEventsOptions = {},
): AsyncGenerator<readonly ServerSentEvent[], void, undefined> {
  const { signal } = options;
  const parser = createEventParser(options);
  // By reader: a stream is not iterable in Safari.
  const reader = stream.getReader();
  /** Not awaited: a source may never answer its cancelling. A stream that is broken or over refuses, which changes nothing. */
  const cancel = () => void reader.cancel(signal?.reason).catch(() => undefined);
  const checkSignal = () => {
    if (signal?.aborted) throw new UbikError('aborted');
  };
  signal?.addEventListener('abort', cancel);
  try {
    for (;;) {
      checkSignal();
      const { done, value } = await reader.read().catch((cause: unknown) => {
        checkSignal();
        throw new UbikError('network', { cause });
      });
      // A cancelled stream says that it is done.
      checkSignal();
      if (done) return;
      options.onBytes?.(value.byteLength);
      for (let at = 0; at === 0 || at < value.byteLength; at += MAX_FEED_BYTES) {
        yield parser.feed(value.subarray(at, at + MAX_FEED_BYTES));
        if (parser.failure) throw parser.failure;
        checkSignal();
      }
    }
  } finally {
    signal?.removeEventListener('abort', cancel);
    cancel();
  }
}
