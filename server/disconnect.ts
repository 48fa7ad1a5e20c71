import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream';

/** The most of an unwanted body that is read, so that the page gets to see the refusal instead of a broken connection. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

/**
 * Aborts when the page has left, or when its answer is complete. It must be made before the first `await`: the event does not come
 * again.
 */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const leaving = new AbortController();
  if (response.destroyed) leaving.abort();
  else response.once('close', () => leaving.abort());
  return leaving.signal;
}

/**
 * Reads what is left of a body and forgets it, so that the connection can serve the next request. Resolves when all of it has come: a
 * client that is still sending may take an early answer for a broken connection. Of somebody who goes on and on no more is read.
 */
export function discardBody(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    if (request.readableEnded || request.destroyed) {
      resolve();
      return;
    }
    let length = 0;
    request.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length <= MAX_DISCARDED_BYTES) return;
      request.pause();
      resolve();
    });
    finished(request, () => {
      resolve();
    });
    request.resume();
  });
}
