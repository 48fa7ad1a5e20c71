import { createParser } from 'eventsource-parser';
import { UbikError } from '../errors.js';

/** One server-sent event. */
export interface ServerSentEvent {
  /** Event type; `message` by default. */
  readonly event: string;
  /** The data lines, joined by LF. */
  readonly data: string;
  /** The `id` field of this event, or null. Unlike in the standard, the id of an earlier event is not carried over. */
  readonly id: string | null;
  /** The reconnection time in ms, if the server has set it since the previous event. */
  readonly retry?: number;
}

/** Options of {@link createEventParser}. */
export interface EventParserOptions {
  /** Maximum size of an event block (the lines between two blank lines) in bytes, without complete comment lines; by default 16 MiB. */
  readonly maxEventBytes?: number | undefined;
  /** Called when the server sets the reconnection time, in ms. */
  onRetry?(ms: number): void;
}

/** A push parser for server-sent events that accepts bytes split at any position. */
export interface EventParser {
  /** The error with which the parser has stopped; null before. The events before the error were returned. */
  readonly failure: UbikError | null;
  /** Parses more bytes and returns the events that they complete. Returns nothing after a failure. */
  feed(bytes: Uint8Array): ServerSentEvent[];
  /** Completes an unfinished event block at the end of the stream, and returns its event. Do not call `feed` afterwards. */
  flush(): ServerSentEvent[];
}

/**
 * Creates a parser for server-sent events by the rules of the WHATWG HTML standard, except that an `id` is not carried over to later
 * events. An event block over the limit stops the parser with `event-too-large` before the rest of the block is decoded. An unfinished
 * block at the end of the stream is dropped, as the standard requires, unless it is flushed.
 */
export function createEventParser(options: EventParserOptions = {}): EventParser {
  const countUsableBytes = createSizeLimiter(options.maxEventBytes ?? 1 << 24);
  const decoder = new TextDecoder();
  let failure: UbikError | null = null;
  let retry: number | undefined;
  let events: ServerSentEvent[] = [];
  /** Whether the last character was a CR: a following LF belongs to the same line end. */
  let endsWithCR = false;
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
  const drainEvents = (): ServerSentEvent[] => {
    const complete = events;
    events = [];
    return complete;
  };
  // eventsource-parser 3 strips U+00EF U+00BB U+00BF from its first chunk as if they were the bytes of a BOM. An empty first chunk prevents that.
  parser.feed('');

  return {
    get failure() {
      return failure;
    },
    feed(bytes) {
      if (failure) return [];
      const usable = countUsableBytes(bytes);
      const text = decoder.decode(bytes.subarray(0, usable), { stream: true });
      // All line ends become LF: eventsource-parser would buffer a CR at the end of a chunk, and thereby delay a complete event.
      parser.feed(text.slice(Number(endsWithCR && text[0] === '\n')).replace(/\r\n?/g, '\n'));
      if (text) endsWithCR = text.endsWith('\r');
      if (usable < bytes.length) failure = new UbikError('event-too-large');
      return drainEvents();
    },
    flush() {
      if (failure) return [];
      parser.feed(`${decoder.decode()}\n\n`);
      return drainEvents();
    },
  };
}

const LF = 10;
const CR = 13;
const COLON = 58;

/**
 * Creates a function that limits the size of event blocks. It returns how many of the given bytes may be parsed: all, or those before
 * the block that exceeds the limit (0 when that block began in earlier bytes). Complete comment lines do not count, since a stream can
 * consist of heartbeats for days without a blank line; an endless comment line does. The buffer limit of eventsource-parser cannot be used:
 * it counts characters, and does not apply to a block that arrives in one chunk.
 */
function createSizeLimiter(limit: number): (bytes: Uint8Array) => number {
  /** Bytes of the complete lines of the block, without comments and line ends. */
  let block = 0;
  /** Bytes of the current line. */
  let line = 0;
  let isComment = false;
  let previous: number | undefined;
  return (bytes) => {
    let start = 0;
    // Line by line, because this runs for every byte of a stream. Lines end with LF, CR or CRLF; CR is rare.
    const hasCR = previous === CR || bytes.includes(CR);
    for (let at = 0; at < bytes.length; at++) {
      if (!hasCR && bytes[at] !== LF) {
        const end = bytes.indexOf(LF, at);
        if (line === 0) isComment = bytes[at] === COLON;
        line += (end === -1 ? bytes.length : end) - at;
        if (block + line > limit) return start;
        if (end === -1) break;
        at = end;
      }
      const byte = bytes[at];
      const isCRLF = byte === LF && previous === CR;
      previous = byte;
      if (isCRLF) {
        // The LF of a CRLF is not a second line end. If the CR ended a block, the block ends after the LF.
        if (block === 0) start = at + 1;
        continue;
      }
      if (byte === LF || byte === CR) {
        if (line === 0) {
          block = 0;
          start = at + 1;
        } else if (!isComment) block += line;
        line = 0;
        continue;
      }
      if (line === 0) isComment = byte === COLON;
      if (block + ++line > limit) return start;
    }
    return bytes.length;
  };
}

/** Options of {@link readServerSentEvents}. */
export interface ReadEventsOptions extends EventParserOptions {
  /** Called for each chunk with its size in bytes, whether or not it completes an event: also for comments and heartbeats. */
  onBytes?(count: number): void;
  /**
   * Called when a chunk has arrived. Returns a promise that resolves when the chunk should be parsed, together with those that arrive in the
   * meantime; null to parse it at once.
   */
  pause?(): Promise<void> | null;
  /**
   * Whether an unfinished event block at the end of the stream is emitted as an event, contrary to the standard, for services behind
   * proxies that drop the last line end. False by default.
   */
  readonly flushAtEnd?: boolean | undefined;
  /** Stops reading with `aborted`, also while waiting for bytes. */
  readonly signal?: AbortSignal | undefined;
}

/** Number of bytes that are parsed at once. More bytes are parsed in slices, so that the consumer can yield to the event loop in between. */
const MAX_FEED_BYTES = 1 << 16;

/**
 * Reads server-sent events from a stream by the rules of the WHATWG HTML standard, except that an `id` is not carried over to later
 * events. Leaving the loop cancels the stream.
 *
 * @throws {UbikError} `event-too-large` after the events before it; `network` when the stream breaks; `aborted`.
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
 * Reads server-sent events as arrays: one for the chunks of the stream that have arrived, or for each 64 KiB of them. An array is empty
 * when its bytes complete no event.
 *
 * @throws {UbikError} As {@link readServerSentEvents}.
 */
export async function* readEventChunks(
  stream: ReadableStream<Uint8Array>,
  options: ReadEventsOptions = {},
): AsyncGenerator<readonly ServerSentEvent[], void, undefined> {
  const { signal } = options;
  const parser = createEventParser(options);
  const chunks = new ChunkReader(stream, signal);
  // When the signal has cancelled the stream, a read reports the end of the stream, so only the signal shows that reading was aborted.
  const checkSignal = () => {
    if (signal?.aborted) throw new UbikError('aborted');
  };
  try {
    checkSignal();
    for (;;) {
      await chunks.arrival;
      const resumed = options.pause?.();
      if (resumed) await resumed;
      checkSignal();
      chunks.throwFailure();
      let events: ServerSentEvent[] = [];
      let bytes = 0;
      for (let chunk = chunks.take(); chunk; chunk = chunks.take()) {
        options.onBytes?.(chunk.byteLength);
        for (let at = 0; at < chunk.byteLength; at += MAX_FEED_BYTES) {
          const slice = chunk.subarray(at, at + MAX_FEED_BYTES);
          events.push(...parser.feed(slice));
          bytes += slice.byteLength;
          if (bytes < MAX_FEED_BYTES && !parser.failure) continue;
          yield events;
          if (parser.failure) throw parser.failure;
          checkSignal();
          events = [];
          bytes = 0;
        }
        // The promise of a chunk that has arrived resolves in the next microtask.
        await Promise.resolve();
      }
      checkSignal();
      if (chunks.isDone && options.flushAtEnd) events.push(...parser.flush());
      if (events.length > 0 || !chunks.isDone) yield events;
      checkSignal();
      if (chunks.isDone) return;
    }
  } finally {
    chunks.close();
  }
}

/**
 * Reads a stream ahead, so that its user can take all chunks that have arrived, also when the stream breaks: browsers drop the chunks that
 * were not read before.
 */
class ChunkReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #signal: AbortSignal | undefined;
  readonly #chunks: Uint8Array[] = [];
  /** Number of bytes in `#chunks`. */
  #size = 0;
  /** Resolves when the next chunk, the end of the stream or an error has arrived. Never rejects. */
  #reading: Promise<void> | null = null;
  /** How the stream has ended. */
  #end: 'done' | UbikError | null = null;

  constructor(stream: ReadableStream<Uint8Array>, signal: AbortSignal | undefined) {
    // Not `for await`: streams are not async iterable in Safari.
    this.#reader = stream.getReader();
    this.#signal = signal;
    signal?.addEventListener('abort', this.#cancel);
    this.#readAhead();
  }

  /** Resolves when a chunk, the end of the stream or an error has arrived; null when there is nothing to wait for. Never rejects. */
  get arrival(): Promise<void> | null {
    return this.#chunks.length > 0 ? null : this.#reading;
  }

  /** Whether the stream has ended, and its chunks were taken. */
  get isDone(): boolean {
    return this.#end === 'done' && this.#chunks.length === 0;
  }

  /** Throws `network` when the stream is broken and its chunks were taken. */
  throwFailure(): void {
    if (this.#end instanceof UbikError && this.#chunks.length === 0) throw this.#end;
  }

  /** Returns the next chunk if it has arrived, else null. */
  take(): Uint8Array | null {
    const chunk = this.#chunks.shift();
    if (!chunk) return null;
    this.#size -= chunk.byteLength;
    this.#readAhead();
    return chunk;
  }

  close(): void {
    this.#signal?.removeEventListener('abort', this.#cancel);
    this.#cancel();
  }

  /** Reads the next chunk, unless enough have arrived: a stream without a network behind it would otherwise be read as a whole. */
  #readAhead(): void {
    if (this.#reading || this.#end || this.#size >= MAX_FEED_BYTES) return;
    this.#reading = this.#reader.read().then(
      ({ value }) => {
        if (value) {
          this.#chunks.push(value);
          this.#size += value.byteLength;
        } else this.#end = 'done';
        this.#continue();
      },
      (cause: unknown) => {
        this.#end = new UbikError('network', { cause });
        this.#continue();
      },
    );
  }

  #continue(): void {
    this.#reading = null;
    this.#readAhead();
  }

  /** Not awaited, because the promise may never settle. It rejects for a broken stream, whose error is in `#end`. */
  readonly #cancel = (): void => {
    this.#reader.cancel(this.#signal?.reason).catch(() => undefined);
  };
}
