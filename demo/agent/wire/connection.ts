import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { INERT_HEADERS, privateResponseHeaders } from '../../../server/safe-response.js';

/** One stream of records to one client. */
export interface Connection {
  /** Aborts when the client has gone or the stream has ended. */
  readonly signal: AbortSignal;
  /** Writes a piece; resolves when the client can take more. */
  write(text: string): Promise<void>;
  /** Ends the stream. */
  end(): void;
}

/** May change or break what a connection writes. */
export interface Meddler {
  /** Another content type, or null. */
  readonly contentType: string | null;
  /**
   * Does with a piece what it likes.
   *
   * @returns what is written instead; `cut` breaks the connection, `end` ends it, `hold` writes nothing ever again.
   */
  meddle(
    text: string,
    kind: 'record' | 'comment',
  ): readonly (string | Uint8Array)[] | 'cut' | 'end' | 'hold';
  /** How pieces are cut on the way, and how long each takes; null leaves them whole. */
  readonly drip: { readonly bytes: number; readonly milliseconds: number } | null;
}

/** Opens a stream as the answer of a request: headers go out at once, comments keep it alive. */
export function openConnection(
  response: ServerResponse,
  options: {
    readonly heartbeat: number;
    readonly lineEnd: string;
    readonly meddler: Meddler | null;
  },
): Connection {
  const { meddler } = options;
  const abort = new AbortController();
  let held = false;
  response.writeHead(200, {
    'content-type': meddler?.contentType ?? 'text/event-stream; charset=utf-8',
    ...INERT_HEADERS,
    ...privateResponseHeaders(response, true),
  });
  response.flushHeaders();
  const send = async (text: string, kind: 'record' | 'comment'): Promise<void> => {
    const pieces = held ? 'hold' : (meddler?.meddle(text, kind) ?? [text]);
    if (pieces === 'hold') held = true;
    else if (pieces === 'cut') {
      held = true;
      // Nobody may end it well in the meantime.
      abort.abort();
      cutOff(response);
    } else if (pieces === 'end') end();
    else for (const piece of pieces) await pour(response, piece, meddler?.drip ?? null);
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
  // A client that goes away in the middle of a write is no error of ours.
  response.on('error', () => undefined);
  return { signal: abort.signal, write: (text) => send(text, 'record'), end };
}

/** Breaks a connection a moment later: a client throws away what it has not read yet when its connection breaks. */
function cutOff(response: ServerResponse): void {
  setTimeout(() => response.destroy(), 30);
}

async function pour(
  response: ServerResponse,
  text: string | Uint8Array,
  drip: { readonly bytes: number; readonly milliseconds: number } | null,
): Promise<void> {
  if (drip === null) {
    await writeOut(response, text);
    return;
  }
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let at = 0; at < bytes.length; at += drip.bytes) {
    await writeOut(response, bytes.subarray(at, at + drip.bytes));
    await new Promise((resolve) => setTimeout(resolve, drip.milliseconds));
  }
}

async function writeOut(response: ServerResponse, data: string | Uint8Array): Promise<void> {
  if (response.destroyed || response.writableEnded) return;
  if (response.write(data)) return;
  const gone = new AbortController();
  const leave = (): void => {
    gone.abort();
  };
  response.once('close', leave);
  await once(response, 'drain', { signal: gone.signal }).catch(() => undefined);
  response.off('close', leave);
}
