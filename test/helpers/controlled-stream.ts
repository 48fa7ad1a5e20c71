/** A body whose bytes come when the test says so. */
export interface ControlledStream {
  readonly stream: ReadableStream<Uint8Array>;
  /** The reason of its cancelling once it was cancelled, wrapped so that `undefined` can be told apart; else null. */
  readonly cancelled: { readonly reason: unknown } | null;
  /** Brings one piece of the network. */
  push(piece: string | Uint8Array): void;
  /** Ends it as a server does. */
  close(): void;
  /** Breaks it as a network does. */
  fail(error?: unknown): void;
}

/** A stream under control. With a signal, aborting it breaks the stream, as `fetch` does with a body. */
export function createControlledStream(signal?: AbortSignal | null): ControlledStream {
  const encoder = new TextEncoder();
  let cancelled: { reason: unknown } | null = null;
  let open = true;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start: (given) => void (controller = given),
    cancel: (reason) => {
      open = false;
      cancelled = { reason };
    },
  });
  const end = (act: () => void) => {
    if (!open) return;
    open = false;
    act();
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

/** A stream of given pieces that then ends. Each is given only when it is asked for. */
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
