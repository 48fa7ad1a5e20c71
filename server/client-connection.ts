import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream';

/** Maximum number of bytes of a rejected body that are discarded, so that the page receives the error instead of a broken connection. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

/**
 * Returns a signal that aborts when the client disconnects, or when the response is complete; an aborted one if that has happened before.
 */
export function createCloseSignal(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  if (response.destroyed) closed.abort();
  else response.once('close', () => closed.abort());
  return closed.signal;
}

/**
 * Reads and discards the rest of a body, so that the connection can be reused. Resolves at the end of the body or after
 * `MAX_DISCARDED_BYTES`. Await it before an error response: a client that is still sending may treat an early response as a broken connection.
 */
export function discardBody(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let length = 0;
    request.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length <= MAX_DISCARDED_BYTES) return;
      request.pause();
      resolve();
    });
    // Also calls back for a body that has been read or destroyed before.
    finished(request, () => {
      resolve();
    });
    request.resume();
  });
}
