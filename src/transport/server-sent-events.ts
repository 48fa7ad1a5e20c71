import { UbikError } from '../errors.js';
import {
  createEventParser,
  type EventParserOptions,
  type ServerSentEvent,
} from './event-parser.js';

export type { ServerSentEvent } from './event-parser.js';

/** Bounds and listeners of a reader of server-sent events. */
export interface ReadEventsOptions extends EventParserOptions {
  /** Bytes came, whether or not they complete an event: comments and heartbeats too. */
  onBytes?(count: number): void;
  /** Ends the reading with `aborted`, also while it waits for bytes. */
  readonly signal?: AbortSignal | undefined;
}

/** Larger pieces of the network are parsed in parts, so that the consumer can give the page its turn in between. */
const PART = 1 << 16;

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
  for await (const events of readEventPieces(stream, options)) yield* events;
}

/**
 * The same events as lists: one for each piece of the network, and for each 64 KiB of a larger one. An empty list says that
 * bytes came which complete nothing.
 *
 * @throws {UbikError} As {@link readServerSentEvents}.
 */
export async function* readEventPieces(
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
      for (let at = 0; at === 0 || at < value.byteLength; at += PART) {
        yield parser.feed(value.subarray(at, at + PART));
        if (parser.failure) throw parser.failure;
        checkSignal();
      }
    }
  } finally {
    signal?.removeEventListener('abort', cancel);
    cancel();
  }
}
