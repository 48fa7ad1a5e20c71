import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { INERT_HEADERS, privateResponseHeaders } from '../../../server/inert-content.js';

/** An event stream to one client. */
export interface Connection {
  /** Aborts when the client disconnects or the stream has ended. */
  readonly signal: AbortSignal;
  /** Writes text; resolves when more can be written (back pressure). */
  write(text: string): Promise<void>;
  /** Ends the stream. */
  end(): void;
}

/** A fault of one stream: changes or breaks what the connection writes. */
export interface StreamFault {
  /** Another content type, or null. */
  readonly contentType: string | null;
  /**
   * Applies the fault to a record or comment.
   *
   * @returns Replacement to write; `cut` breaks the connection, `end` ends it, `hold` writes nothing from now on.
   */
  apply(
    text: string,
    kind: 'record' | 'comment',
  ): readonly (string | Uint8Array)[] | 'cut' | 'end' | 'hold';
  /** Throttling: bytes per write and delay after each; null for none. */
  readonly throttle: { readonly bytes: number; readonly milliseconds: number } | null;
}

/** Opens an event stream as the response of a request: sends the headers immediately, and comments as a heartbeat. */
export function openConnection(
  response: ServerResponse,
  options: {
    readonly heartbeat: number;
    readonly lineEnd: string;
    readonly streamFault: StreamFault | null;
  },
): Connection {
  const { streamFault } = options;
  const abort = new AbortController();
  let held = false;
  response.writeHead(200, {
    'content-type': streamFault?.contentType ?? 'text/event-stream; charset=utf-8',
    ...INERT_HEADERS,
    ...privateResponseHeaders(response, true),
  });
  response.flushHeaders();
  const send = async (text: string, kind: 'record' | 'comment'): Promise<void> => {
    const pieces = held ? 'hold' : (streamFault?.apply(text, kind) ?? [text]);
    if (pieces === 'hold') held = true;
    else if (pieces === 'cut') {
      held = true;
      // Prevents the stream from being ended properly in the meantime.
      abort.abort();
      breakConnection(response);
    } else if (pieces === 'end') end();
    else
      for (const piece of pieces)
        await writeThrottled(response, piece, streamFault?.throttle ?? null);
  };
  const beat = setInterval(() => {
    void send(`: keep-alive${options.lineEnd}${options.lineEnd}`, 'comment');
  }, options.heartbeat);
  const end = (): void => {
    clearInterval(beat);
    if (!response.writableEnded) response.end();
    abort.abort();
  };
  response.on('close', () => {
    clearInterval(beat);
    abort.abort();
  });
  // A client that disconnects during a write is not an error.
  response.on('error', () => undefined);
  return { signal: abort.signal, write: (text) => send(text, 'record'), end };
}

/** Breaks a connection after a delay, because a client discards unread data when its connection breaks. */
function breakConnection(response: ServerResponse): void {
  setTimeout(() => response.destroy(), 30);
}

async function writeThrottled(
  response: ServerResponse,
  text: string | Uint8Array,
  throttle: StreamFault['throttle'],
): Promise<void> {
  if (throttle === null) {
    await writeOut(response, text);
    return;
  }
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let at = 0; at < bytes.length; at += throttle.bytes) {
    await writeOut(response, bytes.subarray(at, at + throttle.bytes));
    await new Promise((resolve) => setTimeout(resolve, throttle.milliseconds));
  }
}

async function writeOut(response: ServerResponse, data: string | Uint8Array): Promise<void> {
  if (response.destroyed || response.writableEnded) return;
  if (response.write(data)) return;
  const closed = new AbortController();
  const abort = (): void => {
    closed.abort();
  };
  response.once('close', abort);
  await once(response, 'drain', { signal: closed.signal }).catch(() => undefined);
  response.off('close', abort);
}
