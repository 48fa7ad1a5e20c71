/** A stream whose bytes the test pushes. */
export interface ControlledStream {
  readonly stream: ReadableStream<Uint8Array>;
  /** The reason of the cancellation, wrapped because it may be undefined; null while it is not cancelled. */
  readonly cancelled: { readonly reason: unknown } | null;
  /** Enqueues one piece. */
  push(piece: string | Uint8Array): void;
  /** Closes the stream like a server that ends a response. */
  close(): void;
  /** Errors the stream like a broken connection. */
  fail(error?: unknown): void;
}

/** Creates a controlled stream. Aborting the signal errors the stream, as `fetch` does with a body. */
export function createControlledStream(signal?: AbortSignal | null): ControlledStream {
  const encoder = new TextEncoder();
  let cancelled: { reason: unknown } | null = null;
  let open = true;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start: (streamController) => void (controller = streamController),
    cancel: (reason) => {
      open = false;
      cancelled = { reason };
    },
  });
  const end = (action: () => void) => {
    if (!open) return;
    open = false;
    action();
  };
  const fail = (error: unknown = new TypeError('terminated')) =>
    end(() => controller?.error(error));
  if (signal?.aborted) fail(signal.reason);
  signal?.addEventListener('abort', () => fail(signal.reason));
  return {
    stream,
    get cancelled() {
      return cancelled;
    },
    push: (piece) => {
      if (open) controller?.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece);
    },
    close: () => end(() => controller?.close()),
    fail,
  };
}

/** Creates a stream of pieces that are enqueued on demand, and then ends. */
export function createStreamOf(
  pieces: readonly (string | Uint8Array)[],
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      const piece = pieces[next++];
      if (piece === undefined) controller.close();
      else controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece);
    },
  });
}
